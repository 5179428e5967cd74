#include "app/session/child_cache.h"

#include <gtest/gtest.h>

#include <span>

#include "ingest/model/slice_nesting.h"
#include "tests/support/synthetic_source.h"

namespace cinderscope {
namespace {

class ChildCacheTest : public testing::Test {
 protected:
  void load(const SyntheticTree& tree) {
    source_ = std::make_unique<SyntheticSource>(tree);
    timeline_ = *read_timeline(*source_, control_);
  }
  bool answer(ChildCache& cache, const std::vector<ChildRequest>& requests) {
    bool all = true;
    for (const ChildRequest& request : requests) {
      auto children = source_->load_children(request.query, *timeline_.strings, control_);
      all = cache.insert(timeline_, request.key, std::move(children)) && all;
    }
    return all;
  }
  bool fetch(ChildCache& cache, const SliceRef& parent) {
    return answer(cache, cache.wanted(timeline_, parent));
  }
  // What a root's block and then one block on each level below it take.
  std::uint64_t bytes_of_chain(std::uint32_t levels) {
    ChildCache measuring(1 << 30);
    SliceRef parent = root(0);
    for (std::uint32_t level = 0; level < levels; ++level) {
      fetch(measuring, parent);
      parent = child(parent, 3 + level);
    }
    timeline_.tracks[0].blocks.resize(1);
    timeline_.tracks[0].row_count = 1;
    return measuring.kept_bytes();
  }
  static SliceRef root(std::uint64_t i) { return {TrackId{0}, BlockId{0}, 0, i}; }
  SliceRef child(const SliceRef& parent, std::uint64_t i) const {
    SliceRef first = first_child_of(timeline_, parent);
    first.slice += i;
    return first;
  }
  // A view of the given roots.
  static TimelineState looking_at(std::int64_t first, std::int64_t last) {
    constexpr std::int64_t kRootNs = 1'000'000'000;
    TimelineState state;
    state.view = showing(first * kRootNs + 1, (last + 1) * kRootNs - 1, 1000);
    return state;
  }

  LoadContext control_;
  std::unique_ptr<SyntheticSource> source_;
  Timeline timeline_;
};

TEST_F(ChildCacheTest, PutsChildrenBelowTheirParent) {
  load({});
  ChildCache cache(1 << 30);
  EXPECT_EQ(timeline_.tracks[0].row_count, 1u);
  ASSERT_TRUE(fetch(cache, root(1)));
  const SliceRef call = child(root(1), 17);
  ASSERT_NE(block_of(timeline_, call), nullptr);
  EXPECT_EQ(slice_at(timeline_, call).begin_ns, 1'017'000'000);
  EXPECT_EQ(depth_of(timeline_, call), 1u);
  EXPECT_EQ(parent_of(timeline_, call), root(1));
  EXPECT_EQ(self_ns(timeline_, root(1)), 0);
  EXPECT_EQ(self_ns(timeline_, root(0)), 1'000'000'000);
  EXPECT_EQ(timeline_.tracks[0].row_count, 2u);
  ASSERT_TRUE(fetch(cache, call));
  const SliceRef inner = child(call, 999);
  EXPECT_EQ(slice_at(timeline_, inner).begin_ns, 1'017'999'000);
  EXPECT_EQ(depth_of(timeline_, inner), 2u);
  EXPECT_EQ(parent_of(timeline_, inner), call);
  EXPECT_EQ(timeline_.tracks[0].row_count, 3u);
  EXPECT_EQ(cache.loaded_count(), 2u);
}

TEST_F(ChildCacheTest, AsksOnceForWhatIsUnderWayOrThere) {
  load({});
  ChildCache cache(1 << 30);
  const auto requests = cache.wanted(timeline_, root(0));
  EXPECT_EQ(requests.size(), 1u);
  EXPECT_TRUE(cache.wanted(timeline_, root(0)).empty());
  ASSERT_TRUE(answer(cache, requests));
  EXPECT_TRUE(cache.wanted(timeline_, root(0)).empty());
}

TEST_F(ChildCacheTest, AsksForManyChildrenInPieces) {
  load({.roots = 1, .children = 40'000, .levels = 1, .root_ns = 400'000'000});
  ChildCache cache(1 << 30);
  const auto requests = cache.wanted(timeline_, root(0));
  ASSERT_EQ(requests.size(), 3u);
  EXPECT_EQ(requests[0].query.count, ChildCache::kPieceChildren);
  EXPECT_EQ(requests[2].query.first, 2 * ChildCache::kPieceChildren);
  EXPECT_EQ(requests[2].query.count, 40'000 - 2 * ChildCache::kPieceChildren);
  ASSERT_TRUE(answer(cache, {requests[2], requests[0]}));  // in any order, one by one
  EXPECT_EQ(cache.loaded_count(), 2u);
  EXPECT_EQ(self_ns(timeline_, root(0)), 163'840'000);
  ASSERT_TRUE(answer(cache, {requests[1]}));
  EXPECT_EQ(self_ns(timeline_, root(0)), 0);
}

TEST_F(ChildCacheTest, TakesAllChildrenWhereTheirCountIsUnknown) {
  load({.levels = 1, .count_known = false});
  ChildCache cache(1 << 30);
  ASSERT_TRUE(fetch(cache, root(2)));
  EXPECT_EQ(slice_at(timeline_, child(root(2), 999)).end_ns(), 3'000'000'000);
  EXPECT_TRUE(cache.wanted(timeline_, root(2)).empty());
}

TEST_F(ChildCacheTest, CountsFirstAndTakesPiecesAsTheSourceCutsThem) {
  load({.roots = 2, .children = 1000, .levels = 1, .piece_children = 300});
  ChildCache cache(1 << 30);
  const auto count = cache.wanted(timeline_, root(1));
  ASSERT_EQ(count.size(), 1u);
  EXPECT_TRUE(count[0].query.only_count);
  EXPECT_TRUE(cache.wanted(timeline_, root(1)).empty());  // it is under way
  ASSERT_TRUE(answer(cache, count));
  EXPECT_EQ(cache.loaded_count(), 0u);
  const auto pieces = cache.wanted(timeline_, root(1));
  ASSERT_EQ(pieces.size(), 4u);
  EXPECT_EQ(pieces[3].query.first, 900u);
  EXPECT_EQ(pieces[3].query.count, 100u);
  ASSERT_TRUE(answer(cache, pieces));
  EXPECT_TRUE(cache.wanted(timeline_, root(1)).empty());
  EXPECT_EQ(self_ns(timeline_, root(1)), 0);
  EXPECT_TRUE(cache.wanted(timeline_, root(0)).at(0).query.only_count);  // that of each call
}

TEST_F(ChildCacheTest, ReadsNothingOfManyPiecesThatWouldBeTooNarrow) {
  load({.roots = 1, .children = 1000, .levels = 1, .piece_children = 10});
  ChildCache cache(1 << 30);
  ASSERT_TRUE(fetch(cache, root(0)));
  const TimeRange all{INT64_MIN, INT64_MAX};
  EXPECT_TRUE(cache.wanted(timeline_, root(0), all, 11'000'000).empty());  // a piece lasts 10 ms
  EXPECT_EQ(cache.wanted(timeline_, root(0), all, 9'000'000).size(), ChildCache::kMostUnderWay);
}

TEST_F(ChildCacheTest, ReadsTheOnlyPieceHoweverNarrow) {
  load({.roots = 1, .children = 10, .levels = 1, .piece_children = 10});
  ChildCache cache(1 << 30);
  ASSERT_TRUE(fetch(cache, root(0)));
  EXPECT_EQ(cache.wanted(timeline_, root(0), {INT64_MIN, INT64_MAX}, 1e18).size(), 1u);
}

TEST_F(ChildCacheTest, AsksForNothingWhereNothingWasDeferred) {
  load({.levels = 0});
  ChildCache cache(1 << 30);
  EXPECT_TRUE(cache.wanted(timeline_, root(0)).empty());
  for (const SliceRef& stale :
       {SliceRef{}, SliceRef{TrackId{9}, BlockId{0}, 0, 0}, SliceRef{TrackId{0}, BlockId{7}, 0, 0},
        SliceRef{TrackId{0}, BlockId{0}, 3, 0}, SliceRef{TrackId{0}, BlockId{0}, 0, 99}}) {
    EXPECT_TRUE(cache.wanted(timeline_, stale).empty());
    EXPECT_TRUE(cache.wanted_block(stale).empty());
  }
}

TEST_F(ChildCacheTest, EvictsWhatWasOutOfSightForLongestAndTakesItBackInItsPlace) {
  load({});
  ChildCache cache(1);  // whatever is out of sight goes
  cache.touch_visible(looking_at(0, 0));
  ASSERT_TRUE(fetch(cache, root(0)));
  const SliceRef remembered = child(root(0), 5);
  const Slice before = slice_at(timeline_, remembered);
  cache.touch_visible(looking_at(2, 2));
  ASSERT_TRUE(fetch(cache, root(2)));
  EXPECT_EQ(block_of(timeline_, remembered), nullptr);
  EXPECT_EQ(slice_at(timeline_, remembered).duration_ns, 0);
  EXPECT_FALSE(parent_of(timeline_, remembered));
  EXPECT_EQ(cache.loaded_count(), 1u);
  cache.touch_visible(looking_at(0, 0));
  ASSERT_TRUE(answer(cache, cache.wanted_block(remembered)));
  ASSERT_NE(block_of(timeline_, remembered), nullptr);
  EXPECT_EQ(slice_at(timeline_, remembered).begin_ns, before.begin_ns);
  EXPECT_EQ(slice_at(timeline_, remembered).name, before.name);
  EXPECT_EQ(timeline_.tracks[0].blocks.size(), 3u);
}

TEST_F(ChildCacheTest, NeverEvictsABlockBeforeThoseThatHangOnIt) {
  load({.roots = 3, .children = 100, .levels = 3});
  ChildCache cache(bytes_of_chain(3));
  cache.touch_visible(looking_at(0, 0));
  ASSERT_TRUE(fetch(cache, root(0)));
  const SliceRef outer = child(root(0), 3);
  ASSERT_TRUE(fetch(cache, outer));
  const SliceRef middle = child(outer, 4);
  ASSERT_TRUE(fetch(cache, middle));
  const SliceRef inner = child(middle, 5);
  EXPECT_EQ(cache.loaded_count(), 3u);
  EXPECT_EQ(timeline_.tracks[0].row_count, 4u);
  cache.touch_visible(looking_at(2, 2));
  SliceRef elsewhere = root(2);
  for (const std::uint32_t blocks_left : {2u, 1u, 0u}) {
    ASSERT_TRUE(fetch(cache, elsewhere));
    elsewhere = child(elsewhere, 1);
    EXPECT_EQ(block_of(timeline_, inner), nullptr);
    if (block_of(timeline_, middle) != nullptr) {
      EXPECT_NE(block_of(timeline_, outer), nullptr);
    }
    if (blocks_left == 0) {
      EXPECT_EQ(block_of(timeline_, outer), nullptr);
    }
  }
}

TEST_F(ChildCacheTest, AsksForTheWholeChainAboveAReferenceOutermostFirst) {
  load({.roots = 3, .children = 100, .levels = 3});
  ChildCache cache(bytes_of_chain(2));
  cache.touch_visible(looking_at(0, 0));
  ASSERT_TRUE(fetch(cache, root(0)));
  ASSERT_TRUE(fetch(cache, child(root(0), 3)));
  const SliceRef remembered = child(child(root(0), 3), 4);
  cache.touch_visible(looking_at(2, 2));
  ASSERT_TRUE(fetch(cache, root(2)));
  ASSERT_TRUE(fetch(cache, child(root(2), 3)));
  ASSERT_EQ(cache.loaded_count(), 2u);
  cache.touch_visible(looking_at(0, 0));
  // A view that still draws the evicted call asks for its children: its own block comes first.
  const auto requests = cache.wanted(timeline_, remembered);
  ASSERT_EQ(requests.size(), 2u);
  EXPECT_LT(requests[0].query.source_key, requests[1].query.source_key);
  EXPECT_TRUE(cache.wanted_block(remembered).empty());
  ASSERT_TRUE(answer(cache, requests));
  EXPECT_EQ(slice_at(timeline_, remembered).begin_ns, 30'400'000);
  EXPECT_EQ(parent_of(timeline_, parent_of(timeline_, remembered)), root(0));
}

TEST_F(ChildCacheTest, AsksForNoMoreWhileWhatIsOnScreenFillsTheBudget) {
  load({});
  ChildCache cache(1);
  cache.touch_visible(looking_at(0, 2));
  ASSERT_TRUE(fetch(cache, root(0)));
  EXPECT_TRUE(cache.full());
  cache.touch_visible(looking_at(0, 2));  // the next frame shows the same
  EXPECT_TRUE(cache.full());
  EXPECT_TRUE(cache.wanted(timeline_, root(1)).empty());
  EXPECT_EQ(cache.loaded_count(), 1u);  // and what is on screen stays
  cache.touch_visible(looking_at(2, 2));
  EXPECT_FALSE(cache.full());
  ASSERT_TRUE(fetch(cache, root(2)));
  EXPECT_EQ(cache.loaded_count(), 1u);
}

TEST_F(ChildCacheTest, CountsHiddenAndCollapsedTracksAsOutOfSight) {
  load({});
  for (const bool hide : {true, false}) {
    ChildCache cache(1);
    for (auto& block : std::span(timeline_.tracks[0].blocks).subspan(1)) block = nullptr;
    TimelineState state = looking_at(0, 2);
    cache.touch_visible(state);
    ASSERT_TRUE(fetch(cache, root(0)));
    (hide ? state.hidden_tracks : state.collapsed_tracks).insert(0);
    cache.touch_visible(state);
    cache.evict(timeline_);
    EXPECT_EQ(cache.loaded_count(), 0u);
  }
}

TEST_F(ChildCacheTest, KeepsTheBlockOfTheSelectionThatIsOutOfSight) {
  load({});
  ChildCache cache(bytes_of_chain(2));
  cache.touch_visible(looking_at(0, 0));
  ASSERT_TRUE(fetch(cache, root(0)));
  ASSERT_TRUE(fetch(cache, child(root(0), 3)));
  TimelineState state = looking_at(2, 2);
  state.selected = child(child(root(0), 3), 4);
  cache.touch_visible(state);
  ASSERT_TRUE(fetch(cache, root(2)));
  EXPECT_NE(block_of(timeline_, state.selected), nullptr);
  EXPECT_NE(block_of(timeline_, parent_of(timeline_, state.selected)), nullptr);
}

TEST_F(ChildCacheTest, AsksOnlyForWhatLiesInTheRangeAndFindsItWhereverItIs) {
  constexpr std::uint64_t kPieces = 50, kChildren = kPieces * ChildCache::kPieceChildren;
  constexpr std::int64_t kChildNs = 100;
  load({.roots = 1,
        .children = kChildren,
        .levels = 1,
        .root_ns = static_cast<std::int64_t>(kChildren) * kChildNs});
  ChildCache cache(1 << 30);
  for (const std::int64_t child : {0L, 700'000L, 300'001L, 819'199L}) {
    const TimeRange range{child * kChildNs + 1, child * kChildNs + 2};
    std::size_t asked = 0;
    for (auto requests = cache.wanted(timeline_, root(0), range); !requests.empty();
         requests = cache.wanted(timeline_, root(0), range)) {
      asked += requests.size();
      EXPECT_TRUE(cache.wanted(timeline_, root(0), range).empty());  // it is under way
      ASSERT_TRUE(answer(cache, requests));
    }
    EXPECT_LE(asked, 3u) << child;
    bool there = false;
    for (const auto& block : timeline_.tracks[0].blocks) {
      if (!block || block == timeline_.tracks[0].blocks[0]) continue;
      const SliceRow& row = block->rows[0];
      const std::uint64_t at = row.last_begun(range.begin_ns);
      there = there || (at < row.count() && row.end_ns(at) > range.begin_ns);
    }
    EXPECT_TRUE(there) << child;
  }
  EXPECT_LT(cache.loaded_count(), 13u);
}

TEST_F(ChildCacheTest, AsksForFewPiecesAtATime) {
  constexpr std::uint64_t kPieces = 20, kChildren = kPieces * ChildCache::kPieceChildren;
  load({.roots = 1,
        .children = kChildren,
        .levels = 1,
        .root_ns = static_cast<std::int64_t>(kChildren) * 100});
  ChildCache cache(1 << 30);
  std::size_t asked = 0;
  for (auto requests = cache.wanted(timeline_, root(0)); !requests.empty();
       requests = cache.wanted(timeline_, root(0))) {
    EXPECT_LE(requests.size(), ChildCache::kMostUnderWay);
    asked += requests.size();
    ASSERT_TRUE(answer(cache, requests));
  }
  EXPECT_EQ(asked, kPieces);
  EXPECT_EQ(cache.loaded_count(), kPieces);
}

TEST_F(ChildCacheTest, AsksNotAgainForWhatCouldNotBeRead) {
  load({});
  ChildCache cache(1 << 30);
  const auto requests = cache.wanted(timeline_, root(0));
  ASSERT_EQ(requests.size(), 1u);
  EXPECT_FALSE(cache.insert(timeline_, requests[0].key, Error{ErrorCode::damaged, "Torn.", {}}));
  EXPECT_TRUE(cache.wanted(timeline_, root(0)).empty());
  EXPECT_FALSE(first_child_of(timeline_, root(0)));
  EXPECT_TRUE(fetch(cache, root(1)));
}

TEST_F(ChildCacheTest, IgnoresAnswersThatNobodyWaitsFor) {
  load({});
  ChildCache cache(1 << 30);
  const auto requests = cache.wanted(timeline_, root(0));
  cache.forget_requests();
  ASSERT_TRUE(answer(cache, requests));
  EXPECT_TRUE(cache.insert(timeline_, 1234, LoadedChildren{}));
  EXPECT_EQ(cache.loaded_count(), 0u);
  EXPECT_TRUE(fetch(cache, root(0)));  // asks anew
  EXPECT_EQ(cache.loaded_count(), 1u);
  EXPECT_EQ(timeline_.tracks[0].blocks.size(), 2u);
}

TEST_F(ChildCacheTest, TakesAnEmptyAnswer) {
  load({});
  ChildCache cache(1 << 30);
  const auto requests = cache.wanted(timeline_, root(0));
  EXPECT_TRUE(cache.insert(timeline_, requests.at(0).key, LoadedChildren{}));
  EXPECT_FALSE(first_child_of(timeline_, root(0)));
  EXPECT_TRUE(cache.wanted(timeline_, root(0)).empty());
}

}  // namespace
}  // namespace cinderscope
