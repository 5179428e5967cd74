#include "app/cli/process_owners.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace cinderscope {
namespace {

// Tracks that count how often one of them is looked at.
struct CountedTracks {
  struct Iterator {
    const Track* track;
    std::size_t* looks;
    const Track& operator*() const {
      ++*looks;
      return *track;
    }
    Iterator& operator++() {
      ++track;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return track != other.track; }
  };
  Iterator begin() const { return {tracks.data(), &looks}; }
  Iterator end() const { return {tracks.data() + tracks.size(), &looks}; }
  const std::vector<Track>& tracks;
  std::size_t& looks;
};

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
  const std::vector<bool> found = processes_with_tracks(CountedTracks{tracks, looks}, kCount);
  EXPECT_EQ(found, std::vector<bool>(kCount, true));
  EXPECT_EQ(looks, kCount);
}

}  // namespace
}  // namespace cinderscope
