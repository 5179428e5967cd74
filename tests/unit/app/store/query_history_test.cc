#include "app/store/query_history.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

TEST(QueryHistoryTest, KeepsTheLastRunsAndKnowsMoreOfThem) {
  QueryHistory history;
  for (int i = 0; i < 120; ++i) history.add("SELECT " + std::to_string(i));
  EXPECT_EQ(history.runs().size(), QueryHistory::kMostRuns);
  EXPECT_EQ(history.runs().back(), "SELECT 119");
  EXPECT_TRUE(history.knows("SELECT 0"));
  EXPECT_FALSE(history.knows("SELECT 0 "));
  history.add("SELECT 50");
  EXPECT_EQ(history.runs().back(), "SELECT 50");
  EXPECT_EQ(history.runs().size(), QueryHistory::kMostRuns);
}

TEST(QueryHistoryTest, ComesBackFromItsFile) {
  TempDir folder;
  const std::string path = (folder.path() / "state/sql_history.json").string();
  EXPECT_TRUE(add_to_query_history(path, "SELECT 'a\n\"b\"'"));
  EXPECT_TRUE(add_to_query_history(path, "SELECT 2"));
  const QueryHistory read = read_query_history(path);
  ASSERT_EQ(read.runs().size(), 2U);
  EXPECT_EQ(read.runs().front(), "SELECT 'a\n\"b\"'");
  EXPECT_TRUE(read.knows("SELECT 2"));
}

TEST(QueryHistoryTest, ADamagedFileIsNoHistory) {
  EXPECT_TRUE(QueryHistory::from_json("{\"runs\": [").runs().empty());
  EXPECT_TRUE(QueryHistory::from_json("[]").runs().empty());
  EXPECT_EQ(QueryHistory::from_json(R"({"runs": [1, "x", {}], "known": 7})").runs().size(), 1U);
}

TEST(QueryHistoryTest, MergesWhatAnotherWindowRan) {
  QueryHistory mine, theirs;
  mine.add("a");
  theirs.add("b");
  theirs.add("a");
  mine.merge(theirs);
  EXPECT_EQ(mine.runs(), (std::deque<std::string>{"b", "a"}));
  EXPECT_TRUE(mine.knows("b"));
}

}  // namespace
}  // namespace cinderscope
