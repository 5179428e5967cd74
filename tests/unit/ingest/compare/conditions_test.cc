#include "ingest/compare/conditions.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/compared_runs.h"

namespace cinderscope {
namespace {

constexpr const char* kGood[] = {
    "self>+3%",
    "count<100",
    "total>=5ms",
    "total(RenderFrame)>+5%",
    "total(RenderFrame)>+5% surely",
    "self(ns::Class::method)<-10%",
    "p99(/^Request/)>20ms",
    "p90(/a\\/b/)>20ms",
    "median(x)<=1h2m",
    "mean(a.b-c)>.5ms",
    "max(draw)>+3ms",
    "count(draw)>+10",
    "count(draw)>1000",
    "self(*)>x1.5",
    "self(*)>+10% and count(*)>+10%",
    "new(/alloc/)",
    "gone(main)",
    "new",
    "gone",
    "new(*)",
    "total(\"f(int)\")>+5%",
    "total(\"a \\\"b\\\" \\\\c\")>5%",
    "self(Zürich)>5%",
    "self>1500",
    "self(x)>-3ms",
    "self(a and b\\)>1%",
    "self(\"a and b\")>1% and self(c)>1% surely",
    "p99(/x|y and z/)>+0.5% surely and new(q)",
    "median(a)>=x2",
    "count>+10%",
    "self(/[)]/)>5%",
};
constexpr const char* kBad[] = {
    "",
    "self",
    "self>",
    "self>5x",
    "self>5 %",
    "self>+",
    "self>%",
    "self>x",
    "self>x-1",
    "self>1e999",
    "self>nan%",
    "self=5%",
    "self>>5%",
    "selfish>5%",
    "Self>5%",
    "p99>20ms",
    "mean>+5%",
    "max>5%",
    "total()>5%",
    "total(a>5%",
    "total(a b)>5%",
    "total(f(int))>5%",
    "total(\"a)>5%",
    "total(/a)>5%",
    "total(/(/)>5%",
    "count(a)>5ms",
    "new>5%",
    "new(a) surely",
    "self>5% and",
    "self>5% and ",
    "self>5%and count>5%",
    "self>5% or count>5%",
    "self>5% surely surely",
    " self>5%",
    "self>5% ",
    "p100(a)>5ms",
    "self>5parsecs",
};

TEST(Conditions, GoodOnesAreRead) {
  std::size_t count = 0;
  for (const char* text : kGood) {
    if (std::string_view(text) == "self(a and b\\)>1%") continue;  // below
    const Result<Condition> read = parse_condition(text);
    EXPECT_TRUE(read) << text << ": " << (read ? "" : read.error().text);
    if (read) {
      EXPECT_EQ(read->text, text);
    }
    ++count;
  }
  EXPECT_GE(count, 30u);
  EXPECT_FALSE(parse_condition("self(a and b\\)>1%"));
}

TEST(Conditions, BadOnesAreRefusedWithTheirPlace) {
  static_assert(std::size(kBad) >= 30);
  for (const char* text : kBad) {
    const Result<Condition> read = parse_condition(text);
    ASSERT_FALSE(read) << text;
    EXPECT_GE(read.error().offset_bytes, 0);
    EXPECT_LE(read.error().offset_bytes, static_cast<std::int64_t>(std::string_view(text).size()));
  }
  EXPECT_EQ(parse_condition("self>5% or count>5%").error().offset_bytes, 7);
}

TEST(Conditions, ReadTheirParts) {
  const Condition read = *parse_condition("total(\"f(int)\")>=-5% surely and count(/x/)<x1.5");
  ASSERT_EQ(read.terms.size(), 2u);
  EXPECT_EQ(read.terms[0].metric, ConditionTerm::Metric::total);
  EXPECT_EQ(read.terms[0].name, "f(int)");
  EXPECT_EQ(read.terms[0].op, ConditionTerm::Op::more_or_equal);
  EXPECT_EQ(read.terms[0].limit_kind, ConditionTerm::Limit::change);
  EXPECT_DOUBLE_EQ(read.terms[0].limit, -0.05);
  EXPECT_TRUE(read.terms[0].surely);
  EXPECT_EQ(read.terms[1].which, ConditionTerm::Which::expression);
  EXPECT_EQ(read.terms[1].limit_kind, ConditionTerm::Limit::ratio);
}

class ConditionCheck : public testing::Test {
 protected:
  ConditionCheck() {
    a_ = run_of({{"main", {100'000'000}},
                 {"draw", {40'000'000, 20'000'000}},
                 {"tiny", {1000}},
                 {"old", {1'000'000}}});
    b_ = run_of({{"main", {100'000'000}},
                 {"draw", {50'000'000, 16'000'000}},
                 {"tiny", {5000}},
                 {"young", {1'000'000}}});
  }
  // "name name" of all that failed, "!name" of what is missing.
  std::string check(const std::string& text, std::size_t runs = 1) {
    const ComparedSides sides = sides_of(std::vector(runs, a_), std::vector(runs, b_));
    const Comparison comparison = *compare_sides(sides, {});
    const Condition condition = *parse_condition(text);
    const Result<ConditionOutcome> found = check_conditions(sides, comparison, {&condition, 1});
    if (!found) return "error";
    std::string out;
    for (const FailedCondition& failed : found->failed) {
      out += (out.empty() ? "" : " ") + (failed.name.empty() ? std::string("part") : failed.name);
    }
    for (const std::string& name : found->missing) out += "!" + name;
    return out;
  }
  std::shared_ptr<const MeasuredRun> a_, b_;
};

TEST_F(ConditionCheck, ChangesDifferencesValuesAndRatios) {
  EXPECT_EQ(check("total(draw)>+9%"), "draw");
  EXPECT_EQ(check("total(draw)>=+10%"), "draw");
  EXPECT_EQ(check("total(draw)>+10%"), "");
  EXPECT_EQ(check("total(draw)>+5ms"), "draw");
  EXPECT_EQ(check("total(draw)>+7ms"), "");
  EXPECT_EQ(check("total(draw)>60ms"), "draw");
  EXPECT_EQ(check("total(draw)>x1.09"), "draw");
  EXPECT_EQ(check("total(draw)<x1.09"), "");
  EXPECT_EQ(check("max(draw)>45ms"), "draw");
  EXPECT_EQ(check("median(draw)<-10%"), "draw");
  EXPECT_EQ(check("count(draw)>1"), "draw");
  EXPECT_EQ(check("count(draw)>=+1"), "");
}

TEST_F(ConditionCheck, TheWholePart) {
  EXPECT_EQ(check("self>+3%"), "part");
  EXPECT_EQ(check("self>+6004000"), "");
  EXPECT_EQ(check("self>=+6004000"), "part");
  EXPECT_EQ(check("total>+3%"), "part");
  EXPECT_EQ(check("count>+0"), "");
}

TEST_F(ConditionCheck, AnyName) {
  EXPECT_EQ(check("self(*)>+5%"), "draw young");
  EXPECT_EQ(check("self(*)>+5% and count(*)>=+0%"), "") << "fewer calls than the minimum";
  EXPECT_EQ(check("self(/^d/)>+5%"), "draw");
  EXPECT_EQ(check("self(/tiny/)>+5%"), "") << "below the minimum";
  EXPECT_EQ(check("self(tiny)>+5%"), "tiny") << "by its own name it is meant";
  EXPECT_EQ(check("self(*)>+5% and self>+1%"), "draw young");
  EXPECT_EQ(check("self(*)>+5% and self>+90%"), "");
}

TEST_F(ConditionCheck, NewAndGone) {
  EXPECT_EQ(check("new"), "young");
  EXPECT_EQ(check("new(/^y/)"), "young");
  EXPECT_EQ(check("new(/^z/)"), "");
  EXPECT_EQ(check("gone(*)"), "old");
  EXPECT_EQ(check("gone(main)"), "");
  EXPECT_EQ(check("total(young)>+5%"), "young");
  EXPECT_EQ(check("total(old)<-99%"), "old");
}

TEST_F(ConditionCheck, NamesThatAreNowhere) {
  EXPECT_EQ(check("self(drwa)>+5%"), "!drwa");
  EXPECT_EQ(check("new(drwa)"), "!drwa");
  EXPECT_EQ(check("self(*)>+5% and self(drwa)>+5%"), "!drwa");
}

TEST_F(ConditionCheck, SurelyNeedsThreeRuns) {
  EXPECT_EQ(check("self(draw)>+5% surely"), "error");
  EXPECT_EQ(check("self(draw)>+5% surely", 3), "draw");
  EXPECT_EQ(check("self(draw)>+11% surely", 3), "");
  EXPECT_EQ(check("self(young)>+5% surely", 3), "") << "there is no interval";
}

TEST_F(ConditionCheck, SurelyGoesByTheNearerEnd) {
  std::vector<std::shared_ptr<const MeasuredRun>> a, b;
  for (const std::int64_t off : {-200'000, 0, 200'000}) {
    a.push_back(run_of({{"f", {10'000'000 + off}}}));
    b.push_back(run_of({{"f", {11'000'000 + off}}}));
  }
  const ComparedSides sides = sides_of(a, b);
  const Comparison comparison = *compare_sides(sides, {});
  const ComparedRow& row = row_named(sides, comparison, "f");
  EXPECT_GT(*row.low, 0.04);
  EXPECT_LT(*row.low, 0.08);
  for (const auto& [text, fails] : {std::pair{"self(f)>+9%", true},
                                    {"self(f)>+9% surely", false},
                                    {"self(f)>+4% surely", true},
                                    {"self(f)>+400000 surely", true},
                                    {"self(f)>+900000 surely", false},
                                    {"self(f)>x1.04 surely", true},
                                    {"self(f)>10400000 surely", true},
                                    {"self(f)<+20% surely", true},
                                    {"self(f)<+12% surely", false}}) {
    const Condition condition = *parse_condition(text);
    EXPECT_EQ(check_conditions(sides, comparison, {&condition, 1})->failed.size(), fails ? 1u : 0u)
        << text;
  }
}

}  // namespace
}  // namespace cinderscope
