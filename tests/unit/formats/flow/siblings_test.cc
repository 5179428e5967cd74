// A Flow trace's thread that was opened alone knows the folder of its recording.
#include <gtest/gtest.h>

#include "formats/all_formats.h"
#include "ingest/format/capabilities.h"
#include "tests/support/open_input.h"
#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

std::unique_ptr<TraceSource> source_of(const std::filesystem::path& path) {
  return std::move(*format_named("flow")->open(opened(path)));
}

TEST(FlowSiblingsTest, CountsTheThreadsOfTheFolder) {
  const TempDir folder;
  for (const char* name : {"thread-1.flow", "thread-12.jsonl", "thread-3.flow.gz", "ids.properties",
                           "thread-x.flow", "notes.txt"}) {
    folder.write(name, "\x80");
  }
  const auto source = source_of(folder.path() / "thread-1.flow");
  ASSERT_NE(source->siblings(), nullptr);
  EXPECT_EQ(source->siblings()->thread_count(), 3u);
  EXPECT_EQ(source->siblings()->recording_path(), folder.path().string());
}

TEST(FlowSiblingsTest, AFolderAndAFileOfAllThreadsHaveNone) {
  const TempDir folder;
  folder.write("thread-1.flow", "\x80");
  folder.write("calls.flow", R"({"e":"enter","id":1,"t":1,"n":"a"})");
  EXPECT_EQ(source_of(folder.path() / "")->siblings(), nullptr);
  EXPECT_EQ(source_of(folder.path() / "calls.flow")->siblings(), nullptr);
}

}  // namespace
}  // namespace cinderscope
