#include "render/tables/statistics_table.h"

#include <gtest/gtest.h>

#include "ingest/build/timeline_builder.h"
#include "ingest/model/measure/sample_runs.h"
#include "render/tables/taken_table.h"

namespace cinderscope {
namespace {

class StatisticsTableTest : public testing::Test {
 protected:
  void add(std::string_view name, std::int64_t begin, std::int64_t duration) {
    builder_.slices(builder_.thread(builder_.process("1"), "1"))
        .complete(begin, duration, builder_.intern(name), record_++);
  }
  void measure() {
    timeline_ = builder_.finish();
    statistics_ = slice_statistics(*slice_set_of(timeline_), {});
    table_ = statistics_table(statistics_, timeline_.strings);
  }
  std::vector<std::string> in_order(const TableOrder& order) {
    std::vector<std::string> names;
    for (const std::uint32_t row : rows_in_order(*table_, order, filter_by_text(order.filter))) {
      names.emplace_back(text_in(*table_, table_->columns.front(), row));
    }
    return names;
  }
  std::vector<std::string> by(std::string_view key, bool descending) {
    return in_order({.column = statistics_column(key).value(), .descending = descending});
  }
  std::string text(TableText form) {
    std::vector<std::uint32_t> rows = rows_in_order(*table_, first_statistics_order(), {});
    return *table_to_copy(taken_table("statistics", table_, std::move(rows), form), {.text = form});
  }
  using Names = std::vector<std::string>;

  TimelineBuilder builder_;
  RecordOffset record_ = 0;
  Timeline timeline_;
  SliceStatistics statistics_;
  std::shared_ptr<const ValueTable> table_;
};

TEST_F(StatisticsTableTest, SortsByEachColumnAndEqualOnesByName) {
  add("zebra", 0, 10);
  add("apple", 20, 10);
  add("fig", 40, 50);
  add("fig", 100, 1);
  measure();
  EXPECT_EQ(in_order(first_statistics_order()), (Names{"fig", "apple", "zebra"}));
  EXPECT_EQ(by("name", false), (Names{"apple", "fig", "zebra"}));
  EXPECT_EQ(by("name", true), (Names{"zebra", "fig", "apple"}));
  EXPECT_EQ(by("min", true), (Names{"apple", "zebra", "fig"}));
  EXPECT_EQ(by("count", false), (Names{"apple", "zebra", "fig"}));
}

TEST_F(StatisticsTableTest, FiltersByAPartOfTheNameInEitherCase) {
  add("Parse::Token", 0, 1);
  add("walk", 2, 1);
  add("", 4, 1);
  measure();
  EXPECT_EQ(in_order({.filter = "tOKEN"}), Names{"Parse::Token"});
  EXPECT_EQ(in_order({.filter = "no name"}), Names{"(no name)"});
  EXPECT_TRUE(in_order({.filter = "walker"}).empty());
}

TEST_F(StatisticsTableTest, QuotesWhatCsvCannotHoldBare) {
  add("a,\"b\"\nc", 0, 30);
  add("bad\xff", 40, 10);
  measure();
  EXPECT_EQ(text(TableText::csv),
            "name,count,total,self,mean,median,p90,p99,min,max,share,unfinished,info_total,cut\n"
            "\"a,\"\"b\"\"\nc\",1,30,30,30,30,30,30,30,30,60.00,0,30,0\n"
            "bad\xef\xbf\xbd,1,10,10,10,10,10,10,10,10,20.00,0,10,0\n");
}

TEST_F(StatisticsTableTest, KeepsEachNameOfTsvOnItsLine) {
  add("a\tb\r\nc", 0, 30);
  measure();
  EXPECT_EQ(text(TableText::tsv),
            "name\tcount\ttotal\tself\tmean\tmedian\tp90\tp99\tmin\tmax\tshare\tunfinished\t"
            "info_total\tcut\na b  c\t1\t30\t30\t30\t30\t30\t30\t30\t30\t100.00\t0\t30\t0\n");
}

TEST_F(StatisticsTableTest, EveryColumnHasAKeyOfItsOwnAndAHelp) {
  for (std::size_t c = 0; c < statistics_columns().size(); ++c) {
    const TableColumn& head = statistics_columns()[c].head;
    EXPECT_EQ(statistics_column(head.key), c);
    EXPECT_FALSE(head.help.empty()) << head.key;
    EXPECT_EQ(statistics_columns()[c].number == nullptr, head.kind == CellKind::text) << head.key;
  }
  EXPECT_FALSE(statistics_column("weight"));
}

TEST_F(StatisticsTableTest, RanksArePendingUntilTheyAreKnown) {
  add("f", 0, 10);
  measure();
  statistics_.ranks_known = false;
  table_ = statistics_table(statistics_, timeline_.strings);
  EXPECT_TRUE(table_->columns[statistics_column("p99").value()].pending);
  EXPECT_FALSE(table_->columns[statistics_column("max").value()].pending);
}

TEST_F(StatisticsTableTest, CallsRunsOfSamplesRuns) {
  add("f", 0, 10);
  builder_.use_weights({{"time", "nanoseconds"}, {"samples", "samples"}}, 0);
  measure();
  const std::size_t count = statistics_column("count").value();
  EXPECT_EQ(table_->columns[count].head.title, "Count");
  table_ = statistics_table(statistics_, timeline_.strings, counts_runs(timeline_));
  EXPECT_EQ(table_->columns[count].head.title, "Runs");
  EXPECT_EQ(table_->columns[count].head.key, "count");
  statistics_.query.scope.slices = SlicesOf::samples;  // beside recorded calls
  table_ = statistics_table(statistics_, timeline_.strings);
  EXPECT_EQ(table_->columns[count].head.title, "Runs");
}

TEST_F(StatisticsTableTest, TakesWhatIsLaidOutByWeightForCalls) {
  add("f", 0, 10);
  builder_.use_weights({{"samples", "count"}, {"cpu", "nanoseconds"}}, 1);
  measure();
  EXPECT_FALSE(counts_runs(timeline_));
}

}  // namespace
}  // namespace cinderscope
