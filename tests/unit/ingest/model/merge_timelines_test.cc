#include "ingest/model/merge_timelines.h"

#include <gtest/gtest.h>

#include "ingest/build/timeline_builder.h"
#include "tests/support/deferred_children.h"
#include "tests/support/dump.h"

namespace cinderscope {
namespace {

constexpr std::int64_t kFar = std::int64_t{1} << 62;

struct Recipe {
  std::string pid = "1", process, prefix = "a";
  std::int64_t begin_ns = 0;
};

// A bit of everything: nested, overlapping and unfinished slices, deferred children, an instant, a
// counter, async groups, a flow from one thread to the other, a note and a diagnostic.
Timeline made(const Recipe& recipe = {}) {
  TimelineBuilder builder;
  const std::int64_t t = recipe.begin_ns;
  const ProcessId process = builder.process(recipe.pid);
  if (!recipe.process.empty()) {
    builder.process_facts(process).name = builder.intern(recipe.process);
  }
  const ThreadId one = builder.thread(process, "1"), two = builder.thread(process, "2");
  builder.thread_facts(two).name = builder.intern(recipe.prefix + " helper");
  const auto name = [&](const std::string& text) { return builder.intern(recipe.prefix + text); };
  builder.slices(one).complete(t, 100, name(" outer"), 10);
  builder.slices(one).complete(t + 10, 50, builder.intern("shared"), 20);
  builder.slices(one).complete(t + 40, 40, name(" overlapping"), 30);
  builder.slices(two).begin(t + 5, name(" open"), 40);
  for (int i = 0; i < 3000; ++i) {
    builder.slices(two).complete(t + 200 + 10 * i, 10, name(" step " + std::to_string(i % 7)),
                                 static_cast<RecordOffset>(100 + i));
  }
  builder.instant(one, t + 7, name(" mark"), 50);
  const CounterId counter = builder.counter(process, name(" load"));
  builder.counter_value(counter, builder.intern("value"), t + 3, 1.5);
  builder.counter_value(counter, builder.intern("value"), t + 9, 2.5);
  const AsyncTrackId async = builder.async_track(process, name(" request"));
  builder.async_group(async, {{{t + 1, 30, name(" request"), 60, 61, 0}, 0}},
                      {{{t + 5, 0, name(" step"), 62, kNoRecord, 0}, 60}});
  const AsyncTrackId objects = builder.lifetime_track(process, name(" object"));
  builder.async_group(objects, {{{t + 2, 50, name(" object 1"), 63, kNoRecord, 0}, 0}},
                      {{{t + 6, 0, name(" seen"), 64, kNoRecord, 0}, 63}});
  builder.wide_instant(one, true, t + 8, name(" everywhere"), 65);
  builder.flow(name(" arrow"), false,
               {{one, t + 15, FlowBinding::enclosing}, {two, t + 205, FlowBinding::enclosing}});
  builder.count_samples(2);
  builder.count_records(3010);
  builder.note("otherData", recipe.prefix);
  builder.diagnostics().count(diagnostic::kStrayEnd, 12);
  Timeline timeline = builder.finish();
  test::defer_children(timeline, timeline.threads[index(one)].track, 20, 777, 5);
  return timeline;
}

Timeline merged(std::vector<TimelinePart> parts) {
  return merge_timelines(std::move(parts), 3);
}

TEST(MergeTimelinesTest, OneTimelineThatIsNotMovedStaysAsItIs) {
  std::vector<TimelinePart> parts;
  parts.push_back({.timeline = made(), .label = "a"});
  EXPECT_EQ(dump(merged(std::move(parts))), dump(made()));
}

TEST(MergeTimelinesTest, OneMovedTimelineIsThatOfALaterRecording) {
  std::vector<TimelinePart> parts;
  parts.push_back({.timeline = made(), .label = "a", .shift_ns = 5'000});
  const Timeline one = merged(std::move(parts));
  EXPECT_EQ(dump(one), dump(made({.begin_ns = 5'000})));
  EXPECT_TRUE(one.files.empty());
}

TEST(MergeTimelinesTest, TotalsAddUp) {
  const Timeline a = made(), b = made({.prefix = "b", .begin_ns = 1'000});
  std::vector<TimelinePart> parts;
  parts.push_back({.timeline = a, .label = "a"});
  parts.push_back({.timeline = b, .label = "b"});
  const Timeline both = merged(std::move(parts));
  EXPECT_EQ(both.slice_count, a.slice_count + b.slice_count);
  EXPECT_EQ(both.unfinished_count, a.unfinished_count + b.unfinished_count);
  EXPECT_EQ(both.overlapping_count, a.overlapping_count + b.overlapping_count);
  EXPECT_EQ(both.instant_count, 4);
  EXPECT_EQ(both.async_step_count, 2);
  EXPECT_EQ(both.lifetime_count, 2);
  EXPECT_EQ(both.lifetime_mark_count, 2);
  EXPECT_EQ(both.sample_count, 4);
  EXPECT_EQ(both.async_slice_count, 2);
  EXPECT_EQ(both.async_group_count, 2);
  EXPECT_EQ(both.flow_count, 2);
  EXPECT_EQ(both.record_count, 6020);
  EXPECT_EQ(both.tracks.size(), a.tracks.size() + b.tracks.size());
  EXPECT_EQ(both.diagnostics.total(), a.diagnostics.total() + b.diagnostics.total());
  EXPECT_EQ(both.begin_ns, a.begin_ns);
  EXPECT_EQ(both.end_ns, b.end_ns);
  EXPECT_EQ(both.slices_end_ns, b.slices_end_ns);
  EXPECT_TRUE(both.complete);
}

TEST(MergeTimelinesTest, ProcessesOfTheSameIdStayApart) {
  std::vector<TimelinePart> parts;
  parts.push_back({.timeline = made(), .label = "a.json", .file = {"a", "/x/a.json"}});
  parts.push_back({.timeline = made({.prefix = "b"}), .label = "b.spall", .file = {"b", ""}});
  const Timeline both = merged(std::move(parts));
  ASSERT_EQ(both.processes.size(), 2);
  EXPECT_EQ(both.text(both.processes[0].pid), "1");
  EXPECT_EQ(both.text(both.processes[1].pid), "1");
  ASSERT_EQ(both.files.size(), 2u);
  EXPECT_EQ(both.files[both.processes[0].file].path, "/x/a.json");
  EXPECT_EQ(both.files[both.processes[1].file].name, "b");
  ASSERT_EQ(both.threads.size(), 4);
  EXPECT_EQ(index(both.threads[2].process), 1);
  const Track& track = both.tracks[index(both.threads[3].track)];
  EXPECT_EQ(index(track.thread), 3);
  EXPECT_EQ(index(track.process), 1);
  EXPECT_EQ(both.text(both.threads[3].name), "b helper");
}

TEST(MergeTimelinesTest, TheProcessesOfAFileStayTogether) {
  std::vector<TimelinePart> parts;
  for (const double sort_index : {5.0, -7.0}) {
    parts.push_back({.timeline = made(), .label = std::to_string(sort_index)});
    parts.back().timeline.processes[0].sort_index = sort_index;
  }
  const Timeline both = merged(std::move(parts));
  EXPECT_EQ(both.processes[0].sort_index, 5);
  EXPECT_GT(both.processes[1].sort_index, 5);
}

TEST(MergeTimelinesTest, EveryProcessKnowsItsFileAndKeepsItsName) {
  std::vector<TimelinePart> parts;
  parts.push_back({.timeline = made({.process = "server"}), .label = "a"});
  parts.push_back({.timeline = made({.process = "client"}), .label = "b"});
  parts.push_back({.timeline = made({.pid = "2"}), .label = "c"});
  const Timeline all = merged(std::move(parts));
  EXPECT_EQ(all.text(all.processes[0].name), "server");
  EXPECT_EQ(all.text(all.processes[1].name), "client");
  EXPECT_EQ(all.processes[2].name, kEmptyString);
  for (std::uint32_t i = 0; i < 3; ++i) EXPECT_EQ(all.processes[i].file, i);
}

// The second part's dump, as it is in one file, is found in the merged one.
TEST(MergeTimelinesTest, EverythingOfTheSecondPartIsKeptAndMoved) {
  std::vector<TimelinePart> parts;
  parts.push_back({.timeline = made({.pid = "7"}), .label = "a"});
  parts.push_back({.timeline = made({.pid = "8", .prefix = "b"}), .label = "b", .shift_ns = -250});
  const std::string all = dump(merged(std::move(parts)));
  const std::string alone = dump(made({.pid = "8", .prefix = "b", .begin_ns = -250}));
  std::size_t lines = 0;
  for (std::size_t at = 0; at < alone.size(); ++lines) {
    const std::size_t end = alone.find('\n', at);
    const std::string line = alone.substr(at, end - at);
    at = end + 1;
    // Of the whole timeline, or naming the file now.
    if (line.starts_with("diagnostic") || line.starts_with("process") || line.starts_with("note") ||
        line.starts_with("totals") || line.starts_with("range")) {
      continue;
    }
    EXPECT_NE(all.find(line + "\n"), std::string::npos) << line;
  }
  EXPECT_GT(lines, 3000);
}

TEST(MergeTimelinesTest, EqualNamesShareAnIdAndSoAColour) {
  std::vector<TimelinePart> parts;
  parts.push_back({.timeline = made(), .label = "a"});
  parts.push_back({.timeline = made({.prefix = "b"}), .label = "b"});
  const Timeline both = merged(std::move(parts));
  const auto inner = [&](std::size_t thread) {
    return both.tracks[index(both.threads[thread].track)].root().rows[1].name(0);
  };
  EXPECT_EQ(both.text(inner(0)), "shared");
  EXPECT_EQ(inner(0), inner(2));
}

TEST(MergeTimelinesTest, RecordsOfThePartsLieSideBySide) {
  std::vector<TimelinePart> parts;
  parts.push_back({.timeline = made(), .label = "a", .record_end = 5'000});
  parts.push_back({.timeline = made({.prefix = "b"}),
                   .label = "b",
                   .first_record = 5'000,
                   .record_end = 2'000});
  const Timeline both = merged(std::move(parts));
  const auto rows = [&](std::size_t thread) -> const std::vector<SliceRow>& {
    return both.tracks[index(both.threads[thread].track)].root().rows;
  };
  EXPECT_EQ(rows(0)[0].slice(0).record, 10);
  EXPECT_EQ(rows(2)[0].slice(0).record, 5'010);
  EXPECT_EQ(rows(2)[0].slice(0).end_record, kNoRecord);
  const SliceRow& steps = rows(3)[1];
  EXPECT_EQ(steps.slice(1'000).record, 6'100);
  EXPECT_EQ(steps.slice(2'500).record, kNoRecord) << "2600 lies beyond the part's own records";
  for (const Track& track : both.tracks) {
    if (track.kind != TrackKind::async || index(track.process) != 1) continue;
    EXPECT_EQ(track.root().rows[0].slice(0).end_record, 5'061);
  }
}

TEST(MergeTimelinesTest, DeferredChildrenKnowTheirFile) {
  std::vector<TimelinePart> parts;
  parts.push_back({.timeline = made(), .label = "a", .source = 0});
  parts.push_back({.timeline = made({.prefix = "b"}), .label = "b", .source = 4});
  const Timeline both = merged(std::move(parts));
  const auto& deferred = both.tracks[index(both.threads[2].track)].root().deferred;
  ASSERT_EQ(deferred.size(), 1);
  EXPECT_EQ(deferred[0].source, 4);
  EXPECT_EQ(deferred[0].source_key, 777);
  EXPECT_EQ(deferred[0].row, 1);
}

TEST(MergeTimelinesTest, FlowsLeadToTheSlicesOfTheirOwnFile) {
  std::vector<TimelinePart> parts;
  parts.push_back({.timeline = made(), .label = "a"});
  parts.push_back({.timeline = made({.prefix = "b"}), .label = "b"});
  const Timeline both = merged(std::move(parts));
  ASSERT_EQ(both.flows->flows.size(), 2);
  const SliceRef point = both.flows->points.slice(both.flows->flows[1].first_point + 1);
  EXPECT_EQ(index(both.tracks[index(point.track)].thread), 3);
  EXPECT_EQ(both.text(both.tracks[index(point.track)].root().rows[point.row].name(point.slice)),
            "b step 0");
  std::vector<std::uint64_t> by_slice;
  for (std::size_t i = 0; i < both.flows->by_slice.size(); ++i) {
    by_slice.push_back(both.flows->by_slice[i]);
  }
  EXPECT_EQ(by_slice.size(), both.flows->points.size());
  EXPECT_TRUE(
      std::is_sorted(by_slice.begin(), by_slice.end(), [&](std::uint64_t x, std::uint64_t y) {
        const SliceRef p = both.flows->points.slice(x), q = both.flows->points.slice(y);
        return std::tuple(index(p.track), p.row, p.slice, x) <
               std::tuple(index(q.track), q.row, q.slice, y);
      }));
}

// Times of points that begin with their slices are asked of these, which move, too.
TEST(MergeTimelinesTest, FlowsMoveInTimeWithTheirSlices) {
  const auto with_flows = [] {
    TimelineBuilder builder;
    const ThreadId thread = builder.thread(builder.process("1"), "1");
    for (std::int64_t i = 0; i < 500; ++i) {
      builder.slices(thread).complete(1000 * i, 100, builder.intern("f"), 1);
      builder.flow(kEmptyString, false, {{thread, 1000 * i + i % 3, FlowBinding::enclosing}});
    }
    return builder.finish();
  };
  constexpr std::int64_t kShift = 1'000'000;
  std::vector<TimelinePart> parts;
  parts.push_back({.timeline = with_flows(), .label = "a"});
  parts.push_back({.timeline = with_flows(), .label = "b", .shift_ns = kShift});
  const Timeline both = merged(std::move(parts));
  ASSERT_EQ(both.flows->points.size(), 1000u);
  EXPECT_EQ(both.flows->points.own_time_ns(501), 1);
  for (std::int64_t i = 0; i < 500; ++i) {
    const auto point = static_cast<std::uint64_t>(i);
    ASSERT_EQ(flow_point(both, point).time_ns, 1000 * i + i % 3);
    ASSERT_EQ(flow_point(both, 500 + point).time_ns, kShift + 1000 * i + i % 3);
  }
}

TEST(MergeTimelinesTest, DiagnosticsAndNotesNameTheirFile) {
  std::vector<TimelinePart> parts;
  parts.push_back({.timeline = made(), .label = "a.json"});
  parts.push_back({.timeline = made({.prefix = "b"}), .label = "b.json"});
  const Timeline both = merged(std::move(parts));
  EXPECT_EQ(both.diagnostics.by_code().at("stray_end").first_offset, 12);
  EXPECT_TRUE(both.diagnostics.by_code().at("stray_end (2)").text.starts_with("b.json: "));
  ASSERT_EQ(both.notes.size(), 2);
  EXPECT_EQ(both.notes[1].key, "b.json: otherData");
  EXPECT_EQ(both.notes[1].text, "b");
}

TEST(MergeTimelinesTest, TimesStopAtTheLimitsAndAreCounted) {
  std::vector<TimelinePart> parts;
  parts.push_back(
      {.timeline = made({.begin_ns = kFar - 1'000'000}), .label = "a", .shift_ns = kFar});
  const Timeline moved = merged(std::move(parts));
  EXPECT_EQ(moved.end_ns, kFar);
  EXPECT_EQ(moved.diagnostics.by_code().at("clamped_time").count,
            moved.slice_count + moved.async_slice_count + moved.instant_count +
                moved.async_step_count + moved.lifetime_count + moved.lifetime_mark_count);
  for (const Track& track : moved.tracks) {
    for (const SliceRow& row : track.root().rows) {
      for (std::uint64_t i = 0; i < row.count(); ++i) {
        ASSERT_GE(row.duration_ns(i), 0);
        ASSERT_LE(row.end_ns(i), kFar);
      }
    }
  }
}

TEST(MergeTimelinesTest, SummariesOfMovedRowsAreThoseOfALaterRecording) {
  std::vector<TimelinePart> parts;
  parts.push_back({.timeline = made(), .label = "a", .shift_ns = 123'456});
  const Timeline moved = merged(std::move(parts)), later = made({.begin_ns = 123'456});
  const SliceRow& x = moved.tracks[index(moved.threads[1].track)].root().rows[1];
  const SliceRow& y = later.tracks[index(later.threads[1].track)].root().rows[1];
  ASSERT_EQ(x.upper.size(), y.upper.size());
  for (std::size_t i = 0; i < x.upper[0].size(); ++i) {
    EXPECT_EQ(x.upper[0][i].begin_ns, y.upper[0][i].begin_ns);
    EXPECT_EQ(x.upper[0][i].summary.busy, y.upper[0][i].summary.busy);
    EXPECT_EQ(x.upper[0][i].summary.colour, y.upper[0][i].summary.colour);
  }
}

TEST(MergeTimelinesTest, EndsEarlyOnceCancelled) {
  std::vector<TimelinePart> parts;
  parts.push_back({.timeline = made(), .label = "a", .shift_ns = 1});
  const std::atomic<bool> cancelled{true};
  const Timeline rest = merge_timelines(std::move(parts), 2, &cancelled);
  EXPECT_EQ(rest.tracks[0].root().rows[0].begin_ns(0), 0) << "nothing was moved any more";
}

TEST(MergeTimelinesTest, MovesPausesWithTheirProcess) {
  const auto paused = [](std::int64_t begin_ns) {
    TimelineBuilder builder;
    const ProcessId process = builder.process("1");
    builder.slices(builder.thread(process, "1")).complete(0, 100, builder.intern("f"), 1);
    builder.pauses(process, {{begin_ns, begin_ns + 5}});
    return builder.finish();
  };
  std::vector<TimelinePart> parts;
  parts.push_back({.timeline = paused(10), .label = "a", .record_end = 10});
  parts.push_back({.timeline = paused(20),
                   .label = "b",
                   .shift_ns = 1000,
                   .first_record = 10,
                   .record_end = 10});
  const Timeline both = merged(std::move(parts));
  ASSERT_NE(pauses_of(both, TrackId{1}), nullptr);
  EXPECT_EQ(pauses_of(both, TrackId{0})->all(), (std::vector<Pause>{{10, 15}}));
  EXPECT_EQ(pauses_of(both, TrackId{1})->all(), (std::vector<Pause>{{1020, 1025}}));
}

// It is one gap still, however many processes the file has.
TEST(MergeTimelinesTest, AGapIsInTheProcessesOfItsFileAlone) {
  std::vector<TimelinePart> parts;
  parts.push_back({.timeline = made(), .label = "a"});
  parts.push_back({.timeline = made({.pid = "2"}), .label = "b", .shift_ns = 7});
  parts[1].timeline.processes.resize(3, parts[1].timeline.processes.front());
  parts[1].timeline.gaps.push_back({.begin_ns = 100});
  parts[1].timeline.gaps.push_back({.begin_ns = 5, .end_ns = 9});
  const Timeline timeline = merged(std::move(parts));
  EXPECT_EQ(timeline.gaps, (std::vector<DataGap>{{.begin_ns = 107, .file = 1},
                                                 {.begin_ns = 12, .end_ns = 16, .file = 1}}));
}

}  // namespace
}  // namespace cinderscope
