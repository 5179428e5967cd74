#include "render/tables/statistics_table.h"

#include <gtest/gtest.h>

#include "ingest/build/timeline_builder.h"

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
  }
  std::vector<std::string> in_order(const StatisticsOrder& order) {
    std::vector<std::string> names;
    for (const std::uint32_t row : rows_in_order(statistics_, *timeline_.strings, order)) {
      names.push_back(name_text(*timeline_.strings, statistics_.names[row].name));
    }
    return names;
  }
  std::string text(TableText form) {
    return table_text(statistics_, *timeline_.strings,
                      rows_in_order(statistics_, *timeline_.strings, {}), form);
  }
  using Names = std::vector<std::string>;

  TimelineBuilder builder_;
  RecordOffset record_ = 0;
  Timeline timeline_;
  SliceStatistics statistics_;
};

TEST_F(StatisticsTableTest, SortsByEachColumnAndEqualOnesByName) {
  add("zebra", 0, 10);
  add("apple", 20, 10);
  add("fig", 40, 50);
  add("fig", 100, 1);
  measure();
  EXPECT_EQ(in_order({}), (Names{"fig", "apple", "zebra"}));
  EXPECT_EQ(in_order({StatisticsColumn::name, false, {}}), (Names{"apple", "fig", "zebra"}));
  EXPECT_EQ(in_order({StatisticsColumn::name, true, {}}), (Names{"zebra", "fig", "apple"}));
  EXPECT_EQ(in_order({StatisticsColumn::min, true, {}}), (Names{"apple", "zebra", "fig"}));
  EXPECT_EQ(in_order({StatisticsColumn::count, false, {}}), (Names{"apple", "zebra", "fig"}));
}

TEST_F(StatisticsTableTest, AClickOnAHeadTurnsItsOrderRound) {
  StatisticsOrder order;
  order = sorted_by(order, StatisticsColumn::total);
  EXPECT_FALSE(order.descending);
  order = sorted_by(order, StatisticsColumn::p90);
  EXPECT_TRUE(order.descending);
  order = sorted_by(order, StatisticsColumn::name);
  EXPECT_FALSE(order.descending) << "names begin with A";
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
            "name,count,total,self,mean,median,p90,p99,min,max,share,unfinished,info_total\r\n"
            "\"a,\"\"b\"\"\nc\",1,30,30,30,30,30,30,30,30,60.00,0,30\r\n"
            "bad\xef\xbf\xbd,1,10,10,10,10,10,10,10,10,20.00,0,10\r\n");
}

TEST_F(StatisticsTableTest, KeepsEachNameOfTsvOnItsLine) {
  add("a\tb\r\nc", 0, 30);
  measure();
  EXPECT_EQ(text(TableText::tsv),
            "name\tcount\ttotal\tself\tmean\tmedian\tp90\tp99\tmin\tmax\tshare\tunfinished\t"
            "info_total\na b  c\t1\t30\t30\t30\t30\t30\t30\t30\t30\t100.00\t0\t30\n");
}

TEST_F(StatisticsTableTest, KnowsColumnsByTheirKeys) {
  for (std::size_t c = 0; c < kStatisticsColumns; ++c) {
    const auto column = static_cast<StatisticsColumn>(c);
    EXPECT_EQ(statistics_column(key_of(column)), column);
  }
  EXPECT_FALSE(statistics_column("weight"));
}

}  // namespace
}  // namespace cinderscope
