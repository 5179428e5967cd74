#include "ingest/part/part_text.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace cinderscope {
namespace {

TEST(ArgsJsonTest, NamesArgumentsThatAreNoObjectAndLeavesOutFactsOfTheSameName) {
  RecordText text;
  text.args.nodes.push_back({.kind = ArgsKind::string, .value = "several words"});
  text.facts = {{"args", "hidden"}, {"id", "7"}};
  text.stack = {"main"};
  EXPECT_EQ(args_json(text), R"({"args":"several words","id":"7","stack":["main"]})");
}

TEST(ArgsJsonTest, IsEmptyWhereThereIsNothing) {
  EXPECT_EQ(args_json(RecordText()), "");
}

}  // namespace
}  // namespace cinderscope
