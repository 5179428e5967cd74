#include "app/collector/collect_log.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace cinderscope {
namespace {

TEST(CollectLogTest, ControlCharactersDoNotReachTheTerminal) {
  std::vector<std::string> said;
  CollectLog log([&](const std::string& line) { said.push_back(line); });
  log.add("pod\x1b[2J\n\x7f is here, \xc3\xa4");
  EXPECT_EQ(said, std::vector<std::string>{"pod?[2J?? is here, \xc3\xa4"});
}

// However slow the machine is, each line is either said or counted.
TEST(CollectLogTest, AFloodIsCounted) {
  constexpr std::size_t kLines = 100'000;
  std::size_t said = 0, counted = 0;
  CollectLog log(
      [&](const std::string& line) { line == "line" ? ++said : counted += std::stoul(line); });
  for (std::size_t i = 0; i < kLines; ++i) log.add("line");
  log.say_left_out();
  EXPECT_EQ(said + counted, kLines);
  EXPECT_GE(said, 50u);
  EXPECT_GT(counted, 0u);
}

TEST(CollectLogTest, NobodyNeedsToListen) {
  CollectLog log({});
  log.add("line");
  log.say_left_out();
}

}  // namespace
}  // namespace cinderscope
