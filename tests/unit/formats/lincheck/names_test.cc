#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "formats/lincheck/text/java_text.h"
#include "formats/lincheck/text/short_names.h"
#include "formats/lincheck/trace_map.h"

namespace cinderscope::lincheck {
namespace {

std::string number(double value) {
  std::string text;
  append_java_number(text, value);
  return text;
}

TEST(LincheckNamesTest, ClassesLoseTheirPackageAndJoinTheirParts) {
  EXPECT_EQ(short_class("java.lang.String"), "String");
  EXPECT_EQ(short_class("com.acme.App$Inner"), "App.Inner");
  EXPECT_EQ(short_class("ThreadsKt$thread$thread$1"), "ThreadsKt$thread$thread$1");
  EXPECT_EQ(short_class("demo.Demo$$Lambda$14/0x0000"), "Demo$$Lambda");
  EXPECT_EQ(short_class("[Ljava.lang.Object;"), "Object;");
  EXPECT_EQ(short_class("kotlin.jvm.internal.Ref$IntRef"), "IntRef");
  EXPECT_EQ(short_class("$"), "$");
  EXPECT_EQ(short_class(""), "");
}

TEST(LincheckNamesTest, VariablesLoseWhatTheCompilerAdded) {
  EXPECT_EQ(short_variable("$this$map$iv"), "map");
  EXPECT_EQ(short_variable("$this"), "this");
  EXPECT_EQ(short_variable("x$iv"), "x");
  EXPECT_EQ(short_field("$state$volatile$FU"), "state");
}

TEST(LincheckNamesTest, KnowsWhatMeansThis) {
  for (const char* name :
       {"this", "$this", "this$0", "this$12", "this_$iv", "this_$iv$iv", "$this$apply$iv"}) {
    EXPECT_TRUE(is_this_name(name)) << name;
  }
  for (const char* name : {"", "that", "this$", "this$x", "$this$apply"}) {
    EXPECT_FALSE(is_this_name(name)) << name;
  }
}

TEST(LincheckNamesTest, NumbersArePrintedAsJavaDoes) {
  EXPECT_EQ(number(1), "1.0");
  EXPECT_EQ(number(-2.25), "-2.25");
  EXPECT_EQ(number(0.001), "0.001");
  EXPECT_EQ(number(0.00012), "1.2E-4");
  EXPECT_EQ(number(9999999), "9999999.0");
  EXPECT_EQ(number(1e7), "1.0E7");
  EXPECT_EQ(number(123456789.5), "1.234567895E8");
  EXPECT_EQ(number(-0.0), "-0.0");
  EXPECT_EQ(number(std::numeric_limits<double>::infinity()), "Infinity");
  EXPECT_EQ(number(std::nan("")), "NaN");
}

TEST(LincheckNamesTest, TextOfJavaBecomesUtf8) {
  EXPECT_EQ(java_text("a\xc0\x80z"), std::string("a\0z", 3));
  EXPECT_EQ(java_text("\xed\xa0\xbd\xed\xb8\x80"), "\xf0\x9f\x98\x80");  // a pair
  EXPECT_EQ(java_text("\xed\xa0\xbdx"), "\xef\xbf\xbdx");                // half of one
  EXPECT_EQ(java_text("\xed\xb8\x80"), "\xef\xbf\xbd");
  EXPECT_EQ(java_text("\xe4"), "\xef\xbf\xbd");
}

TEST(LincheckEventClockTest, GoesOnWhereTheCounterWraps) {
  EventClock clock;
  EXPECT_EQ(clock.number(5), 5);
  EXPECT_EQ(clock.number(2147483647), 2147483647);
  EXPECT_EQ(clock.number(-2147483647 - 1), 2147483648);
  EXPECT_EQ(clock.number(2147483640), 2147483640);  // another thread is a little behind
  EXPECT_EQ(clock.number(-2147483640), 2147483656);
  EXPECT_EQ(clock.number(-1), 4294967295);
  EXPECT_EQ(clock.number(0), 4294967296);
}

}  // namespace
}  // namespace cinderscope::lincheck
