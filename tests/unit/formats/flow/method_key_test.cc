// Keys of methods and how people read them.
#include "formats/flow/method_key.h"

#include <gtest/gtest.h>

namespace cinderscope::flow {
namespace {

TEST(FlowMethodKeyTest, SplitsAtTheLastHashBeforeTheParenthesis) {
  const MethodKey key = method_key("demo.Workers$Box#kind()Ljava/lang/String;");
  EXPECT_EQ(key.class_name, "demo.Workers$Box");
  EXPECT_EQ(key.method, "kind");
  EXPECT_EQ(key.descriptor, "()Ljava/lang/String;");
  EXPECT_EQ(method_key("odd#Name#run(L#;)V").class_name, "odd#Name");
  EXPECT_EQ(method_key("demo.Small#a(I").descriptor, "(I");  // an older layout
  EXPECT_EQ(method_key("nothing").method, "nothing");
  EXPECT_EQ(method_key("").method, "");
}

TEST(FlowMethodKeyTest, LabelsNameTheInnermostClassAndTheMethod) {
  EXPECT_EQ(short_label("demo.Small#main([Ljava/lang/String;)V"), "Small.main");
  EXPECT_EQ(short_label("demo.Workers$Box#kind()Ljava/lang/String;"), "Box.kind");
  EXPECT_EQ(short_label("demo.Workers$1#run()V"), "Workers$1.run");
  EXPECT_EQ(short_label("demo.Workers$Box$2$1#run()V"), "Box$2$1.run");
  EXPECT_EQ(short_label("odd.Ж$名前#größe(I)I"), "名前.größe");
  EXPECT_EQ(short_label("$#$(I)I"), "$.$");
  EXPECT_EQ(short_label("a.B$#c()V"), "B$.c");
  EXPECT_EQ(short_label("no key at all"), "no key at all");
  EXPECT_EQ(short_label("demo.Small#"), "demo.Small#");
}

TEST(FlowMethodKeyTest, PackagesAreWhatComesBeforeTheClass) {
  EXPECT_EQ(package_of("demo.inner.Small$Box"), "demo.inner");
  EXPECT_EQ(package_of("Small"), "");
}

TEST(FlowMethodKeyTest, DescriptorsAreReadAsTypes) {
  EXPECT_EQ(signature_text("(I[Ljava/lang/String;)V"), "(int, String[]) → void");
  EXPECT_EQ(signature_text("()[[J"), "() → long[][]");
  EXPECT_EQ(signature_text("(Ljava/util/Map$Entry;ZBCSDF)LTop;"),
            "(Map.Entry, boolean, byte, char, short, double, float) → Top");
  EXPECT_EQ(signature_text("([Ljava/lang/String;"), "(String[])");  // an older layout
  EXPECT_EQ(signature_text(""), "");
}

TEST(FlowMethodKeyTest, WhatIsNoDescriptorStaysAsItIs) {
  for (const char* text : {"(Q)V", "(Ljava/lang/String)V", "(I)", "(I)VV", "([)V", "(I)[", "I"}) {
    const std::string expected = std::string(text) == "(I)" ? "(int)" : text;
    EXPECT_EQ(signature_text(text), expected);
  }
  const std::string deep = "(" + std::string(100'000, '[') + "I)V";
  EXPECT_EQ(signature_text(deep), deep);
}

}  // namespace
}  // namespace cinderscope::flow
