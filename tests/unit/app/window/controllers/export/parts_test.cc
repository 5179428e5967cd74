#include "app/window/controllers/export/parts.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "app/window/controllers/export/pictures.h"
#include "tests/support/unseen_window.h"

namespace cinderscope {
namespace {

class PartsControllerTest : public UnseenWindow {
 protected:
  static std::string content(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  TempDir folder_;
};

TEST_F(PartsControllerTest, SavesTheSelectedRangeWithWhatIsCut) {
  open_two_threads();
  const std::filesystem::path path = folder_.path() / "part.json";
  EXPECT_EQ(run("select-range 350000 420000"), "");
  EXPECT_EQ(run("save-part " + path.string()), "");
  settle();
  const std::string saved = content(path);
  EXPECT_NE(saved.find(R"("cut":{"ts":0,"dur":1000})"), std::string::npos) << saved;
  EXPECT_NE(saved.find(R"("ts":400,"dur":20)"), std::string::npos) << saved;
  EXPECT_EQ(saved.find("\"ts\":100"), std::string::npos) << saved;
}

TEST_F(PartsControllerTest, SavesAllWithoutARangeAndReplacesOnlyWhenTold) {
  open_two_threads();
  const std::filesystem::path path = folder_.write("part.json", "mine");
  EXPECT_NE(run("save-part " + path.string()), "");
  EXPECT_EQ(content(path), "mine");
  EXPECT_EQ(run("save-part " + path.string() + " force"), "");
  settle();
  EXPECT_EQ(content(path), kTwoThreads);
}

TEST_F(PartsControllerTest, WritesFromWhatIsLoaded) {
  open_two_threads();
  std::filesystem::remove(tab().session->path());
  const std::filesystem::path all = folder_.path() / "all.json",
                              part = folder_.path() / "part.json";
  EXPECT_EQ(run("save-part " + all.string()), "");
  EXPECT_EQ(content(all), kTwoThreads);
  EXPECT_EQ(run("select-range 350000 420000"), "");
  EXPECT_EQ(run("save-part " + part.string()), "");
  EXPECT_NE(content(part).find(R"("cut":{"ts":0,"dur":1000})"), std::string::npos);
}

TEST_F(PartsControllerTest, ReadsAnewWhereEndsOfCallsHaveToBeKnown) {
  open("ends.json", R"([{"ph":"B","ts":0,"name":"a","tid":1},{"ph":"E","ts":10,"tid":1},
                        {"ph":"B","ts":20,"name":"b","tid":1},{"ph":"E","ts":30,"tid":1}])");
  const std::filesystem::path part = folder_.path() / "part.json";
  EXPECT_EQ(run("select-range 5000 25000"), "");
  EXPECT_EQ(run("save-part " + part.string()), "");
  EXPECT_NE(content(part).find(R"("cut":{"ts":0,"dur":10})"), std::string::npos) << content(part);
  EXPECT_EQ(content(part).find(R"("ph":"E")"), std::string::npos) << content(part);
}

TEST_F(PartsControllerTest, RefusesWhatItCannotWrite) {
  open_two_threads();
  EXPECT_NE(run("save-part " + (folder_.path() / "part.unknown").string()), "");
}

TEST_F(PartsControllerTest, TheSheetSavesWhatItWasToldBesideTheTrace) {
  open_two_threads();
  const std::filesystem::path part = std::filesystem::path(tab().session->path() + ".part.folded");
  EXPECT_EQ(run("save-part"), "");
  EXPECT_TRUE(controllers().parts->open());
  EXPECT_EQ(run("part threads 2"), "");
  EXPECT_EQ(run("part format folded"), "");
  settle();
  EXPECT_TRUE(controllers().parts->take_key({.key = Key::enter}));
  settle();
  EXPECT_NE(content(part).find("job 700000"), std::string::npos) << content(part);
  EXPECT_EQ(content(part).find(";work "), std::string::npos);
  // Enter once more asks first.
  std::ofstream(part) << "mine";
  EXPECT_TRUE(controllers().parts->take_key({.key = Key::enter}));
  settle();
  EXPECT_EQ(content(part), "mine");
  EXPECT_TRUE(controllers().parts->take_key({.key = Key::enter}));
  settle();
  EXPECT_NE(content(part), "mine");
  EXPECT_TRUE(controllers().parts->take_key({.key = Key::escape}));
  EXPECT_FALSE(controllers().parts->open());
}

TEST_F(PartsControllerTest, ReplacesOnlyTheFileThatWasAskedAbout) {
  open_two_threads();
  const std::filesystem::path other = folder_.write("other.json", "mine");
  run("save-part");
  EXPECT_NE(run("save-part " + other.string()), "") << "a command is refused, not asked about";
  std::ofstream(tab().session->path() + ".part.json") << "mine";
  EXPECT_TRUE(controllers().parts->take_key({.key = Key::enter}));  // asks
  settle();
  EXPECT_EQ(run("picture of timeline"), "");  // a question does not outlive its sheet
  const std::filesystem::path picture = tab().session->path() + ".timeline.svg";
  std::ofstream(picture) << "mine";
  EXPECT_TRUE(controllers().pictures->take_key({.key = Key::enter}));
  settle();
  EXPECT_EQ(run("picture format png"), "");
  std::ofstream(tab().session->path() + ".timeline.png") << "mine";
  EXPECT_TRUE(controllers().pictures->take_key({.key = Key::enter}));
  settle();
  EXPECT_EQ(content(tab().session->path() + ".timeline.png"), "mine");
  EXPECT_EQ(content(picture), "mine");
  EXPECT_EQ(content(other), "mine");
}

TEST_F(PartsControllerTest, ChosenThreadsAreThoseOfTheirTrace) {
  open("one.json", kTwoThreads);
  open_two_threads();
  EXPECT_EQ(run("part threads 2"), "");
  run("tab 1");
  const std::filesystem::path path = folder_.path() / "part.json";
  EXPECT_NE(run("save-part " + path.string()), "");
  run("tab 2");
  run("part close");
  EXPECT_EQ(run("save-part " + path.string()), "");  // not of that thread any more
  settle();
  EXPECT_EQ(content(path), kTwoThreads);
}

TEST_F(PartsControllerTest, ShowsNoFolderOfAFileThatIsNotThere) {
  EXPECT_NE(run("show-in-folder " + (folder_.path() / "nothing").string()), "");
}

TEST_F(PartsControllerTest, OneSheetIsOpenAtATime) {
  open_two_threads();
  EXPECT_EQ(run("save-part"), "");
  EXPECT_EQ(run("picture of timeline"), "");
  EXPECT_FALSE(controllers().parts->open());
  EXPECT_TRUE(controllers().pictures->open());
  EXPECT_EQ(run("part of all"), "");
  EXPECT_FALSE(controllers().pictures->open());
  settle();
}

TEST_F(PartsControllerTest, ShownThreadsAreThoseThatAreNotHidden) {
  open_two_threads();
  const std::filesystem::path path = folder_.path() / "part.folded";
  EXPECT_EQ(run("hide 1"), "");
  EXPECT_EQ(run("part threads shown"), "");
  settle();
  EXPECT_EQ(run("save-part " + path.string()), "");
  settle();
  EXPECT_EQ(content(path).find(";work "), std::string::npos) << content(path);
  EXPECT_NE(content(path).find("job"), std::string::npos);
  EXPECT_EQ(run("part threads pinned"), "");
  EXPECT_NE(run("save-part " + path.string() + " force"), "") << "none is pinned";
}

}  // namespace
}  // namespace cinderscope
