#include "formats/qubership/text/method_word.h"

#include <gtest/gtest.h>

namespace cinderscope::qubership {
namespace {

TEST(MethodWordTest, TakesAWordApart) {
  const MethodWord method =
      method_word("void demo.Main.run(java.lang.String[],int) (Main.java:12) [demo.jar!/BOOT-INF]");
  EXPECT_TRUE(method.is_method);
  EXPECT_EQ(method.return_type, "void");
  EXPECT_EQ(method.qualified, "demo.Main.run");
  EXPECT_EQ(method.arguments, "java.lang.String[],int");
  EXPECT_EQ(method.source, "Main.java:12");
  EXPECT_EQ(method.jar, "demo.jar!/BOOT-INF");
  EXPECT_EQ(short_name(method), "Main.run");
}

TEST(MethodWordTest, LivesWithoutWhatIsOptional) {
  const MethodWord generated = method_word("demo.Row demo.Dao$1.find(int) (<generated>)");
  EXPECT_EQ(generated.source, "<generated>");
  EXPECT_TRUE(generated.jar.empty());
  EXPECT_EQ(short_name(generated), "Dao$1.find");
  const MethodWord plain = method_word("void Tiny.go()");
  EXPECT_TRUE(plain.source.empty());
  EXPECT_EQ(short_name(plain), "Tiny.go");
}

TEST(MethodWordTest, LeavesOtherWordsWhole) {
  for (const char* word : {"web.url", "", "(", "()", "void a.b(", "x)y("}) {
    const MethodWord method = method_word(word);
    EXPECT_FALSE(method.is_method) << word;
    EXPECT_EQ(short_name(method), word);
  }
}

}  // namespace
}  // namespace cinderscope::qubership
