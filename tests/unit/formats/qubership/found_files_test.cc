#include "formats/qubership/found_files.h"

#include <gtest/gtest.h>

#include "tests/support/load.h"
#include "tests/support/temp_dir.h"

namespace cinderscope::qubership {
namespace {

namespace fs = std::filesystem;

std::string names_of(const FoundFiles& found) {
  std::string names;
  for (const FoundFile& file : found.files) {
    names += (names.empty() ? "" : " ") + file.name + "=" + std::to_string(file.index);
  }
  return names;
}

class FoundFilesTest : public testing::Test {
 protected:
  void write(const std::string& path) {
    fs::create_directories((folder_.path() / path).parent_path());
    folder_.write(path, "x");
  }
  std::string found(const std::string& path = {}) {
    const Result<Input> input = Input::from_path(folder_.path() / path);
    return input ? names_of(find_files(*input)) : input.error().text;
  }
  TempDir folder_;
};

TEST_F(FoundFilesTest, TellsIndicesFromNames) {
  EXPECT_EQ(rolled_index("000012.gz"), 12u);
  EXPECT_EQ(rolled_index("1000000"), 1000000u);
  for (const char* name : {"12.gz", "", "00001a.gz", "000001.txt", "99999999999.gz"}) {
    EXPECT_EQ(rolled_index(name), std::nullopt) << name;
  }
  EXPECT_EQ(loose_name("trace.2.bin")->index, 3u);
  EXPECT_EQ(loose_name("suspend.bin")->index, 1u);
  EXPECT_EQ(loose_name("calls.0.bin.gz")->stream, Stream::calls);
  for (const char* name : {"trace.x.bin", "agent.bin", "trace.bin.txt", "trace.4294967295.bin"}) {
    EXPECT_FALSE(loose_name(name)) << name;
  }
}

TEST_F(FoundFilesTest, PutsWordsBeforeWhatUsesThem) {
  for (const char* path :
       {"trace/000010.gz", "trace/000002.gz", "calls/000001.gz", "gc/000001.gz",
        "dictionary/000001", "sql/000001.gz", "trace/notes.txt", "other/000001"}) {
    write(path);
  }
  EXPECT_EQ(found(),
            "dictionary/000001=1 calls/000001.gz=1 trace/000002.gz=2 trace/000010.gz=10 "
            "sql/000001.gz=1");
}

TEST_F(FoundFilesTest, TakesCopiesOnlyWhereThereIsNothingBetter) {
  write("calls[60m+]/000001.gz");
  write("callsDictionary/000001.gz");
  EXPECT_EQ(found(), "callsDictionary/000001.gz=1 calls[60m+]/000001.gz=1");
  write("calls/000001.gz");
  write("dictionary/000001.gz");
  EXPECT_EQ(found(), "dictionary/000001.gz=1 calls/000001.gz=1");
}

TEST_F(FoundFilesTest, ShowsOneStreamOrFileWithTheWordsBesideIt) {
  for (const char* path :
       {"trace/000001.gz", "trace/000002.gz", "calls/000001.gz", "dictionary/000001.gz"}) {
    write(path);
  }
  EXPECT_EQ(found("trace"), "dictionary/000001.gz=1 trace/000001.gz=1 trace/000002.gz=2");
  EXPECT_EQ(found("trace/000002.gz"), "dictionary/000001.gz=1 trace/000002.gz=2");
  EXPECT_EQ(found("calls"), "dictionary/000001.gz=1 calls/000001.gz=1");
}

TEST_F(FoundFilesTest, FindsNothingElsewhere) {
  EXPECT_EQ(found(), "");
  write("somewhere/000001.gz");
  EXPECT_EQ(found("somewhere"), "");
  EXPECT_EQ(found("somewhere/000001.gz"), "");
  EXPECT_EQ(names_of(find_files(Input::from_memory("trace.0.bin", bytes_of("x")))), "");
}

TEST_F(FoundFilesTest, ReadsTheServerOutOfTheFolders) {
  write("node-1/2026/11/21/1795226597882/trace/000001.gz");
  const fs::path start = folder_.path() / "node-1/2026/11/21/1795226597882";
  for (const fs::path& path : {start, start / "trace", start / "trace/000001.gz"}) {
    const Result<Input> input = Input::from_path(path);
    ASSERT_TRUE(input);
    EXPECT_EQ(folder_facts(*input).server, "node-1") << path;
    EXPECT_EQ(folder_facts(*input).start_ms, "1795226597882");
  }
}

}  // namespace
}  // namespace cinderscope::qubership
