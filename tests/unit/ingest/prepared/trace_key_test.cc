#include "ingest/prepared/trace_key.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

namespace fs = std::filesystem;

const TraceReader kReader{"spall", 1, {}};

std::optional<std::string> key_of_file(const fs::path& path, const TraceReader& reader = kReader) {
  return trace_key({&path, 1}, reader);
}

TEST(TraceKeyTest, IsTheSameForAFileThatNobodyTouched) {
  const TempDir folder;
  const fs::path file = folder.write("t", std::string(10'000'000, 'x'));
  ASSERT_TRUE(key_of_file(file));
  EXPECT_EQ(key_of_file(file), key_of_file(file));
  EXPECT_NE(key_of_file(file), key_of_file(file, {"spall", 2, {}}));
  EXPECT_NE(key_of_file(file), key_of_file(file, {"flow", 1, {}}));
}

// Editors and copies can give a file the time that it had: the system's own time of change tells.
TEST(TraceKeyTest, NoticesAnEditOfTheSameSizeAndTime) {
  const TempDir folder;
  const fs::path file = folder.write("t", std::string(10'000'000, 'x'));
  const fs::file_time_type time = fs::last_write_time(file);
  const auto before = key_of_file(file);
  {
    std::fstream out(file, std::ios::in | std::ios::out | std::ios::binary);
    out.seekp(5'000'123);
    out.put('y');
  }
  fs::last_write_time(file, time);
  EXPECT_NE(key_of_file(file), before);
}

TEST(TraceKeyTest, NoticesAnotherFileInItsPlace) {
  const TempDir folder;
  const fs::path file = folder.write("t", "one"), other = folder.write("u", "two");
  const auto before = key_of_file(file);
  fs::last_write_time(other, fs::last_write_time(file));
  fs::rename(other, file);
  EXPECT_NE(key_of_file(file), before);
}

TEST(TraceKeyTest, IsThereForFilesAlone) {
  const TempDir folder;
  EXPECT_FALSE(key_of_file(folder.path()));
  EXPECT_FALSE(key_of_file(folder.path() / "missing"));
  EXPECT_TRUE(key_of_file(folder.write("empty", "")));
}

TEST(TraceKeyTest, NamesTheCopyAfterTheTracesPlace) {
  const TempDir folder;
  const fs::path file = folder.write("t", "one");
  fs::create_symlink(file, folder.path() / "link");
  const std::string name = prepared_file_name(file, kReader);
  EXPECT_TRUE(name.ends_with(kPreparedEnding));
  EXPECT_EQ(prepared_file_name(folder.path() / "link", kReader), name);
  folder.write("t", "three");
  EXPECT_EQ(prepared_file_name(file, kReader), name);
  EXPECT_NE(prepared_file_name(folder.write("u", "one"), kReader), name);
}

}  // namespace
}  // namespace cinderscope
