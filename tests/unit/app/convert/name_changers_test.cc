#include "app/convert/name_changers.h"

#include <gtest/gtest.h>

#include "ingest/build/timeline_builder.h"

namespace cinderscope {
namespace {

TEST(NameChangersTest, AnonymousWordsGoByFallingCountAndKeepTheParts) {
  TimelineBuilder out;
  TrackWriter& slices = out.slices(out.thread(out.process("1"), "2"));
  for (int i = 0; i < 3; ++i) slices.complete(i * 10, 5, out.intern("app::draw.cpp"), 0);
  slices.complete(40, 5, out.intern("app::load"), 0);
  slices.complete(50, 5, out.intern("main"), 0);
  AnonymousWords words(out.finish(), *TextMatch::matching("^main$", false));
  EXPECT_EQ(words.changed("app::draw.cpp"), "n1::n2.n3");
  EXPECT_EQ(words.changed("app::load"), "n1::n4");
  EXPECT_EQ(words.changed("main"), "main");
  EXPECT_EQ(words.changed("later"), "n5");
  EXPECT_EQ(words.list(), "n1\tapp\nn2\tdraw\nn3\tcpp\nn4\tload\nn5\tlater\n");
}

TEST(NameChangersTest, RenamesAndLeavesOut) {
  NameChanges changes{.only = *TextMatch::matching("draw", false)};
  ASSERT_TRUE(changes.rename.add(R"(^(\w+)::=)"));
  ASSERT_TRUE(changes.rename.add("a=b"));
  const auto changer = name_changer(changes, true);
  EXPECT_TRUE(changer->keeps("app::draw"));
  EXPECT_FALSE(changer->keeps("app::load"));
  EXPECT_EQ(changer->changed("app::draw"), "drbw");
  EXPECT_EQ(name_changer({}, true), nullptr);
  EXPECT_FALSE(changes.rename.add("no parting"));
  EXPECT_FALSE(changes.rename.add("(=x"));
}

}  // namespace
}  // namespace cinderscope
