// Arguments are those of the file that was read, or none: never those of what was written over it.
#include <gtest/gtest.h>

#include <string>

#include "formats/all_formats.h"
#include "ingest/format/format.h"
#include "tests/support/load.h"
#include "tests/support/open_input.h"
#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kOneCall = "\x80\x00"sv;  // of a Flow trace
constexpr std::string_view kFirst =
    R"([{"ph":"X","pid":1,"tid":1,"ts":0,"dur":9,"name":"f","args":{"of":"first"}}])";
constexpr std::string_view kOther =
    R"([{"ph":"X","pid":1,"tid":1,"ts":0,"dur":9,"name":"g","args":{"of":"other"}}])";

class ChangedTraceTest : public testing::Test {
 protected:
  void open(std::string_view name, std::string_view content) {
    path_ = folder_.write(name, content);
    trace_ = load_trace(*format_named("google_json"), opened(path_));
  }
  RecordText described() const {
    const Slice slice = slice_at(trace_.timeline, {TrackId{0}, BlockId{0}, 0, 0});
    return trace_.source->describe(slice.record, slice.end_record);
  }

  TempDir folder_;
  std::filesystem::path path_;
  LoadedTrace trace_;
};

TEST_F(ChangedTraceTest, ShowsNoArgumentsOfAnotherFile) {
  open("a.json", kFirst);
  EXPECT_EQ(described().args.raw, R"({"of":"first"})");
  EXPECT_FALSE(described().outdated);
  EXPECT_FALSE(trace_.source->met_other_file());
  folder_.write("a.json", kOther);
  EXPECT_EQ(described().args.raw, "");
  EXPECT_TRUE(described().outdated);
  EXPECT_TRUE(trace_.source->met_other_file());
  EXPECT_EQ(trace_.source->change_on_disk(), (DiskChange{FileChange::overwritten, "a.json"}));
}

TEST_F(ChangedTraceTest, AFileThatWasReplacedStillTellsItsOwn) {
  open("a.json", kFirst);
  std::filesystem::rename(folder_.write("new", kOther), path_);
  EXPECT_EQ(described().args.raw, R"({"of":"first"})");
  EXPECT_EQ(trace_.source->change_on_disk(), (DiskChange{FileChange::replaced, "a.json"}));
}

TEST_F(ChangedTraceTest, AFileThatGrowsStillTellsItsOwn) {
  open("a.json", kFirst);
  folder_.write("a.json", std::string(kFirst) + "\n\n");
  EXPECT_EQ(described().args.raw, R"({"of":"first"})");
  EXPECT_EQ(trace_.source->change_on_disk(), (DiskChange{FileChange::grown, "a.json"}));
  EXPECT_FALSE(trace_.source->grows());
}

TEST_F(ChangedTraceTest, TheFilesOfAFolderAreWatchedToo) {
  folder_.write("thread-1.flow", kOneCall);
  folder_.write("ids.properties", "a=1\n");
  const auto trace = load_trace(*format_named("flow"), opened(folder_.path()));
  EXPECT_FALSE(trace.source->change_on_disk());
  folder_.write("thread-2.flow", kOneCall);
  EXPECT_EQ(trace.source->change_on_disk(), (DiskChange{FileChange::grown, "thread-2.flow"}));
  folder_.write("ids.properties", "");
  EXPECT_EQ(trace.source->change_on_disk(), (DiskChange{FileChange::shrunk, "ids.properties"}));
}

TEST_F(ChangedTraceTest, ATraceThatIsCutHasAGapBehindItsEnd) {
  open("whole.json", kFirst);
  EXPECT_TRUE(trace_.timeline.gaps.empty());
  open("cut.json", R"([{"ph":"X","pid":1,"tid":1,"ts":0,"dur":9,"name":"f"},{"ph":"X","p)");
  ASSERT_EQ(trace_.timeline.gaps.size(), 1u);
  EXPECT_EQ(trace_.timeline.gaps[0], (DataGap{.begin_ns = 9000}));
}

}  // namespace
}  // namespace cinderscope
