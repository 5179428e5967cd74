#include "app/questions/trace_search.h"

#include <gtest/gtest.h>

#include <memory>

#include "app/questions/match_text.h"
#include "tests/support/synthetic_source.h"

namespace cinderscope {
namespace {

// Three calls "call 0.0" to "call 0.2" of a second each.
class SliceFinderTest : public testing::Test {
 protected:
  SliceFinderTest() {
    session_ = std::make_unique<Session>(
        "trace",
        [](LoadContext&) -> Result<OpenedSource> {
          return OpenedSource{std::make_shared<SyntheticSource>(SyntheticTree{.levels = 1}),
                              nullptr};
        },
        SessionOptions{});
    session_->set_width(1000);
    settle();
  }
  // Until the trace is there and everything was searched and sorted.
  void settle() {
    EXPECT_TRUE(wait_until([this] {
      session_->poll();
      finder_.poll(*session_);
      const bool sorted = !finder_.active() || (finder_.lines() != nullptr &&
                                                finder_.lines()->matches == finder_.matches());
      return !session_->loading() && !finder_.searching() && sorted;
    }));
  }
  void search(const std::string& text) {
    finder_.set_text(text);
    settle();
  }
  // Steps and selects, as the window does.
  FoundMatch step(int direction) {
    finder_.step(direction);
    std::optional<FoundMatch> found;
    EXPECT_TRUE(wait_until([&] {
      finder_.poll(*session_);
      return (found = finder_.take_step(session_->state())).has_value();
    }));
    const MatchRef match = found ? found->match : MatchRef{};
    session_->state().selected = {match.track, match.block, match.row, match.slice};
    return found.value_or(FoundMatch{});
  }
  std::uint64_t count() const { return finder_.matches() ? finder_.matches()->count() : 0; }

  std::unique_ptr<Session> session_;
  TraceSearch finder_{1, nullptr};
};

TEST_F(SliceFinderTest, FindsAndForgets) {
  search("CALL");
  EXPECT_EQ(count(), 3u);
  EXPECT_TRUE(finder_.complete());
  EXPECT_FALSE(finder_.stale());
  finder_.set_text("");
  EXPECT_FALSE(finder_.active());
  EXPECT_EQ(finder_.matches(), nullptr);
}

TEST_F(SliceFinderTest, KeepsTheLastAnswerInSightUntilTheNextOneIsThere) {
  search("call");
  finder_.set_text("0.1");
  EXPECT_EQ(count(), 3u);
  EXPECT_TRUE(finder_.stale());
  EXPECT_FALSE(finder_.complete());
  settle();
  EXPECT_EQ(count(), 1u);
  finder_.set_text("/(/");
  EXPECT_EQ(finder_.matches(), nullptr);
  EXPECT_TRUE(finder_.error().has_value());
  EXPECT_TRUE(finder_.complete());
}

TEST_F(SliceFinderTest, StepsFromTheViewThroughAllAndRoundAgain) {
  session_->view_was_moved();
  session_->state().view = showing(500'000'000, 1'500'000'000, 1000);
  finder_.set_text("call");
  EXPECT_EQ(step(1).match.slice, 1u);
  EXPECT_EQ(finder_.current_rank(session_->state()), 1u);
  EXPECT_EQ(step(1).match.slice, 2u);
  const FoundMatch wrapped = step(1);
  EXPECT_TRUE(wrapped.wrapped);
  EXPECT_EQ(wrapped.match.slice, 0u);
  EXPECT_TRUE(step(-1).wrapped);
  EXPECT_EQ(session_->state().selected.slice, 2u);
  finder_.set_text("nothing like that");
  EXPECT_FALSE(step(1).match);
}

TEST_F(SliceFinderTest, TheScopeNeedsASelectionOrARange) {
  EXPECT_FALSE(finder_.set_scope(ScopeChoice::thread, session_->state()));
  EXPECT_FALSE(finder_.set_scope(ScopeChoice::range, session_->state()));
  EXPECT_EQ(finder_.scope(), ScopeChoice::trace);
  session_->state().range = TimeRange{0, 1'500'000'000};
  EXPECT_TRUE(finder_.set_scope(ScopeChoice::range, session_->state()));
  search("call");
  EXPECT_EQ(count(), 2u);
  session_->state().range = TimeRange{0, 10};
  settle();
  EXPECT_EQ(count(), 1u);
  session_->state().range.reset();
  settle();
  EXPECT_EQ(finder_.scope(), ScopeChoice::trace);
  EXPECT_EQ(count(), 3u);
}

TEST_F(SliceFinderTest, SearchesAgainAfterAReloadAndOnceChildrenCame) {
  search("call");
  const auto before = finder_.matches();
  session_->reload();
  settle();
  EXPECT_EQ(count(), 3u);
  EXPECT_NE(finder_.matches(), before);
  EXPECT_EQ(finder_.answer().unsearched_calls, 3000u);
  session_->request_children({TrackId{0}, BlockId{0}, 0, 1});
  EXPECT_TRUE(wait_until([this] {
    session_->poll();
    finder_.poll(*session_);
    return count() > 3;
  }));
  settle();
  EXPECT_EQ(finder_.answer().unsearched_calls, 3003u - count());
}

TEST_F(SliceFinderTest, ShowsWhatWasFoundElsewhere) {
  const MatchRef second{TrackId{0}, false, BlockId{0}, 0, 1};
  finder_.show_given("SQL: the second", {second, {TrackId{7}, false, BlockId{0}, 0, 0}, second});
  settle();
  EXPECT_EQ(finder_.text(), "SQL: the second");
  EXPECT_EQ(finder_.typed_text(), "");
  EXPECT_TRUE(finder_.complete());
  EXPECT_EQ(count(), 1u);
  EXPECT_EQ(step(1).match.slice, 1u);
  search("call");
  EXPECT_FALSE(finder_.shows_given());
  EXPECT_EQ(count(), 3u);
  finder_.show_given("SQL: again", {second});
  session_->reload();
  settle();  // numbers of slices may mean others
  EXPECT_FALSE(finder_.active());
}

TEST_F(SliceFinderTest, KeepsNothingOfASearchThatIsOver) {
  search("call");
  step(1);
  EXPECT_TRUE(finder_.current_rank(session_->state()));
  const std::weak_ptr<const MatchSet> matches = finder_.matches();
  finder_.set_text("");
  EXPECT_TRUE(wait_until([&] { return matches.expired(); }));
}

TEST_F(SliceFinderTest, AThreadOfAnEarlierTimelineIsNotSearchedThoughNothingWasAskedMeanwhile) {
  session_->state().selected = {TrackId{0}, BlockId{0}, 0, 0};
  EXPECT_TRUE(finder_.set_scope(ScopeChoice::thread, session_->state()));
  session_->state().selected = {};
  session_->reload();
  settle();
  EXPECT_EQ(finder_.scope(), ScopeChoice::trace);
}

TEST_F(SliceFinderTest, SearchesTheThreadsSelectedInTheGutter) {
  session_->state().selected_tracks = {0};
  EXPECT_TRUE(finder_.set_scope(ScopeChoice::thread, session_->state()));
  EXPECT_EQ(finder_.scope_tracks(), (std::vector{TrackId{0}}));
  search("call");
  const std::uint64_t one = count();
  EXPECT_GT(one, 0u);
  EXPECT_TRUE(finder_.set_scope(ScopeChoice::trace, session_->state()));
  settle();
  EXPECT_GE(count(), one);
}

TEST_F(SliceFinderTest, AStillAnswerAsksForNoFrames) {
  search("call");
  for (int i = 0; i < 5; ++i) EXPECT_FALSE(finder_.poll(*session_));
}

TEST_F(SliceFinderTest, CopiesLinesInTheOrderShown) {
  search("call");
  finder_.sort_by(MatchColumn::begin);  // turns it round
  EXPECT_TRUE(wait_until([this] {
    finder_.poll(*session_);
    return finder_.lines()->sorting.descending;
  }));
  const TakenTable table = taken_matches(finder_.shared_lines(), session_->timeline(), {});
  EXPECT_EQ(*table_to_copy(table, {.text = TableText::tsv}),
            "name\tbegin\tduration\tthread\n"
            "call 0.2\t2000000000\t1000000000\tThread 1\n"
            "call 0.1\t1000000000\t1000000000\tThread 1\n"
            "call 0.0\t0\t1000000000\tThread 1\n");
  EXPECT_EQ(row_as_text(table, 1), "call 0.1\t1000000000\t1000000000\tThread 1");
}

// A call, then a sampled one, then an instant; or without the call, or the sampled one alone.
class SampledSource : public TraceSource {
 public:
  SampledSource(bool has_call, bool has_instant) : has_call_(has_call), has_instant_(has_instant) {}
  Status load(TimelineBuilder& out, LoadContext&) override {
    const ThreadId thread = out.thread(out.process("1"), "1");
    if (has_call_) out.slices(thread).complete(0, 10, out.intern("a call"), 0);
    out.sample_slices(thread, out.intern("samples")).complete(100, 50, out.intern("a sample"), 1);
    out.count_samples(1);
    if (has_instant_) out.instant(thread, 200, out.intern("a mark"), 2);
    return ok();
  }
  const Input& input() const override { return input_; }

 private:
  bool has_call_, has_instant_;
  Input input_ = Input::from_memory("sampled", {});
};

class SampledSearchTest : public SliceFinderTest {
 protected:
  void open(bool has_call, bool has_instant) {
    session_ = std::make_unique<Session>(
        "trace",
        [=](LoadContext&) -> Result<OpenedSource> {
          return OpenedSource{std::make_shared<SampledSource>(has_call, has_instant), nullptr};
        },
        SessionOptions{});
    session_->set_width(1000);
    settle();
  }
  std::uint64_t matches_of(std::string_view slices) {
    EXPECT_TRUE(finder_.set_slices(slices));
    finder_.poll(*session_);
    settle();
    return count();
  }
};

TEST_F(SampledSearchTest, LooksAtCallsSamplesOrBoth) {
  open(true, true);
  search("a");
  EXPECT_EQ(matches_of(""), 2u);
  EXPECT_EQ(matches_of("calls"), 2u);
  EXPECT_EQ(matches_of("samples"), 1u);
  EXPECT_EQ(matches_of("both"), 3u);
  EXPECT_FALSE(finder_.set_slices("everything"));
  EXPECT_EQ(finder_.searched(*session_).slices, SlicesOf::both);
}

TEST_F(SampledSearchTest, LooksAtSamplesByItselfWhereThereAreNoCalls) {
  open(false, false);
  search("a");
  EXPECT_EQ(finder_.searched(*session_).slices, SlicesOf::samples);
  EXPECT_EQ(count(), 1u);
  open(false, true);
  search("a ");
  EXPECT_EQ(finder_.searched(*session_).slices, SlicesOf::both);
  EXPECT_EQ(matches_of(""), 2u);
  open(true, true);
  session_->state().range = TimeRange{50, 300};
  ASSERT_TRUE(finder_.set_scope(ScopeChoice::range, session_->state()));
  EXPECT_EQ(matches_of(""), 2u);
}

TEST_F(SampledSearchTest, AThreadThatIsNamedIsSearchedWhateverItHolds) {
  open(true, true);
  search("a");
  ASSERT_TRUE(finder_.set_slices("calls"));
  for (std::uint32_t track = 0; track < session_->timeline().tracks.size(); ++track) {
    if (session_->timeline().tracks[track].kind != TrackKind::samples) continue;
    session_->state().selected_tracks = {track};
  }
  ASSERT_TRUE(finder_.set_scope(ScopeChoice::thread, session_->state()));
  EXPECT_EQ(matches_of("calls"), 1u);
  EXPECT_FALSE(finder_.measures_kinds());
}

}  // namespace
}  // namespace cinderscope
