#include "app/cli/process_owners.h"

#include <gtest/gtest.h>

#include <ranges>

namespace cinderscope {
namespace {

TEST(ProcessOwnersTest, AreThoseWithATrackOfAnyKind) {
  std::vector<Track> tracks(3);
  tracks[0].process = tracks[1].process = ProcessId{2};
  tracks[2].process = ProcessId{0};
  EXPECT_EQ(processes_with_tracks(tracks, 4), (std::vector<bool>{true, false, true, false}));
}

TEST(ProcessOwnersTest, EachTrackIsLookedAtOnceHoweverManyProcessesThereAre) {
  constexpr std::uint32_t kCount = 5000;
  std::vector<Track> tracks(kCount);
  for (std::uint32_t i = 0; i < kCount; ++i) tracks[i].process = ProcessId{i};
  std::size_t looks = 0;
  const auto counted = tracks | std::views::transform([&](const Track& track) -> const Track& {
                         ++looks;
                         return track;
                       });
  const std::vector<bool> found = processes_with_tracks(counted, kCount);
  EXPECT_EQ(found, std::vector<bool>(kCount, true));
  EXPECT_EQ(looks, kCount);
}

}  // namespace
}  // namespace cinderscope
