#include "ingest/build/profile/frame_paths.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

namespace cinderscope {
namespace {

// "frame x samples;" of a call.
std::string uses_of(const FrameUses& uses, std::uint32_t call) {
  std::string out;
  for (const FrameUse& use : uses.of(call)) out += fmt::format("{}x{};", use.frame, use.samples);
  return out;
}

TEST(FramePathsTest, CountsTheSamplesOfEachFrameOfACall) {
  CallNodes calls;
  FramePaths paths(calls);
  // Frames 10 and 11 are places in function 1; 20, 21 in function 2.
  const std::uint32_t a = paths.path(kNoCall, 10, 1), b = paths.path(kNoCall, 11, 1);
  const std::uint32_t in_a = paths.path(a, 20, 2), in_b = paths.path(b, 20, 2);
  const std::uint32_t other = paths.path(b, 21, 2);
  paths.count_sample(in_a);
  paths.count_sample(in_a);
  paths.count_sample(in_b);
  paths.count_sample(other);
  paths.count_sample(b);
  paths.count_sample(kNoCall);
  EXPECT_EQ(paths.call(a), paths.call(b));
  EXPECT_EQ(paths.call(in_a), paths.call(other));
  EXPECT_EQ(paths.call(kNoCall), kNoCall);
  EXPECT_EQ(calls.size(), 2u);
  const std::uint32_t outer = paths.call(a), inner = paths.call(in_a);
  const FrameUses uses = paths.take_uses();
  EXPECT_EQ(uses.calls(), 2u);
  EXPECT_EQ(uses_of(uses, outer), "10x2;11x3;");
  EXPECT_EQ(uses_of(uses, inner), "20x3;21x1;");
}

}  // namespace
}  // namespace cinderscope
