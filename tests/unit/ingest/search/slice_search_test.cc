#include "ingest/search/slice_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "ingest/build/timeline_builder.h"
#include "ingest/search/match_order.h"
#include "tests/support/deferred_children.h"

namespace cinderscope {
namespace {

// Says of record r: {"n": r, "deep": {"list": [{"url": "r/7"}]}}.
class NumberedRecords : public RecordReader {
 public:
  RecordText describe(RecordOffset record, RecordOffset) const override {
    RecordText text;
    const std::string number = std::to_string(record);
    text.category = record % 2 == 0 ? "even" : "odd";
    text.args =
        parse_args("{\"n\":" + number + ",\"deep\":{\"list\":[{\"Url\":\"r/" + number + "\"}]}}");
    return text;
  }
};

SearchAnswer search(const Timeline& timeline, std::string_view text, Scope scope = {},
                    std::shared_ptr<const RecordReader> source = nullptr) {
  Result<SearchQuery> query = parse_search(text);
  EXPECT_TRUE(query) << text;
  const std::atomic<bool> cancelled = false;
  return search_slices({slice_set_of(timeline), *query, scope, std::move(source), 2}, cancelled,
                       nullptr);
}

std::uint64_t count(const Timeline& timeline, std::string_view text, Scope scope = {}) {
  return search(timeline, text, scope).matches->count();
}

std::uint64_t count_with_args(const Timeline& timeline, std::string_view text) {
  const SearchAnswer answer = search(timeline, text, {}, std::make_shared<const NumberedRecords>());
  EXPECT_TRUE(answer.complete);
  return answer.matches->count();
}

// Thread 1 "main": a [0, 100), b [10, 30), A2 [50, 60) and an instant "a!" at 5; thread 2: a [0,
// 7).
Timeline small_timeline() {
  TimelineBuilder builder;
  const ProcessId process = builder.process("9");
  const ThreadId main = builder.thread(process, "1"), other = builder.thread(process, "21");
  builder.thread_facts(main).name = builder.intern("Main thread");
  TrackWriter& slices = builder.slices(main);
  slices.complete(0, 100, builder.intern("a"), 1);
  slices.complete(10, 20, builder.intern("b"), 2);
  slices.complete(50, 10, builder.intern("A2"), 3);
  builder.instant(main, 5, builder.intern("a!"), 4);
  builder.slices(other).complete(0, 7, builder.intern("a"), 5);
  return builder.finish();
}

TEST(SliceSearchTest, CountsNamesOfSlicesAndInstantsEverywhere) {
  const Timeline timeline = small_timeline();
  EXPECT_EQ(count(timeline, "a"), 4u);
  EXPECT_EQ(count(timeline, "=\"a\""), 2u);
  EXPECT_EQ(count(timeline, "/^A/"), 1u);
  EXPECT_EQ(count(timeline, "name:a dur:>10"), 1u);
  EXPECT_EQ(count(timeline, "dur:7..20"), 3u);
  EXPECT_EQ(count(timeline, "a thread:MAIN"), 3u);
  EXPECT_EQ(count(timeline, "a -thread:main"), 1u);
  EXPECT_EQ(count(timeline, "tid:21"), 1u);
  EXPECT_EQ(count(timeline, "tid:2"), 0u);
  EXPECT_EQ(count(timeline, "pid:9"), 5u);
  EXPECT_EQ(count(timeline, "nowhere"), 0u);
}

TEST(SliceSearchTest, KeepsToItsScope) {
  const Timeline timeline = small_timeline();
  EXPECT_EQ(count(timeline, "a", Scope::of_track(timeline.threads[0].track)), 3u);
  EXPECT_EQ(count(timeline, "dur:0..", {.begin_ns = 30, .end_ns = 50}), 1u);  // the outer a
  EXPECT_EQ(count(timeline, "dur:0..", {.begin_ns = 29, .end_ns = 51}), 3u);
  EXPECT_EQ(count(timeline, "dur:0..", {.begin_ns = 5, .end_ns = 6}), 3u);
  EXPECT_EQ(count(timeline, "dur:0..", {.begin_ns = 200, .end_ns = 300}), 0u);
}

TEST(SliceSearchTest, ReadsArguments) {
  const Timeline timeline = small_timeline();
  EXPECT_EQ(count_with_args(timeline, "n:2"), 1u);
  EXPECT_EQ(count_with_args(timeline, "N:>2"), 3u);
  EXPECT_EQ(count_with_args(timeline, "n:2..4"), 3u);
  EXPECT_EQ(count_with_args(timeline, "-n:2"), 4u);
  EXPECT_EQ(count_with_args(timeline, "list.url:r/3"), 1u);
  EXPECT_EQ(count_with_args(timeline, "deep.list[0].url:/^r/"), 5u);
  EXPECT_EQ(count_with_args(timeline, "list:r/3"), 0u);
  EXPECT_EQ(count_with_args(timeline, "deep:"), 5u);
  EXPECT_EQ(count_with_args(timeline, "rl:r"), 0u);
  EXPECT_EQ(count_with_args(timeline, "cat:even"), 2u);
  EXPECT_EQ(count_with_args(timeline, "r/5"), 1u);
  EXPECT_EQ(count_with_args(timeline, "dee a"), 0u);
  EXPECT_EQ(count_with_args(timeline, "\"deep\" \"a\" dur:7"), 1u);
  EXPECT_EQ(count_with_args(timeline, "=\"a\" n:5"), 1u);
}

TEST(SliceSearchTest, CountsWhatNamesAndWhatArgumentsFind) {
  const SearchAnswer answer =
      search(small_timeline(), "/a|r.2/", {}, std::make_shared<const NumberedRecords>());
  EXPECT_EQ(answer.matches->name_count, 3u);
  EXPECT_EQ(answer.matches->args_count, 1u);
  EXPECT_FALSE(search(small_timeline(), "a").complete);
  EXPECT_TRUE(search(small_timeline(), "=\"a\"").complete);
}

TEST(SliceSearchTest, EndsAtOnceWhenCancelled) {
  const Timeline timeline = small_timeline();
  const std::atomic<bool> cancelled = true;
  int shown = 0;
  search_slices({slice_set_of(timeline), *parse_search("a"), {}, nullptr, 1}, cancelled,
                [&](const SearchAnswer&) { ++shown; });
  EXPECT_EQ(shown, 0);
}

// Ordering them takes longer than finding them.
TEST(SliceSearchTest, CountsManyBeforeTheyArePutInOrder) {
  TimelineBuilder builder;
  TrackWriter& slices = builder.slices(builder.thread(builder.process("1"), "1"));
  const StringId often = builder.intern("often"), else_ = builder.intern("else");
  for (RecordOffset i = 0; i < 100'000; ++i) {
    slices.complete(static_cast<std::int64_t>(i) * 3, 2, i % 4 == 0 ? often : else_, i);
  }
  const Timeline timeline = builder.finish();
  const Result<SearchQuery> query = parse_search("=\"often\"");
  ASSERT_TRUE(query);
  const std::atomic<bool> cancelled = false;
  std::vector<SearchAnswer> shown;
  search_slices({slice_set_of(timeline), *query, {}, nullptr, 1}, cancelled,
                [&shown](const SearchAnswer& answer) { shown.push_back(answer); });
  const auto counted = std::ranges::find_if(shown, &SearchAnswer::names_done);
  ASSERT_NE(counted, shown.end());
  EXPECT_EQ(counted->matches->count(), 25'000u);
  EXPECT_FALSE(counted->matches->ordered());
  EXPECT_EQ(shown.back().matches->count(), 25'000u);
  EXPECT_TRUE(shown.back().matches->ordered());
}

// A hundred threads are more than the first round looks at.
TEST(SliceSearchTest, ShowsFirstHitsBeforeAllWereSearched) {
  TimelineBuilder builder;
  const ProcessId process = builder.process("1");
  for (int i = 0; i < 100; ++i) {
    builder.slices(builder.thread(process, std::to_string(i)))
        .complete(i, 1, builder.intern("a"), 1);
  }
  const Timeline timeline = builder.finish();
  const std::atomic<bool> cancelled = false;
  std::vector<std::shared_ptr<const MatchSet>> shown;
  std::vector<bool> done;
  search_slices({slice_set_of(timeline), *parse_search("=\"a\""), {}, nullptr, 2}, cancelled,
                [&](const SearchAnswer& answer) {
                  shown.push_back(answer.matches);
                  done.push_back(answer.names_done);
                });
  ASSERT_EQ(shown.size(), 2u);
  EXPECT_FALSE(done[0]);
  EXPECT_TRUE(done[1]);
  EXPECT_EQ(shown[0]->count(), 32u);
  EXPECT_EQ(shown[1]->count(), 100u);
  // What was shown first stays as it was.
  for (std::uint64_t k = 0; k < 32; ++k) EXPECT_TRUE(is_match(*shown[0], match_at(*shown[0], k)));
}

// Some threads of random calls; every third is called "hit".
Timeline random_timeline(std::uint32_t seed, int calls) {
  std::mt19937 random(seed);
  TimelineBuilder builder;
  const ProcessId process = builder.process("1");
  for (int thread = 0; thread < 3; ++thread) {
    const ThreadId id = builder.thread(process, std::to_string(thread));
    TrackWriter& slices = builder.slices(id);
    for (int i = 0; i < calls; ++i) {
      const std::int64_t begin = random() % 50'000;
      slices.complete(begin, random() % 40, builder.intern(random() % 3 == 0 ? "hit" : "miss"), 1);
      if (i % 9 == 0) builder.instant(id, begin, builder.intern("hit"), 1);
    }
  }
  return builder.finish();
}

using Place = std::tuple<std::int64_t, std::uint32_t, bool, std::uint32_t, std::uint64_t>;

// All that are called "hit", found the slow way and put in order of time.
std::vector<std::pair<Place, MatchRef>> plain_matches(const Timeline& timeline) {
  std::vector<std::pair<Place, MatchRef>> found;
  const StringId hit = *timeline.strings->find("hit");
  for (std::uint32_t t = 0; t < timeline.tracks.size(); ++t) {
    const auto add = [&](const SliceRow& row, bool instant, std::uint32_t r) {
      for (std::uint64_t i = 0; i < row.count(); ++i) {
        if (row.name(i) != hit) continue;
        found.push_back({{row.begin_ns(i), t, !instant, r, i}, {TrackId{t}, instant, {}, r, i}});
      }
    };
    add(timeline.tracks[t].instants, true, 0);
    const auto& rows = timeline.tracks[t].root().rows;
    for (std::uint32_t r = 0; r < rows.size(); ++r) add(rows[r], false, r);
  }
  std::sort(found.begin(), found.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  return found;
}

void expect_leads_through(const MatchSet& set,
                          const std::vector<std::pair<Place, MatchRef>>& plain) {
  ASSERT_EQ(set.count(), plain.size());
  for (std::size_t k = 0; k < plain.size(); ++k) {
    const MatchRef& ref = plain[k].second;
    EXPECT_EQ(rank_of(set, ref), k);
    EXPECT_EQ(match_beside(set, ref, 1), k + 1 < plain.size() ? plain[k + 1].second : MatchRef{});
    EXPECT_EQ(match_beside(set, ref, -1), k > 0 ? plain[k - 1].second : MatchRef{});
  }
  for (std::int64_t time = -1; time < 50'100; time += 97) {
    const auto at = std::partition_point(plain.begin(), plain.end(), [time](const auto& match) {
      return std::get<0>(match.first) < time;
    });
    EXPECT_EQ(match_from(set, time, 1), at == plain.end() ? MatchRef{} : at->second);
    EXPECT_EQ(match_from(set, time, -1), at == plain.begin() ? MatchRef{} : (at - 1)->second);
  }
}

TEST(MatchSetTest, LeadsThroughAllMatchesInOrderOfTime) {
  for (std::uint32_t seed = 0; seed < 3; ++seed) {
    const Timeline timeline = random_timeline(seed, 3000);
    MatchSet set = *search(timeline, "=\"hit\"").matches;
    ASSERT_TRUE(set.ordered());
    expect_leads_through(set, plain_matches(timeline));
    set.by_time.clear();  // as where they are too many
    expect_leads_through(set, plain_matches(timeline));
  }
}

TEST(MatchSetTest, TellsOfRunsOfSlicesWhetherAnyMatches) {
  const Timeline timeline = random_timeline(5, 4000);
  const MatchSet set = *search(timeline, "=\"hit\"").matches;
  std::mt19937 random(1);
  for (std::uint32_t t = 0; t < timeline.tracks.size(); ++t) {
    const SliceRow& row = timeline.tracks[t].root().rows[0];
    const MatchRow* matches = matches_of(set, TrackId{t}, false, BlockId{}, 0);
    MatchCursor cursor(matches);
    for (std::uint64_t i = 0; i < row.count();) {
      const std::uint64_t size = std::min<std::uint64_t>(1 + random() % 9, row.count() - i);
      bool any = false;
      for (std::uint64_t k = i; k < i + size; ++k) {
        any = any || timeline.text(row.name(k)) == "hit";
        EXPECT_EQ(is_match(set, {TrackId{t}, false, {}, 0, k}),
                  timeline.text(row.name(k)) == "hit");
      }
      EXPECT_EQ(cursor.any(i, size), any);
      EXPECT_EQ(matches->any(i, size), any);
      i += size + random() % 2000;
    }
  }
}

TEST(MatchOrderTest, SortsByEveryColumnAndFindsLinesAgain) {
  const Timeline timeline = random_timeline(2, 2000);
  const auto set = search(timeline, "dur:>3").matches;
  const std::atomic<bool> cancelled = false;
  for (const MatchColumn column :
       {MatchColumn::name, MatchColumn::begin, MatchColumn::duration, MatchColumn::thread}) {
    for (const bool descending : {false, true}) {
      const MatchOrder order = order_lines(set, {column, descending}, cancelled);
      const auto key = [&](std::uint64_t line) {
        const MatchRef ref = match_on_line(order, line);
        const Slice slice = slice_of(*set, ref);
        const std::string name(timeline.text(slice.name));
        switch (column) {
          case MatchColumn::name:
            return std::tuple(name, std::int64_t{0});
          case MatchColumn::begin:
            return std::tuple(std::string(), slice.begin_ns);
          case MatchColumn::duration:
            return std::tuple(std::string(), slice.duration_ns);
          default:
            return std::tuple(std::string(), std::int64_t{index(ref.track)});
        }
      };
      for (std::uint64_t line = 0; line < set->count(); ++line) {
        ASSERT_EQ(line_of(order, match_on_line(order, line)), line);
        if (line == 0) continue;
        const bool in_order = descending ? key(line - 1) >= key(line) : key(line - 1) <= key(line);
        ASSERT_TRUE(in_order);
      }
    }
  }
}

TEST(SliceSearchTest, SaysHowManyCallsStayedOnDisk) {
  TimelineBuilder builder;
  const ThreadId thread = builder.thread(builder.process("1"), "1");
  builder.slices(thread).complete(0, 100, builder.intern("a"), 1);
  Timeline timeline = builder.finish();
  test::defer_children(timeline, timeline.threads[index(thread)].track, 1, 7, 55);
  const SearchAnswer answer = search(timeline, "a");
  EXPECT_EQ(answer.unsearched_calls, 55u);
  EXPECT_FALSE(answer.more_unsearched);
}

TEST(SliceSearchTest, FindsOnlyWhatIsConnectedWhereTheScopeSaysSo) {
  TimelineBuilder builder;
  const ProcessId process = builder.process("1");
  const ThreadId one = builder.thread(process, "1"), other = builder.thread(process, "2");
  // More than a chunk, with gaps between those that flows bind.
  for (int i = 0; i < 3000; ++i) {
    builder.slices(one).complete(10 * i, 8, builder.intern("call"), static_cast<RecordOffset>(i));
  }
  builder.slices(other).complete(50'000, 10, builder.intern("call"), 5000);
  builder.instant(one, 4, builder.intern("call"), 6000);
  for (const int from : {5, 700, 1500, 2999}) {
    builder.flow(
        builder.intern("f"), false,
        {{one, 10 * from + 1, FlowBinding::enclosing}, {other, 50'001, FlowBinding::enclosing}});
  }
  const Timeline timeline = builder.finish();
  Scope connected{.set = std::string(kConnectedSet),
                  .connected_with = {TrackId{1}, BlockId{}, 0, 0}};
  EXPECT_EQ(count(timeline, "call", connected), 5u);
  EXPECT_EQ(count(timeline, "nothing", connected), 0u);
  const auto records = std::make_shared<const NumberedRecords>();
  EXPECT_EQ(search(timeline, "n:700", connected, records).matches->count(), 1u);
  EXPECT_EQ(search(timeline, "n:701", connected, records).matches->count(), 0u);
  connected.end_ns = 20'000;
  EXPECT_EQ(count(timeline, "call", connected), 3u);
  connected.connected_with = {TrackId{0}, BlockId{}, 0, 700};
  connected.end_ns = INT64_MAX;
  EXPECT_EQ(count(timeline, "call", connected), 2u);
}

}  // namespace
}  // namespace cinderscope
