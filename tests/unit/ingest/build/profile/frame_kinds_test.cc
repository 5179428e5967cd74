#include "ingest/build/profile/frame_kinds.h"

#include <gtest/gtest.h>

namespace cinderscope {
namespace {

TEST(FrameKindsTest, ColouredNamesOfSymbolsAreReadable) {
  StringPool pool;
  FrameNames names(pool);
  const StringId kernel = names.intern("_ZN2ns3runEv", FrameKind::kernel);
  EXPECT_EQ(pool.text(kernel), "_ZN2ns3runEv");
  EXPECT_EQ(pool.label(kernel), "ns::run");
  const StringId shortened = names.intern("_ZN2ns4stopEv_[i]", "_ZN2ns4stopEv", FrameKind::inlined);
  EXPECT_EQ(pool.label(shortened), "ns::stop");
  const StringId plain = names.intern("do_idle_[k]", "do_idle", FrameKind::kernel);
  EXPECT_EQ(pool.label(plain), "do_idle");
}

TEST(FrameKindsTest, TheLegendHasTheKindsThatWereMet) {
  StringPool pool;
  FrameNames names(pool);
  names.intern("main", FrameKind::usual);
  names.intern("do_idle", FrameKind::kernel);
  const auto legend =
      names.legend([](FrameKind kind) { return "is " + std::string(word_of(kind)); });
  ASSERT_EQ(legend.size(), 1u);
  EXPECT_EQ(legend[0].text, "kernel");
  EXPECT_EQ(legend[0].search, "is kernel");
  EXPECT_EQ(colour_from_hash(legend[0].colour), pool.colour(*pool.find("do_idle")));
}

}  // namespace
}  // namespace cinderscope
