// What is found on disk is what would be found if all of the trace were loaded.
#include "app/questions/disk_matches.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <tuple>

#include "app/session/merged_trace.h"
#include "app/session/open_source.h"
#include "ingest/search/slice_search.h"
#include "tests/support/go_on.h"
#include "tests/support/lincheck_files.h"
#include "tests/support/lincheck_script.h"
#include "tests/support/make_lincheck.h"
#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

constexpr std::uint64_t kLazily = 0, kWhole = UINT64_MAX;
using test::kGoOn;

using Found = std::tuple<std::int64_t, std::int64_t, std::uint32_t, std::string, bool>;

SearchQuery query_of(const std::string& text) {
  Result<SearchQuery> query = parse_search(text);
  EXPECT_TRUE(query) << text;
  return query ? *query : SearchQuery{};
}

// A trace of several threads in a file; both ways of loading it.
class DiskMatchesTest : public testing::Test {
 protected:
  struct Loaded {
    std::shared_ptr<TraceSource> source;
    Timeline timeline;
  };

  std::string made(const std::string& name, std::uint32_t seed, std::uint64_t calls = 1500) {
    std::vector<std::byte> data, index;
    const auto to = [](std::vector<std::byte>& bytes) {
      return [&bytes](std::span<const std::byte> more) {
        bytes.insert(bytes.end(), more.begin(), more.end());
      };
    };
    make_lincheck({.calls = calls, .methods = 9, .block_bytes = 3000, .seed = seed}, to(data),
                  to(index));
    const auto path = folder_.path() / name;
    write_bytes(path, data);
    write_bytes(path.string() + ".idx", index);
    return path.string();
  }
  static Loaded loaded(const std::vector<MergeFile>& files, std::uint64_t lazy_above) {
    auto source = std::make_shared<MergedSource>(files, open_source);
    LoadContext context({.jobs = 1, .window_bytes = 64, .lazy_above_bytes = lazy_above});
    Result<Timeline> timeline = read_timeline(*source, context);
    EXPECT_TRUE(timeline);
    return {source, timeline ? *timeline : Timeline{}};
  }

  static DiskQuestion question(const Loaded& trace, const std::string& text, Scope scope = {}) {
    DiskQuestion asked{.query = query_of(text), .scope = std::move(scope), .source = trace.source};
    EXPECT_NE(trace.source->name_index(), nullptr);
    asked.index = trace.source->name_index()->read(trace.timeline.strings, 1, kGoOn, [](double) {});
    EXPECT_NE(asked.index, nullptr);
    asked.tracks = disk_tracks(*asked.index, trace.timeline);
    return asked;
  }
  static std::vector<Found> on_disk(const DiskMatches& matches) {
    std::vector<Found> found;
    for (const DiskMatch& match : matches.listed) {
      found.emplace_back(match.begin_ns, match.duration_ns, index(match.track),
                         matches.strings->text(match.name), match.instant);
    }
    std::ranges::sort(found);
    return found;
  }
  static std::vector<Found> in_memory(const Loaded& trace, const std::string& text,
                                      const Scope& scope = {}) {
    const auto slices = slice_set_of(trace.timeline);
    const SearchAnswer answer = search_slices(
        {.slices = slices, .query = query_of(text), .scope = scope, .source = trace.source}, kGoOn,
        nullptr);
    std::vector<Found> found;
    for (const MatchRow& row : answer.matches->rows) {
      for (std::uint64_t i = 0; i < row.count(); ++i) {
        const Slice slice = row.slices->slice(row.nth(i));
        found.emplace_back(slice.begin_ns, slice.duration_ns, index(row.track),
                           slices->strings->text(slice.name), row.instants);
      }
    }
    std::ranges::sort(found);
    return found;
  }
  static void expect_same(const Loaded& lazy, const Loaded& whole, const std::string& text,
                          const Scope& scope = {}, bool some = true) {
    SCOPED_TRACE(text + " in " + scope_text(scope));
    const auto found = search_on_disk(question(lazy, text, scope), kGoOn, nullptr);
    ASSERT_NE(found, nullptr);
    const std::vector<Found> expected = in_memory(whole, text, scope);
    EXPECT_EQ(on_disk(*found), expected);
    EXPECT_EQ(found->count(), expected.size());
    EXPECT_EQ(found->name_count + found->args_count, expected.size());
    EXPECT_TRUE(found->complete);
    EXPECT_EQ(expected.empty(), !some);
  }

  TempDir folder_;
};

TEST_F(DiskMatchesTest, EveryTermHoldsForTheSameCallsAsInMemory) {
  const std::vector<MergeFile> files = {{made("a.trace", 1), {}}};
  const Loaded lazy = loaded(files, kLazily), whole = loaded(files, kWhole);
  ASSERT_TRUE(has_calls_on_disk(lazy.timeline));
  for (const char* text : {"method3",
                           "\"method3\"",
                           "/method[35]$/",
                           "name:method3",
                           "7",
                           "dur:>5",
                           "dur:1..3",
                           "-dur:>5",
                           "dur:>5 dur:<20",
                           "thread:1",
                           "-thread:1",
                           "tid:2",
                           "-tid:2",
                           "process:-",
                           "pid:-",
                           "cat:\"method call\"",
                           "-cat:\"method call\"",
                           "cat:/write/ -name:method",
                           "event:<500",
                           "event:100..900 method4",
                           "-event:100..900",
                           "method:",
                           "-method:",
                           "name:method4 dur:>3 tid:1",
                           "event:/^1/ -name:method2",
                           "cat:call 3"}) {
    expect_same(lazy, whole, text);
  }
  expect_same(lazy, whole, "nothing at all", {}, false);
  expect_same(lazy, whole, "thread:nobody", {}, false);
}

TEST_F(DiskMatchesTest, TheScopeHoldsOnDiskToo) {
  const std::vector<MergeFile> files = {{made("a.trace", 1), {}}};
  const Loaded lazy = loaded(files, kLazily), whole = loaded(files, kWhole);
  for (const char* text : {"method3", "dur:>5", "event:>0"}) {
    expect_same(lazy, whole, text, {.begin_ns = 100, .end_ns = 500});
    expect_same(lazy, whole, text, {.begin_ns = 700});
    expect_same(lazy, whole, text, {.end_ns = 300});
    expect_same(lazy, whole, text, Scope::of_track(TrackId{1}));
    expect_same(lazy, whole, text, {.slices = SlicesOf::both});
    expect_same(lazy, whole, text, {.slices = SlicesOf::samples}, false);
  }
}

TEST_F(DiskMatchesTest, CallsThatNeverEndedAreFoundWithTheirLength) {
  LincheckScript script;
  script.call(script.method("Main", "run"));
  const std::int32_t step = script.method("Main", "step");
  for (int i = 0; i < 50; ++i) {
    script.call(step);
    script.end_call();
  }
  script.call(step);
  const auto path = (folder_.path() / "open.trace").string();
  write_bytes(path, script.finish());
  const Loaded lazy = loaded({{path, {}}}, kLazily), whole = loaded({{path, {}}}, kWhole);
  for (const char* text : {"Main", "dur:>0", "event:>0"}) expect_same(lazy, whole, text);
}

TEST_F(DiskMatchesTest, FilesOnOneTimelineAreSearchedTogether) {
  std::vector<MergeFile> files = {{made("a.trace", 1), {}},
                                  {made("b.trace", 2), {Alignment::by_offset, 333}},
                                  {made("c.trace", 3), {}}};
  const Loaded lazy = loaded(files, kLazily), whole = loaded(files, kWhole);
  for (const char* text : {"method3", "dur:>5", "event:<500", "thread:1", "process:b"}) {
    expect_same(lazy, whole, text);
    expect_same(lazy, whole, text, {.begin_ns = 350, .end_ns = 600});
  }
}

TEST_F(DiskMatchesTest, ChildrenOfEachFileHaveTheNamesOfTheTimeline) {
  const Loaded lazy = loaded({{made("a.trace", 1), {}}, {made("b.trace", 2), {}}}, kLazily);
  LoadContext context({.jobs = 1, .window_bytes = 64, .lazy_above_bytes = 0});
  for (const Track& track : lazy.timeline.tracks) {
    for (const DeferredChildren& deferred : track.root().deferred) {
      const auto children =
          lazy.source->load_children({.source_key = deferred.source_key, .source = deferred.source},
                                     *lazy.timeline.strings, context);
      ASSERT_TRUE(children);
      for (const SliceRow& row : children->rows) {
        for (std::uint64_t i = 0; i < row.count(); ++i) {
          EXPECT_NE(lazy.timeline.text(row.name(i)).find("method"), std::string_view::npos);
        }
      }
    }
  }
}

TEST_F(DiskMatchesTest, AFileThatIsLoadedAsAWholeIsSearchedWithThoseOnDisk) {
  const std::string small = made("small.trace", 5, 60), large = made("large.trace", 1);
  const std::uint64_t between = std::filesystem::file_size(small) + 1;
  const std::vector<MergeFile> files = {{small, {}}, {large, {}}};
  const Loaded lazy = loaded(files, between), whole = loaded(files, kWhole);
  ASSERT_TRUE(lazy.timeline.tracks.front().root().deferred.empty());
  ASSERT_TRUE(has_calls_on_disk(lazy.timeline));
  for (const char* text : {"method3", "dur:>5", "event:<500"}) expect_same(lazy, whole, text);
}

TEST_F(DiskMatchesTest, CountsAllAndListsTheFirst) {
  const std::vector<MergeFile> files = {{made("a.trace", 1), {}}};
  const Loaded lazy = loaded(files, kLazily);
  DiskQuestion asked = question(lazy, "dur:>0");
  const auto all = search_on_disk(asked, kGoOn, nullptr);
  asked.most_listed = 10;
  const auto few = search_on_disk(asked, kGoOn, nullptr);
  ASSERT_GT(all->count(), 100u);
  EXPECT_TRUE(all->all_listed());
  EXPECT_EQ(few->count(), all->count());
  EXPECT_FALSE(few->all_listed());
  ASSERT_EQ(few->listed.size(), 10u);
  for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(few->listed[i].place(), all->listed[i].place());
}

TEST_F(DiskMatchesTest, EndsOnceCancelled) {
  const Loaded lazy = loaded({{made("a.trace", 1), {}}}, kLazily);
  std::atomic<bool> cancelled{true};
  EXPECT_EQ(search_on_disk(question(lazy, "event:>0"), cancelled, nullptr), nullptr);
}

TEST_F(DiskMatchesTest, LinesAreSortedByEachColumn) {
  const Loaded lazy = loaded({{made("a.trace", 1), {}}}, kLazily);
  const auto matches = search_on_disk(question(lazy, "method"), kGoOn, nullptr);
  const std::uint64_t last = matches->listed.size() - 1;
  for (const bool descending : {false, true}) {
    for (const MatchColumn column :
         {MatchColumn::name, MatchColumn::begin, MatchColumn::duration, MatchColumn::thread}) {
      const DiskLines lines = order_lines(matches, {column, descending}, kGoOn);
      const auto key = [&](std::uint64_t line) {
        const DiskMatch& match = lines.on_line(line);
        const bool by_name = column == MatchColumn::name;
        return std::tuple(by_name ? matches->strings->text(match.name) : std::string_view(),
                          column == MatchColumn::begin      ? match.begin_ns
                          : column == MatchColumn::duration ? match.duration_ns
                          : by_name                         ? 0
                                                            : std::int64_t{index(match.track)});
      };
      for (std::uint64_t line = 0; line < last; ++line) {
        EXPECT_TRUE(descending ? key(line) >= key(line + 1) : key(line) <= key(line + 1));
        EXPECT_EQ(lines.line_of(lines.on_line(line)), line);
      }
    }
  }
  EXPECT_FALSE(rank_of(*matches, {.begin_ns = -5}));
}

}  // namespace
}  // namespace cinderscope
