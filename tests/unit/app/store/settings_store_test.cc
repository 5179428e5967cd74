#include "app/store/settings_store.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/support/temp_dir.h"
#include "tests/support/wakes.h"

namespace cinderscope {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// A window's store from start to end: all is on disk once it has gone.
class Window {
 public:
  explicit Window(const UserFolders& places)
      : stored(read_settings(places)), store(places, stored.members, wakes.function()) {}
  Settings& settings() { return stored.settings; }
  void save() { store.save(stored.settings); }

  StoredSettings stored;
  Wakes wakes;
  SettingsStore store;
};

class SettingsStoreTest : public testing::Test {
 protected:
  fs::path settings_path() const { return fs::path(places_.config) / "settings.json"; }
  void write_settings(const std::string& text) const {
    fs::create_directories(places_.config);
    std::ofstream(settings_path()) << text;
  }
  // What a window that starts and changes one thing has to say.
  std::vector<std::string> problems_of_a_window() const {
    Window window(places_);
    std::vector<std::string> problems = window.stored.problems;
    for (int i = 0; i < 3; ++i) {  // each problem is said once
      window.settings().scale += 0.25F;
      window.save();
    }
    window.store.add_recent({"/a", 1, 1});
    EXPECT_TRUE(window.wakes.wait_until([&] {
      const StoreNews news = window.store.take();
      problems.insert(problems.end(), news.problems.begin(), news.problems.end());
      return news.recent || problems.size() >= 2;
    }));
    return problems;
  }

  TempDir folder_;
  UserFolders places_{(folder_.path() / "config/cinderscope").string(),
                      (folder_.path() / "state/cinderscope").string()};
};

TEST_F(SettingsStoreTest, KeepsSettingsInPrivateFolders) {
  {
    Window window(places_);
    EXPECT_TRUE(window.stored.problems.empty());
    window.settings().theme = ThemeChoice::light;
    window.save();
  }
  EXPECT_EQ(read_settings(places_).settings.theme, ThemeChoice::light);
  struct stat facts {};
  ASSERT_EQ(stat(places_.config.c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0700u);
}

TEST_F(SettingsStoreTest, WritesOnlyWhatWasChanged) {
  {
    Window window(places_);
    window.save();
  }
  EXPECT_FALSE(fs::exists(settings_path()));
  {
    Window window(places_);
    window.settings().scale = 2;
    window.save();
  }
  EXPECT_EQ(text_of(settings_path()), "{\n  \"scale\": 2\n}\n");
}

TEST_F(SettingsStoreTest, KeepsWhatAnotherVersionWrote) {
  write_settings("{\"of_the_future\": {\"a\": [1, 2]}, \"scale\": \"odd\", \"theme\": \"light\"}");
  {
    Window window(places_);
    EXPECT_EQ(window.settings().theme, ThemeChoice::light);
    window.settings().hand_over = true;
    window.save();
  }
  const auto members = json_members(text_of(settings_path()));
  ASSERT_TRUE(members);
  EXPECT_EQ(member_named(*members, "of_the_future")->json, "{\"a\": [1, 2]}");
  EXPECT_EQ(member_named(*members, "scale")->json, "\"odd\"");
  EXPECT_EQ(member_named(*members, "hand_over")->json, "true");
}

TEST_F(SettingsStoreTest, TwoWindowsKeepEachOthersChanges) {
  {
    Window one(places_), other(places_);
    one.settings().theme = ThemeChoice::light;
    other.settings().scale = 2;
    one.save();
    other.save();
    one.store.add_recent({"/one", 1, 1});
    other.store.add_recent({"/other", 2, 2});
  }
  const Settings settings = read_settings(places_).settings;
  EXPECT_EQ(settings.theme, ThemeChoice::light);
  EXPECT_EQ(settings.scale, 2);
  ASSERT_EQ(settings.recent.size(), 2u);
}

// A list from before what was asked for last is no news.
TEST_F(SettingsStoreTest, TheListOfRecentFilesIsTheLastOne) {
  for (int i = 0; i < 50; ++i) {
    Window window(places_);
    window.store.add_recent({"/a", 1, 1});
    window.store.forget_recent("");
    std::optional<std::vector<RecentFile>> recent;
    EXPECT_TRUE(window.wakes.wait_until([&] {
      recent = window.store.take().recent;
      return recent.has_value();
    }));
    EXPECT_TRUE(recent && recent->empty());
  }
}

TEST_F(SettingsStoreTest, ManyWindowsAtOnceLoseNothing) {
  constexpr int kFiles = 10;
  {
    Window one(places_), two(places_), three(places_);
    for (int i = 0; i < kFiles; ++i) {
      one.store.add_recent({"/one/" + std::to_string(i), 1, 1});
      two.store.add_recent({"/two/" + std::to_string(i), 1, 1});
      three.store.add_recent({"/three/" + std::to_string(i), 1, 1});
    }
  }
  EXPECT_EQ(read_settings(places_).settings.recent.size(), 3u * kFiles);
}

TEST_F(SettingsStoreTest, SetsABrokenFileAsideAndSaysSo) {
  for (const std::string broken : {"{\"theme\": \"li", "[]", "\x01\x02", "{\"a\":1}}"}) {
    write_settings(broken);
    const StoredSettings stored = read_settings(places_);
    EXPECT_EQ(stored.settings.theme, ThemeChoice::dark);
    ASSERT_EQ(stored.problems.size(), 1u);
    EXPECT_NE(stored.problems[0].find("settings.json.broken"), std::string::npos);
    EXPECT_EQ(text_of(settings_path().string() + ".broken"), broken);
    EXPECT_FALSE(fs::exists(settings_path()));
  }
  write_settings(std::string(4 << 20, ' '));
  EXPECT_EQ(read_settings(places_).problems.size(), 1u);
}

TEST_F(SettingsStoreTest, SetsAFileAsideThatBreaksWhileAWindowIsOpen) {
  {
    Window window(places_);
    write_settings("{{{");
    window.settings().scale = 2;
    window.save();
  }
  EXPECT_EQ(text_of(settings_path().string() + ".broken"), "{{{");
  EXPECT_EQ(read_settings(places_).settings.scale, 2);
}

TEST_F(SettingsStoreTest, AnEmptyFileIsNone) {
  write_settings("");
  EXPECT_TRUE(read_settings(places_).problems.empty());
}

TEST_F(SettingsStoreTest, AFolderOrAPipeInTheFilesPlaceIsSaid) {
  fs::create_directories(settings_path());
  EXPECT_GE(problems_of_a_window().size(), 1u);
  EXPECT_TRUE(fs::is_directory(settings_path()));
  fs::remove(settings_path());
  ASSERT_EQ(mkfifo(settings_path().c_str(), 0600), 0);
  EXPECT_EQ(read_settings(places_).problems.size(), 1u);
}

TEST_F(SettingsStoreTest, AFileInTheFoldersPlaceIsSaidOnce) {
  fs::create_directories(fs::path(places_.config).parent_path());
  std::ofstream(places_.config) << "in the way";
  EXPECT_EQ(problems_of_a_window().size(), 1u);
  EXPECT_EQ(text_of(places_.config), "in the way");
}

TEST_F(SettingsStoreTest, AFullDiskLeavesTheOldFile) {
  write_settings("{\"theme\": \"light\"}");
  // Files of this process may not grow beyond ten bytes: the same to a writer as a full disk.
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit small = before;
  small.rlim_cur = 10;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::vector<std::string> problems = problems_of_a_window();
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, SIG_DFL);
  ASSERT_EQ(problems.size(), 2u);  // settings.json and recent.json
  EXPECT_NE(problems[0].find("cannot be written"), std::string::npos);
  EXPECT_EQ(text_of(settings_path()), "{\"theme\": \"light\"}");
  EXPECT_EQ(std::distance(fs::directory_iterator(places_.config), {}), 1);
}

TEST_F(SettingsStoreTest, ClearsWhatAKillLeftBehind) {
  write_settings("{}");
  const fs::path left = settings_path().string() + ".part-AbCdEf";
  const fs::path young = settings_path().string() + ".part-GhIjKl";
  const fs::path broken = settings_path().string() + ".broken";
  for (const fs::path& path : {left, young, broken}) std::ofstream(path) << "{";
  for (const fs::path& path : {left, broken}) {
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(1));
  }
  {
    Window window(places_);
    window.settings().scale = 2;
    window.save();
  }
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(young));  // perhaps of a window that writes right now
  EXPECT_TRUE(fs::exists(broken));
}

TEST_F(SettingsStoreTest, ALinkStaysALink) {
  const fs::path real = folder_.write("dotfiles.json", "{\"theme\": \"light\"}");
  fs::create_directories(places_.config);
  fs::create_symlink(real, settings_path());
  {
    Window window(places_);
    window.settings().scale = 2;
    window.save();
  }
  EXPECT_TRUE(fs::is_symlink(settings_path()));
  EXPECT_NE(text_of(real).find("\"scale\": 2"), std::string::npos);
}

TEST_F(SettingsStoreTest, KeepsNothingWithoutAPlace) {
  Window window({});
  window.settings().scale = 2;
  window.save();
  window.store.add_recent({"/a", 1, 1});
  window.store.recall("/a");
  EXPECT_FALSE(window.store.take().recent);
}

TEST_F(SettingsStoreTest, ForgetsOneRecentFileOrAll) {
  {
    Window window(places_);
    for (const char* path : {"/a", "/b", "/c"}) window.store.add_recent({path, 1, 1});
    window.store.forget_recent("/b");
  }
  EXPECT_EQ(read_settings(places_).settings.recent,
            (std::vector<RecentFile>{{"/c", 1, 1}, {"/a", 1, 1}}));
  { Window(places_).store.forget_recent(""); }
  EXPECT_TRUE(read_settings(places_).settings.recent.empty());
}

// -- what is remembered of a trace

class FileMemoryStoreTest : public SettingsStoreTest {
 protected:
  std::optional<Recalled> recall(const std::string& path) const {
    Window window(places_);
    window.store.recall(path);
    std::optional<Recalled> recalled;
    window.wakes.wait_until([&] {
      StoreNews news = window.store.take();
      if (!news.recalled.empty()) recalled = std::move(news.recalled.front());
      return recalled.has_value();
    });
    return recalled;
  }
  void remember(const std::string& path, double scroll_px) const {
    const auto recalled = recall(path);
    ASSERT_TRUE(recalled);
    Window(places_).store.remember(path, recalled->identity, {},
                                   SavedViewState{.scroll_px = scroll_px});
  }
  static void set_time(const fs::path& path, int seconds_ago) {
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::seconds(seconds_ago));
  }
};

TEST_F(FileMemoryStoreTest, RemembersATraceByItsPath) {
  const std::string path = folder_.write("a.json", "[{\"ts\":1}]").string();
  EXPECT_FALSE(recall(path)->saved);
  remember(path, 77);
  ASSERT_TRUE(recall(path)->saved);
  EXPECT_EQ(recall(path)->saved->scroll_px, 77);
  EXPECT_FALSE(recall(folder_.write("b.json", "[{\"ts\":1}]").string())->saved);
}

TEST_F(FileMemoryStoreTest, TwoWindowsKeepEachOthersBookmarksAndPins) {
  const std::string path = folder_.write("trace.json", "the trace").string();
  const auto mark = [](std::int64_t time_ns) {
    return Bookmark{.begin_ns = 0, .end_ns = 100, .time_ns = time_ns, .note = "note"};
  };
  const TrackName one{.tid = "1"}, two{.tid = "2"};
  const SavedViewState known{.scroll_px = 5, .pinned = {one}, .bookmarks = {mark(10)}};
  const FileIdentity identity = recall(path)->identity;
  { Window(places_).store.remember(path, identity, {}, known); }
  // Both read that; the first adds a bookmark, the second another one and takes the known away.
  SavedViewState first = known, second = known;
  first.bookmarks.push_back(mark(20));
  first.view = TimeRange{1, 2};
  second.bookmarks = {mark(30)};
  second.pinned = {two};
  { Window(places_).store.remember(path, identity, known, first); }
  { Window(places_).store.remember(path, identity, known, second); }
  const auto kept = recall(path)->saved;
  ASSERT_TRUE(kept);
  ASSERT_EQ(kept->bookmarks.size(), 2u);
  EXPECT_EQ(kept->bookmarks[0].time_ns, 20);
  EXPECT_EQ(kept->bookmarks[1].time_ns, 30);
  ASSERT_TRUE(kept->view);
  EXPECT_EQ(kept->view->begin_ns, 1);
  EXPECT_EQ(kept->pinned, std::vector{two});
}

TEST_F(FileMemoryStoreTest, AnotherTraceOfTheSameNameStartsAfresh) {
  const std::string path = folder_.write("a.json", "[{\"ts\":1}]").string();
  remember(path, 77);
  folder_.write("a.json", "[{\"ts\":2}]");
  set_time(path, 100);
  EXPECT_FALSE(recall(path)->saved);
}

TEST_F(FileMemoryStoreTest, ATraceThatWasTouchedOrHasGrownIsTheSame) {
  const std::string path = folder_.write("a.json", "[{\"ts\":1},").string();
  remember(path, 77);
  set_time(path, 100);
  EXPECT_TRUE(recall(path)->saved);
  folder_.write("a.json", "[{\"ts\":1},{\"ts\":5},");
  EXPECT_TRUE(recall(path)->saved);
  folder_.write("a.json", "[{\"ts");  // shorter: something else
  EXPECT_FALSE(recall(path)->saved);
}

TEST_F(FileMemoryStoreTest, ForgetsTheOldestOfTooMany) {
  fs::create_directories(fs::path(places_.state) / "files");
  for (std::size_t i = 0; i < kMostFilesRemembered + 20; ++i) {
    const fs::path file = fs::path(places_.state) / "files" / (std::to_string(i) + ".json");
    std::ofstream(file) << "{}";
    set_time(file, static_cast<int>(10000 - i));
  }
  const std::string path = folder_.write("a.json", "[]").string();
  remember(path, 5);
  EXPECT_EQ(static_cast<std::size_t>(
                std::distance(fs::directory_iterator(fs::path(places_.state) / "files"), {})),
            kMostFilesRemembered);
  EXPECT_TRUE(recall(path)->saved);
}

TEST_F(FileMemoryStoreTest, AMappingHoldsForAllTracesOfItsFolder) {
  const std::string one = folder_.write("thread-1.flow", "\x80").string();
  const std::string two = folder_.write("thread-2.flow", "\x80").string();
  const auto mapping_of = [this](const std::string& path) { return recall(path)->folder_mapping; };
  EXPECT_EQ(mapping_of(one), "");
  { Window(places_).store.remember_mapping(one, "/names/\"ids\".properties"); }
  EXPECT_EQ(mapping_of(two), "/names/\"ids\".properties");
  EXPECT_EQ(mapping_of(folder_.path().string()), "/names/\"ids\".properties");
  EXPECT_EQ(mapping_of(folder_.path().string() + "/"), "/names/\"ids\".properties");
  EXPECT_EQ(mapping_of(folder_.path().parent_path().string()), "");
  { Window(places_).store.remember_mapping(folder_.path().string(), "/other"); }
  EXPECT_EQ(mapping_of(one), "/other");
  { Window(places_).store.remember_mapping(two, ""); }
  EXPECT_EQ(mapping_of(one), "");
}

TEST_F(FileMemoryStoreTest, ForgetsTheMappingsThatWereGivenFirst) {
  const std::string first = folder_.write("a", "").string();
  {
    Window window(places_);
    window.store.remember_mapping(first, "/names");
    for (std::size_t i = 1; i <= kMostMappingsRemembered; ++i) {
      if (i == kMostMappingsRemembered / 2) window.store.remember_mapping(first, "/names");
      window.store.remember_mapping("/gone/" + std::to_string(i) + "/x", "/names");
    }
  }
  EXPECT_EQ(recall(first)->folder_mapping, "/names");
  {
    Window window(places_);
    for (std::size_t i = 1; i <= kMostMappingsRemembered; ++i) {
      window.store.remember_mapping("/far/" + std::to_string(i) + "/x", "/names");
    }
  }
  EXPECT_EQ(recall(first)->folder_mapping, "");
}

TEST_F(FileMemoryStoreTest, ADamagedMemoryIsNone) {
  const std::string path = folder_.write("a.json", "[]").string();
  remember(path, 5);
  const fs::path file = fs::directory_iterator(fs::path(places_.state) / "files")->path();
  const std::string whole = text_of(file);
  for (std::size_t size = 0; size < whole.size(); size += 7) {
    std::ofstream(file, std::ios::binary) << whole.substr(0, size);
    EXPECT_FALSE(recall(path)->saved) << size;
  }
}

}  // namespace
}  // namespace cinderscope
