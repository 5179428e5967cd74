#include "render/tables/call_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "formats/all_formats.h"
#include "ingest/build/timeline_builder.h"
#include "tests/support/load.h"
#include "tests/support/source_dir.h"

namespace cinderscope {
namespace {

const std::string kGolden = test::source_dir() + "/tests/golden/qubership/";

class CallTableTest : public testing::Test {
 protected:
  void load(const std::string& name) {
    Result<Input> input = Input::from_path(kGolden + name);
    trace_ = load_trace(*format_named("qubership"), std::move(*input));
    table_ = call_table(*slice_set_of(trace_.timeline), trace_.timeline.pauses, *trace_.source,
                        cancelled_);
  }
  const ValueColumn& column(std::string_view name) {
    const auto found = std::ranges::find(table_->columns, name,
                                         [](const ValueColumn& each) { return each.head.title; });
    EXPECT_NE(found, table_->columns.end()) << name;
    return found == table_->columns.end() ? table_->columns.front() : *found;
  }
  std::string text(std::string_view name, std::uint32_t row = 0) {
    return std::string(text_in(*table_, column(name), row));
  }

  LoadedTrace trace_;
  std::atomic<bool> cancelled_{false};
  std::shared_ptr<const ValueTable> table_;
};

TEST_F(CallTableTest, HasAColumnForAllThatACallSays) {
  load("session_v2/input.protocol");
  ASSERT_EQ(table_->row_count, 1u);
  EXPECT_EQ(column("Start").numbers[0], 1'700'000'000'005'000'000);
  EXPECT_EQ(column("Duration").numbers[0], 45'000'000);
  EXPECT_EQ(text("Call"), "GET /orders/7?x=1");
  EXPECT_EQ(column("CPU").numbers[0], 12'000'000);
  EXPECT_EQ(column("Pauses").numbers[0], 10'000'000);
  EXPECT_EQ(column("Memory").numbers[0], 25'769'803'776);
  EXPECT_EQ(column("Memory").head.unit, "bytes allocated");
  EXPECT_EQ(column("Wait").numbers[0], -1);
  EXPECT_EQ(column("Queue wait").numbers[0], 6);
  EXPECT_EQ(column("Transactions").numbers[0], 5);
  EXPECT_EQ(column("Network read").numbers[0], 68'719'476'736);
  EXPECT_EQ(column("Logs generated").numbers[0], 10);
  EXPECT_EQ(text("web.method"), "GET");
  EXPECT_EQ(text("user"), "a, b");
  // The fact of a method is its signature; the word that it was made of does not come twice.
  EXPECT_EQ(text("Method"), "demo.Main.run(java.lang.String[],int)");
  EXPECT_EQ(std::ranges::count(table_->columns, "method",
                               [](const ValueColumn& each) { return each.head.title; }),
            0);
}

TEST_F(CallTableTest, ARowStandsForItsSlice) {
  load("session_v2/input.protocol");
  ASSERT_EQ(table_->slices.size(), 1u);
  const Slice slice = slice_at(trace_.timeline, table_->slices[0]);
  EXPECT_EQ(trace_.timeline.text(slice.name), "GET /orders/7?x=1");
}

TEST_F(CallTableTest, ColumnsAreAsLongAsTheTable) {
  load("calls_of_all_formats/input");
  EXPECT_GT(table_->row_count, 3u);
  for (const ValueColumn& each : table_->columns) {
    EXPECT_EQ(std::max(each.numbers.size(), each.texts.size()), table_->row_count)
        << each.head.title;
  }
}

TEST_F(CallTableTest, IsNotMadeOnceCancelled) {
  cancelled_ = true;
  load("session_v2/input.protocol");
  EXPECT_EQ(table_, nullptr);
  EXPECT_EQ(statement_table(*trace_.source, cancelled_), nullptr);
}

TEST_F(CallTableTest, AddsUpStatements) {
  load("session_v2/input.protocol");
  const auto statements = statement_table(*trace_.source, cancelled_);
  ASSERT_NE(statements, nullptr);
  ASSERT_EQ(statements->columns.size(), 4u);
  ASSERT_GT(statements->row_count, 0u);
  for (std::uint32_t row = 0; row < statements->row_count; ++row) {
    const std::int64_t count = statements->columns[1].numbers[row];
    EXPECT_GT(count, 0);
    EXPECT_EQ(statements->columns[3].numbers[row], statements->columns[2].numbers[row] / count);
  }
}

TEST_F(CallTableTest, ATraceWithoutCallsHasNone) {
  load("suspend_only/input");
  EXPECT_FALSE(has_calls(trace_.timeline));
  EXPECT_EQ(table_->row_count, 0u);
}

// Calls that all say more than there are columns for.
class TalkativeSource : public TraceSource {
 public:
  Status load(TimelineBuilder&, LoadContext&) override { return ok(); }
  RecordText read_record(RecordOffset, RecordOffset) const override {
    RecordText text;
    for (int i = 0; i < facts; ++i) text.facts.emplace_back("fact " + std::to_string(i), "said");
    return text;
  }
  const Input& input() const override { return input_; }
  RecordOffset record_end() const override { return 10; }

  int facts = 100;

 private:
  Input input_ = Input::from_memory("calls", {});
};

TEST_F(CallTableTest, SaysThatThereWouldBeMoreColumns) {
  TimelineBuilder builder;
  const ThreadId thread = builder.thread(builder.process("1"), "1");
  builder.call_slices(thread, builder.intern("calls")).complete(0, 9, builder.intern("GET /"), 1);
  const Timeline timeline = builder.finish();
  TalkativeSource source;
  table_ = call_table(*slice_set_of(timeline), timeline.pauses, source, cancelled_);
  EXPECT_EQ(table_->columns.size(), 64u);
  EXPECT_TRUE(table_->columns_left_out);
  source.facts = 10;
  table_ = call_table(*slice_set_of(timeline), timeline.pauses, source, cancelled_);
  EXPECT_FALSE(table_->columns_left_out);
}

}  // namespace
}  // namespace cinderscope
