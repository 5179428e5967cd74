#include "render/editing/sql_completion.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace cinderscope {
namespace {

SqlWords words() {
  SqlWords all;
  all.tables = {
      {"slice", {{"slice_id", "slice"}, {"ts", "time"}, {"dur", "duration"}, {"name", "text"}}},
      {"thread", {{"thread_id", "number"}, {"thread_name", "text"}}},
      {"overlap", {{"slice_id", "slice"}}, true}};
  all.functions = {{"percentile", "percentile(x, p)"}, {"path", "path(slice_id)"}};
  all.names = [](std::string_view part, std::size_t most) {
    std::vector<std::string> found;
    for (const std::string_view name : {"RunTask", "Run'em", "Paint"}) {
      if (found.size() < most && name.starts_with(part)) found.emplace_back(name);
    }
    return found;
  };
  return all;
}

// The caret is where the text has "|"; what is found stands between blanks.
std::string completed(std::string text) {
  const std::size_t caret = text.find('|');
  text.erase(caret, 1);
  std::string all;
  for (const SqlCompletion& item : sql_completions(text, caret, words()).items) {
    all += (all.empty() ? "" : " ") + item.text;
  }
  return all;
}

TEST(SqlCompletionTest, TablesFollowFrom) {
  EXPECT_EQ(completed("SELECT * FROM |"), "slice thread overlap");
  EXPECT_EQ(completed("SELECT * FROM slice, th|"), "thread");
  EXPECT_EQ(completed("SELECT * FROM slice JOIN ov|"), "overlap");
  EXPECT_EQ(completed("WITH beat AS (SELECT 1) SELECT * FROM be|"), "beat");
}

TEST(SqlCompletionTest, ColumnsAreThoseOfTheTablesInFrom) {
  EXPECT_EQ(completed("SELECT d| FROM slice"), "dur DESC DISTINCT");
  EXPECT_EQ(completed("SELECT thread_n| FROM slice JOIN thread"), "thread_name");
  EXPECT_EQ(completed("SELECT thread_n| FROM slice"), "");
  EXPECT_EQ(completed("SELECT | FROM thread t"), "thread_id thread_name t percentile path");
  EXPECT_EQ(completed("SELECT 1 FROM thread; SELECT t| FROM slice;"), "ts THEN thread");
}

TEST(SqlCompletionTest, BehindADotThoseOfThatTable) {
  EXPECT_EQ(completed("SELECT f.| FROM slice f, thread t"), "slice_id ts dur name");
  EXPECT_EQ(completed("SELECT t.th| FROM slice f JOIN thread AS t"), "thread_id thread_name");
  EXPECT_EQ(completed("SELECT d.| FROM slice f JOIN overlap(f.ts, (1)) d"), "slice_id");
}

TEST(SqlCompletionTest, NamesOfCallsWhereANameIsCompared) {
  EXPECT_EQ(completed("SELECT 1 FROM slice f WHERE f.name = 'Run|"), "RunTask' Run''em'");
  EXPECT_EQ(completed("WHERE name = 'Ru|n'"), "RunTask Run''em");
  EXPECT_EQ(completed("WHERE name NOT IN ('Paint', 'R|')"), "RunTask Run''em");
  EXPECT_EQ(completed("WHERE name LIKE 'P|"), "Paint'");
  EXPECT_EQ(completed("WHERE category = 'R|"), "");
  EXPECT_EQ(completed("WHERE name = 'Run'|"), "");
}

TEST(SqlCompletionTest, FunctionsAndNothingInComments) {
  EXPECT_EQ(completed("SELECT perc|"), "percentile");
  EXPECT_EQ(completed("SELECT 1 -- perc|"), "");
  EXPECT_EQ(completed("SELECT 12|"), "");
}

TEST(SqlCompletionTest, ReplacesWhatWasTyped) {
  const SqlCompletions found = sql_completions("SELECT du FROM slice", 9, words());
  EXPECT_EQ(found.replaced, (TextSpan{7, 9}));
  EXPECT_EQ(found.items.front().detail, "duration");
}

}  // namespace
}  // namespace cinderscope
