#include "app/session/find_traces.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

constexpr std::string_view kAnyTrace = R"([{"ph":"X","pid":1,"tid":1,"ts":1,"dur":2,"name":"f"}])";

TEST(FindTracesTest, TakesAFileForItself) {
  const auto traces = traces_of("some/missing.json");
  ASSERT_TRUE(traces);
  EXPECT_EQ(*traces, std::vector<std::string>{"some/missing.json"});
  EXPECT_EQ(*traces_of("-"), std::vector<std::string>{"-"});
}

TEST(FindTracesTest, FindsTheTracesOfAFolder) {
  const TempDir folder;
  const std::string b = folder.write("b.json", kAnyTrace).string();
  const std::string a = folder.write("a", kAnyTrace).string();
  folder.write("notes.txt", "Dear diary,\n");
  folder.write("empty.json", "");
  std::filesystem::create_directory(folder.path() / "inner");
  ASSERT_EQ(mkfifo((folder.path() / "pipe").c_str(), 0600), 0);  // nobody will ever write to it
  const auto traces = traces_of(folder.path().string());
  ASSERT_TRUE(traces) << traces.error().text;
  EXPECT_EQ(*traces, (std::vector<std::string>{a, b}));
}

TEST(FindTracesTest, FindsTheTracesOfFoldersBelowWhereItHoldsNone) {
  const TempDir folder;
  const auto write = [&](const std::string& path, std::string_view content) {
    std::filesystem::create_directories((folder.path() / path).parent_path());
    return folder.write(path, content).string();
  };
  const std::string a = write("server/2026/a.json", kAnyTrace);
  const std::string b = write("server/2027/01/b.json", kAnyTrace);
  write("server/2027/01/deeper/c.json", kAnyTrace);  // a folder that holds traces ends the search
  write("server/notes.txt", "Dear diary,\n");
  std::filesystem::create_directory_symlink(folder.path(), folder.path() / "server/circle");
  const auto traces = traces_of(folder.path().string());
  ASSERT_TRUE(traces) << traces.error().text;
  EXPECT_EQ(*traces, (std::vector<std::string>{a, b}));
  EXPECT_FALSE(are_folders(*traces));
  EXPECT_TRUE(are_folders({folder.path().string()}));
}

TEST(FindTracesTest, TheLimitHoldsForFilesInTheFolderItself) {
  const TempDir folder;
  for (const char* name : {"a", "b", "c"}) folder.write(name, kAnyTrace);
  const auto found = [&](std::size_t most, std::string& note) {
    return traces_of(folder.path().string(), &note, {.traces = most})->size();
  };
  std::string note;
  EXPECT_EQ(found(3, note), 3u);
  EXPECT_EQ(note, "");
  EXPECT_EQ(found(2, note), 2u);
  EXPECT_NE(note.find("more than 2 traces"), std::string::npos);
}

TEST(FindTracesTest, SaysWhichLimitEndedTheSearch) {
  const TempDir folder;
  for (const char* path : {"a/b", "c", "d"}) {
    std::filesystem::create_directories(folder.path() / path);
    folder.write(std::string(path) + "/t.json", kAnyTrace);
  }
  const std::string top = folder.path().string();
  const auto note = [&](const FolderLimits& limits) {
    std::string left_out;
    static_cast<void>(traces_of(top, &left_out, limits));
    return left_out;
  };
  EXPECT_EQ(note({}), "");
  EXPECT_EQ(note({.traces = 3}), "");
  EXPECT_NE(note({.traces = 2}).find("more than 2 traces"), std::string::npos);
  EXPECT_NE(note({.folders = 3}).find("more than 3 folders"), std::string::npos);
  EXPECT_EQ(note({.folders = 4}), "");
  EXPECT_NE(note({.levels = 1}).find("more than 1 levels"), std::string::npos);
}

TEST(FindTracesTest, SaysWhatAFolderWithoutTracesHolds) {
  const TempDir folder;
  const auto none = traces_of(folder.path().string());
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().text, "The folder is empty.");
  folder.write("notes.txt", "Dear diary,\n");
  const auto no_trace = traces_of(folder.path().string());
  ASSERT_FALSE(no_trace);
  EXPECT_EQ(no_trace.error().code, ErrorCode::not_recognised);
  EXPECT_EQ(no_trace.error().text, "The folder has 1 file, and it is not a trace.");
}

}  // namespace
}  // namespace cinderscope
