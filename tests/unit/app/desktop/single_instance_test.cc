#include "app/desktop/single_instance.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <optional>

#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

namespace fs = std::filesystem;

class HandOverTest : public testing::Test {
 protected:
  std::string folder() const { return folder_.path().string(); }
  std::unique_ptr<SingleInstanceListener> listener(const std::string& screen = ":1") const {
    auto made = std::make_unique<SingleInstanceListener>(folder(), screen, [] {});
    EXPECT_TRUE(made->listening());
    return made;
  }
  std::size_t sockets() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_.path()), {}));
  }
  // Says `message` to the only window; true if it was answered.
  bool say(const std::string& message) const {
    const std::string path = fs::directory_iterator(folder_.path())->path().string();
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, path.size());
    const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    EXPECT_EQ(connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    (void)!send(fd, message.data(), message.size(), MSG_NOSIGNAL);
    shutdown(fd, SHUT_WR);
    char answer[16];
    const bool answered = recv(fd, answer, sizeof answer, 0) > 0;
    close(fd);
    return answered;
  }

  TempDir folder_;
};

TEST_F(HandOverTest, GivesFilesToAnOpenWindow) {
  const auto window = listener();
  EXPECT_TRUE(hand_over(folder(), ":1", {"/a b.json", "/c\n.spall"}));
  EXPECT_TRUE(hand_over(folder(), ":1", {}));
  const auto taken = window->take();
  ASSERT_EQ(taken.size(), 2u);
  EXPECT_EQ(taken[0], (std::vector<std::string>{"/a b.json", "/c\n.spall"}));
  EXPECT_TRUE(taken[1].empty());
  EXPECT_TRUE(window->take().empty());
}

TEST_F(HandOverTest, TellsWhichSessionIsOpen) {
  const auto window = listener();
  EXPECT_FALSE(session_is_open(folder(), "/a.cinder", ""));
  window->hold_session("/a.cinder");
  EXPECT_TRUE(session_is_open(folder(), "/a.cinder", ""));
  EXPECT_FALSE(session_is_open(folder(), "/a.cinder", window->path()));
  EXPECT_FALSE(session_is_open(folder(), "/b.cinder", ""));
  EXPECT_FALSE(session_is_open(folder(), "", ""));
  EXPECT_FALSE(session_is_open("", "/a.cinder", ""));
  window->hold_session({});
  EXPECT_FALSE(session_is_open(folder(), "/a.cinder", ""));
  EXPECT_TRUE(window->take().empty());
}

TEST_F(HandOverTest, FindsNobodyWhereNoWindowIsOpen) {
  EXPECT_FALSE(hand_over(folder(), ":1", {"/a"}));
  EXPECT_FALSE(hand_over(folder() + "/missing", ":1", {"/a"}));
  EXPECT_FALSE(hand_over("", ":1", {"/a"}));
  listener().reset();
  EXPECT_EQ(sockets(), 0u);
  EXPECT_FALSE(hand_over(folder(), ":1", {"/a"}));
}

TEST_F(HandOverTest, StaysOnItsScreen) {
  const auto window = listener(":1");
  EXPECT_FALSE(hand_over(folder(), ":2", {"/a"}));
  EXPECT_TRUE(window->take().empty());
}

TEST_F(HandOverTest, CleansUpAfterAWindowThatCrashed) {
  const std::string stale = [this] {
    const auto window = listener();
    return fs::directory_iterator(folder_.path())->path().string();
  }();
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  stale.copy(address.sun_path, stale.size());
  const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  close(fd);  // the file stays, nobody listens
  EXPECT_EQ(sockets(), 1u);
  EXPECT_FALSE(hand_over(folder(), ":1", {"/a"}));
  EXPECT_EQ(sockets(), 0u);
}

TEST_F(HandOverTest, HearsOnlyWhatIsWellFormed) {
  const auto window = listener();
  const std::string zero(1, '\0'), greeting = "cinderscope 1\n";
  for (const std::string& message :
       {std::string(), std::string("GET / HTTP/1.1\r\n\r\n"), greeting + "/a",
        greeting + "relative" + zero, greeting + zero, greeting + "/a" + zero + "b" + zero,
        greeting + "/" + std::string(5000, 'x') + zero, std::string(3 << 20, 'x'),
        "cinderscope 2\n/a" + zero}) {
    EXPECT_FALSE(say(message)) << message.substr(0, 30);
  }
  std::string many = greeting;
  for (int i = 0; i < 2000; ++i) many += "/a" + zero;
  EXPECT_FALSE(say(many));
  EXPECT_TRUE(window->take().empty());
  EXPECT_TRUE(say(greeting + "/a" + zero));
  EXPECT_EQ(window->take().size(), 1u);
}

TEST_F(HandOverTest, PlacesAndOptionsGoAlong) {
  const auto window = listener();
  const std::vector<std::string> items = {"/a.json", "cinderscope:a.json?view=1,2",
                                          "--view\x1f+1ms\x1f+2ms"};
  EXPECT_TRUE(hand_over(folder(), ":1", items));
  const auto taken = window->take();
  ASSERT_EQ(taken.size(), 1u);
  EXPECT_EQ(taken.front(), items);
}

TEST_F(HandOverTest, OffersNoRelativePath) {
  const auto window = listener();
  EXPECT_FALSE(hand_over(folder(), ":1", {"a.json"}));
  EXPECT_FALSE(hand_over(folder(), ":1", {"/" + std::string(1 << 20, 'x')}));
}

TEST_F(HandOverTest, TakesOnlyAFolderOfItsOwn) {
  setenv("XDG_RUNTIME_DIR", folder().c_str(), 1);
  EXPECT_EQ(hand_over_folder(), folder() + "/cinderscope");
  chmod((folder() + "/cinderscope").c_str(), 0777);
  EXPECT_EQ(hand_over_folder(), "");
  fs::remove(folder() + "/cinderscope");
  fs::create_directory_symlink("/tmp", folder() + "/cinderscope");
  EXPECT_EQ(hand_over_folder(), "");
  setenv("XDG_RUNTIME_DIR", (folder() + "/not/there").c_str(), 1);
  EXPECT_EQ(hand_over_folder(), "");
  unsetenv("XDG_RUNTIME_DIR");
}

TEST_F(HandOverTest, DoesWithoutWhereNothingCanBeListenedOn) {
  SingleInstanceListener none("", ":1", [] {}), missing(folder() + "/missing", ":1", [] {}),
      deep(folder() + "/" + std::string(200, 'x'), ":1", [] {});
  EXPECT_FALSE(none.listening() || missing.listening() || deep.listening());
  EXPECT_TRUE(none.take().empty());
}

}  // namespace
}  // namespace cinderscope
