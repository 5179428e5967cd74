// What --tidy merges and drops.
#include <gtest/gtest.h>

#include "tests/support/lincheck_files.h"
#include "tests/support/lincheck_script.h"

namespace cinderscope {
namespace {

std::string tree(LincheckScript script, bool tidy, std::uint64_t depth = 0) {
  return tree_of(Input::from_memory("t", script.finish()),
                 {.depth = depth, .verbose = true, .tidy = tidy});
}

TEST(LincheckTidyTest, MergesACallWithDefaultsWithWhatItCalls) {
  LincheckScript s;
  s.call(s.method("app.A", "run"));
  s.call(s.method("app.A", "f$default"), s.location("A.kt", 10));
  s.call(s.method("app.A", "f"), s.location("A.kt", 20));
  s.write_variable(s.variable("x"), s.location("A.kt", 21));
  s.end_call();
  s.end_call();
  s.end_call();
  EXPECT_EQ(tree(s, false),
            "# Thread 1\nA.run() at :0\n  f$default() at A.kt:10\n    f() at A.kt:20\n"
            "      x = 7 at A.kt:21\n");
  EXPECT_EQ(tree(s, true), "# Thread 1\nA.run() at :0\n  f() at A.kt:10\n    x = 7 at A.kt:21\n");
  EXPECT_EQ(tree(s, true, 2),
            "# Thread 1\nA.run() at :0\n  f() at A.kt:10\n    ... <unloaded child>\n");
}

TEST(LincheckTidyTest, MergesSeveralStepsOfAccess) {
  LincheckScript s;
  s.call(s.method("app.B", "run"));
  s.call(s.method("app.A", "access$f$default"), s.location("B.kt", 1));
  s.call(s.method("app.A", "f$default"), s.location("A.kt", 2));
  s.call(s.method("app.A", "f"), s.location("A.kt", 3));
  for (int i = 0; i < 4; ++i) s.end_call();
  EXPECT_EQ(tree(s, true), "# Thread 1\nB.run() at :0\n  A.f() at B.kt:1\n");
}

TEST(LincheckTidyTest, KeepsAPairThatDoesMoreThanCall) {
  LincheckScript s;
  s.call(s.method("app.A", "f$default"));
  s.write_variable(s.variable("x"));
  s.call(s.method("app.A", "f"));
  s.end_call();
  s.end_call();
  s.call(s.method("app.A", "g$default"));
  s.call(s.method("app.A", "h"));
  s.end_call();
  s.end_call();
  EXPECT_EQ(tree(s, true), tree(s, false));
}

TEST(LincheckTidyTest, ShowsTheFieldInPlaceOfKotlinsGettersAndSetters) {
  LincheckScript s;
  const std::int32_t count = s.field("app.A", "count"), open = s.field("app.A", "isOpen");
  s.call(s.method("app.B", "run"));
  s.call(s.method("app.A", "getCount"), s.location("B.kt", 1, s.path_of_variable("a")));
  s.read_field(count, s.location("A.kt", 9, s.path_of_variable("this")));
  s.end_call();
  s.call(s.method("app.A", "setCount"), s.location("B.kt", 2));
  s.write_field(count, s.location("A.kt", 9));
  s.end_call();
  s.call(s.method("app.A", "isOpen"), s.location("B.kt", 3));
  s.read_field(open, s.location("A.kt", 9));
  s.end_call();
  s.call(s.method("app.A", "setOpen"), s.location("B.kt", 4));
  s.write_field(open, s.location("A.kt", 9));
  s.end_call();
  s.call(s.method("app.A", "access$getCount$p"), s.location("B.kt", 5));
  s.read_field(count);
  s.end_call();
  s.end_call();
  EXPECT_EQ(tree(s, true),
            "# Thread 1\nB.run() at :0\n  a.count \u279c 7 at B.kt:1\n  A.count = 7 at B.kt:2\n"
            "  A.isOpen \u279c 7 at B.kt:3\n  A.isOpen = 7 at B.kt:4\n"
            "  A.count \u279c 7 at B.kt:5\n");
}

TEST(LincheckTidyTest, KeepsGettersOfJavaAndOfOtherFields) {
  LincheckScript s;
  const std::int32_t count = s.field("app.A", "count");
  s.call(s.method("app.A", "getCount"));
  s.read_field(count, s.location("A.java", 9));
  s.end_call();
  s.call(s.method("app.A", "getSize"));
  s.read_field(count, s.location("A.kt", 9));
  s.end_call();
  s.call(s.method("app.A", "getCount"));
  s.write_field(count, s.location("A.kt", 9));
  s.end_call();
  s.call(s.method("app.A", "gettysburg"));
  s.read_field(s.field("app.A", "tysburg"), s.location("A.kt", 9));
  s.end_call();
  EXPECT_EQ(tree(s, true), tree(s, false));
}

TEST(LincheckTidyTest, DropsTheEmptyLastIterationAndLoopsWithoutAny) {
  LincheckScript s;
  const std::int32_t x = s.variable("x");
  s.call(s.method("app.A", "run"));
  s.loop();
  for (int i = 0; i < 3; ++i) {
    s.iteration(i);
    if (i == 1) s.write_variable(x);  // only the last one is dropped
    s.end_iteration();
  }
  s.end_loop(3);
  s.loop();
  s.iteration(0);
  s.end_iteration();
  s.end_loop(1);
  s.loop();
  s.end_loop(0);
  s.end_call();
  EXPECT_EQ(tree(s, true),
            "# Thread 1\nA.run() at :0\n  loop(2 iterations) at :0\n    <iteration 1> at :0\n"
            "    <iteration 2> at :0\n      x = 7 at :0\n");
}

TEST(LincheckTidyTest, DropsWhatCoverageToolsPutIn) {
  LincheckScript s;
  s.call(s.method("app.A", "run"));
  s.call(s.method("app.A", "$jacocoInit"));
  s.read_field(s.field("app.A", "$jacocoData"));
  s.end_call();
  s.read_field(s.field("app.A", "__$hits$__"));
  s.write_variable(s.variable("__$localHits$__"));
  s.write_variable(s.variable("x"));
  s.end_call();
  EXPECT_EQ(tree(s, true), "# Thread 1\nA.run() at :0\n  x = 7 at :0\n");
}

TEST(LincheckTidyTest, KeepsWhatNeverEnded) {
  LincheckScript s;
  s.call(s.method("app.A", "f$default"));
  s.call(s.method("app.A", "f"));
  s.loop();
  s.iteration(0);
  EXPECT_EQ(tree(s, true), tree(s, false));
}

TEST(LincheckTidyTest, ChangesNothingWhereThereIsNothingToTidy) {
  const auto of = [](const TreeRequest& request) {
    return tree_of(
        Input::from_memory("t", read_file(lincheck_case("recorded_stream", "input.trace"))),
        request);
  };
  const std::string text = of({.tidy = true});
  // The recorded program's loops end with a look at their condition.
  EXPECT_NE(text.find("    loop(3 iterations)\n"), std::string::npos);
  EXPECT_EQ(text.find("loop(4 iterations)"), std::string::npos);
}

}  // namespace
}  // namespace cinderscope
