#include "ingest/model/scope.h"

#include <gtest/gtest.h>

namespace cinderscope {
namespace {

TEST(ScopeTest, NoTracksAreAllTracks) {
  EXPECT_TRUE(Scope{}.has_track(TrackId{7}));
  const Scope two{.tracks = {TrackId{3}, TrackId{7}}};
  EXPECT_TRUE(two.has_track(TrackId{7}));
  EXPECT_FALSE(two.has_track(TrackId{5}));
  EXPECT_EQ(two.only_track(), kNoTrack);
  EXPECT_EQ(Scope::of_track(TrackId{3}).only_track(), TrackId{3});
  EXPECT_EQ(Scope::of_track(kNoTrack), Scope{});
}

TEST(ScopeTest, HasOneTextForm) {
  const std::pair<Scope, std::string> forms[] = {
      {{}, "trace"},
      {{1500, 2500}, "range 1500..2500"},
      {{INT64_MIN, -7}, "range ..-7"},
      {{3, INT64_MAX, {TrackId{0}, TrackId{12}}}, "range 3.. threads 0 12"},
  };
  for (const auto& [scope, text] : forms) {
    EXPECT_EQ(scope_text(scope), text);
    const Result<Scope> read = parse_scope(text);
    ASSERT_TRUE(read) << text;
    EXPECT_EQ(*read, scope) << text;
  }
  EXPECT_EQ(scope_text({.slices = SlicesOf::both, .set = "connected"}), "both set connected");
}

TEST(ScopeTest, TracksAreInOrderAndOnceHoweverTheyAreGiven) {
  const Result<Scope> read = parse_scope("threads 12 3 12 calls");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->tracks, (std::vector{TrackId{3}, TrackId{12}}));
}

TEST(ScopeTest, RefusesWhatIsNoScope) {
  for (const char* text : {"rangy", "range", "range 5", "range 9..3", "range 1..2x", "threads",
                           "threads x", "threads -1", "set"}) {
    EXPECT_FALSE(parse_scope(text)) << text;
  }
}

TEST(ScopeTest, RefusesWhatIsNotMeasuredYet) {
  EXPECT_TRUE(parse_scope("samples"));
  EXPECT_EQ(parse_scope("set other").error().text, "There is no set of slices \"other\".");
  EXPECT_EQ(parse_scope("set connected")->set, kConnectedSet);
}

}  // namespace
}  // namespace cinderscope
