#include "ingest/sql/statements.h"

#include <gtest/gtest.h>

#include <string>

namespace cinderscope {
namespace {

std::vector<std::string> parts(std::string_view text) {
  std::vector<std::string> all;
  for (const StatementRange& each : statements_of(text)) {
    all.emplace_back(text.substr(each.begin, each.end - each.begin));
  }
  return all;
}

TEST(StatementsTest, EndAtSemicolonsThatAreNoText) {
  EXPECT_EQ(parts("SELECT 1; SELECT ';' ;"),
            (std::vector<std::string>{"SELECT 1;", "SELECT ';' ;"}));
  EXPECT_EQ(parts("SELECT \"a;b\", [c;d], `e;f`, 'it''s;' -- x;y\n + 1;/* ; */SELECT 2"),
            (std::vector<std::string>{"SELECT \"a;b\", [c;d], `e;f`, 'it''s;' -- x;y\n + 1;",
                                      "SELECT 2"}));
}

TEST(StatementsTest, LeaveOutWhatSaysNothing) {
  EXPECT_TRUE(parts("").empty());
  EXPECT_TRUE(parts(" ;; -- nothing\n/* at all").empty());
  EXPECT_EQ(parts("-- first\nSELECT 1"), (std::vector<std::string>{"SELECT 1"}));
  EXPECT_EQ(parts("SELECT 'open; "), (std::vector<std::string>{"SELECT 'open; "}));
}

TEST(StatementsTest, FindTheOneUnderTheCursor) {
  const std::string_view text = "SELECT 1;\n SELECT 2;";
  EXPECT_EQ(statement_at(text, 0), (StatementRange{0, 9}));
  EXPECT_EQ(statement_at(text, 8), (StatementRange{0, 9}));
  EXPECT_EQ(statement_at(text, 9), (StatementRange{0, 9}));
  EXPECT_EQ(statement_at(text, 11), (StatementRange{11, 20}));
  EXPECT_EQ(statement_at(text, 20), (StatementRange{11, 20}));
  EXPECT_EQ(statement_at("", 0), StatementRange{});
}

}  // namespace
}  // namespace cinderscope
