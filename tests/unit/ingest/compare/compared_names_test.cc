#include "ingest/compare/compared_names.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/go_on.h"

namespace cinderscope {
namespace {

using test::kGoOn;

std::vector<std::string> texts(const ComparedNames& names) {
  std::vector<std::string> out;
  for (const ComparedName& name : names.names) out.push_back(name.text);
  return out;
}

TEST(ComparedNames, TemplatesAreKeptWhereBothSidesHaveThem) {
  const ComparedNames names = *compare_names(
      {SideNames{"sort<int>", "sort<long>", "find<a>"}, SideNames{"sort<long>", "find<b>"}}, {},
      kGoOn);
  // sort<int> has no partner: without its argument it would meet nothing that is alone.
  EXPECT_EQ(texts(names), (std::vector<std::string>{"sort<int>", "sort<long>", "find<>"}));
  EXPECT_EQ(names.both_count, 2u);
  EXPECT_EQ(names.only_a_count, 1u);
  EXPECT_EQ(names.rules[static_cast<std::size_t>(NameRule::templates)].changed[side_a], 1u);
}

TEST(ComparedNames, SeveralMayBecomeOne) {
  const ComparedNames names = *compare_names(
      {SideNames{"sort<int>", "main", "sort<long>"}, SideNames{"sort<x>", "sort<>"}}, {}, kGoOn);
  EXPECT_EQ(texts(names), (std::vector<std::string>{"sort<>", "main"}));
  EXPECT_EQ(names.names[0].names[side_a], (std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(names.names[0].names[side_b], (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(names.compared_of[side_a], (std::vector<std::uint32_t>{0, 1, 0}));
}

TEST(ComparedNames, MovedLinesDoNotMeetTheWrongFunction) {
  const ComparedNames names =
      *compare_names({SideNames{"draw:10", "draw:20"}, SideNames{"draw:20", "draw:30"}}, {}, kGoOn);
  EXPECT_EQ(texts(names), std::vector<std::string>{"draw"});
}

TEST(ComparedNames, RulesForTheRestAddUp) {
  NameRules rules;
  rules.states[static_cast<std::size_t>(NameRule::numbers)] = RuleState::rest;
  rules.states[static_cast<std::size_t>(NameRule::letter_case)] = RuleState::rest;
  const ComparedNames names = *compare_names(
      {SideNames{"Task<a> 1", "Stay 7", "Only 9"}, SideNames{"task<b> 2", "Stay 7"}}, rules, kGoOn);
  EXPECT_EQ(texts(names), (std::vector<std::string>{"task<> #", "Stay 7", "Only 9"}));
}

TEST(ComparedNames, NothingOnASide) {
  const ComparedNames names = *compare_names({SideNames{"a"}, SideNames{}}, {}, kGoOn);
  EXPECT_EQ(names.only_a_count, 1u);
  EXPECT_EQ(names.both_count, 0u);
  EXPECT_TRUE(compare_names({}, {}, kGoOn)->names.empty());
}

TEST(ComparedNames, ManyOfThem) {
  constexpr std::size_t kNames = 10'000;
  OfSides<std::vector<std::string>> kept;
  OfSides<SideNames> sides;
  for (const Side side : {side_a, side_b}) {
    for (std::size_t i = 0; i < kNames; ++i) {
      const std::string number = std::to_string(i);
      kept[side].push_back("ns::Class" + number + "<int, " + (side == side_a ? "a" : "b") +
                           ">::method(0x7fff" + number + "0000)::h0123456789abcdef");
    }
    sides[side].assign(kept[side].begin(), kept[side].end());
  }
  const ComparedNames names = *compare_names(sides, {}, kGoOn);
  EXPECT_EQ(names.both_count, kNames);
  EXPECT_TRUE(names.whole);
}

TEST(ComparedNames, EndsOnceCancelled) {
  const std::atomic<bool> cancelled{true};
  EXPECT_FALSE(compare_names({SideNames{"a"}, SideNames{"b"}}, {}, cancelled)->whole);
}

TEST(ComparedNames, NearestSpellingsOfTheOtherSide) {
  const ComparedNames names =
      *compare_names({SideNames{"drawFrame", "shared"},
                      SideNames{"shared", "zzz", "renderFrame", "drawFrames", "draw_frame"}},
                     {}, kGoOn);
  std::vector<std::string> nearest;
  for (const std::uint32_t name : nearest_names(names, side_b, "drawFrame", 3, kGoOn)) {
    nearest.push_back(names.names[name].text);
  }
  EXPECT_EQ(nearest, (std::vector<std::string>{"drawFrames", "draw_frame", "renderFrame"}));
  EXPECT_TRUE(nearest_names(names, side_b, "drawFrame", 0, kGoOn).empty());
}

TEST(ComparedNames, SameAsMakesARename) {
  NameRules rules;
  rules.renames = {same_as("a.b(\\1)+", "x\\y")};
  const ComparedNames names =
      *compare_names({SideNames{"a.b(\\1)+", "aab(\\1)+"}, SideNames{"x\\y"}}, rules, kGoOn);
  EXPECT_EQ(texts(names), (std::vector<std::string>{"x\\y", "aab(\\1)+"}));
  EXPECT_EQ(names.both_count, 1u);
}

}  // namespace
}  // namespace cinderscope
