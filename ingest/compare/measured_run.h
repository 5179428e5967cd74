// The numbers of one run: what is kept of a recording when it is compared.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/model/slice_set.h"
#include "ingest/totals/durations/duration_index.h"
#include "ingest/totals/segment_totals.h"
#include "ingest/totals/slice_statistics.h"

namespace cinderscope {

// A thread, or another track that the part names.
struct RunThread {
  TrackId track = kNoTrack;
  std::string process, pid, name, tid;
  std::int64_t first_ns = 0;  // begin of its first call in the part
  std::uint64_t calls = 0;
  std::int64_t busy_ns = 0;  // time during which a call went on
};

// Mean durations of the calls that begin in equal spans of the part, for the spread: how steady a
// name is within one recording.
struct SpanDurations {
  static constexpr std::uint32_t kSpans = 20;
  struct Span {
    std::uint32_t count = 0;
    double sum_ns = 0;
  };
  std::vector<std::uint32_t> names;  // ascending, in MeasuredRun::names
  std::vector<Span> spans;           // kSpans for each of them

  // Those of one name; empty: not measured.
  std::span<const Span> of(std::uint32_t name) const;
};

struct MeasuredRun {
  std::string path, format;
  TimeAxis axis = TimeAxis::nanoseconds;
  std::string weight;          // what lengths stand for, of a profile's own list; empty: time
  bool threads_apart = false;  // threads count events of their own
  std::int64_t begin_ns = 0, end_ns = 0;              // of what was measured
  std::int64_t trace_begin_ns = 0, trace_end_ns = 0;  // of the whole recording
  std::uint64_t calls = 0, unfinished = 0;
  std::int64_t self_ns = 0;        // of all calls
  std::int64_t busy_ns = 0;        // of all threads
  std::vector<RunThread> threads;  // by first_ns, then track
  std::uint64_t damage = 0;        // losses and damage that the load reported

  struct Name {
    std::string text, label;        // label: how it is shown where that differs, else empty
    std::uint64_t outer_calls = 0;  // at depth 1 to 3
  };
  std::vector<Name> names;
  std::vector<NameStatistics> numbers;  // of the same names
  DurationIndex durations;   // of `names`: how many calls have which duration, in buckets
  SpanDurations spans;       // nothing unless asked for
  bool ranks_known = false;  // false: percentiles and durations are still to come, or cancelled
};

struct RunQuestion {
  StatisticsQuery query;
  // Calls of these names, as read, are as if they were not there: their self time is their
  // callers'. It takes a walk over all calls.
  std::vector<std::string> ignored;
  bool with_spans = true;
  unsigned jobs = 1;
};

// What the set cannot tell. UI thread.
MeasuredRun run_facts(const Timeline& timeline, std::string path, std::string format);

// Any thread; `numbers` are those of slice_statistics(), to the nanosecond. `facts` is what
// run_facts() gave. `show_first` may be empty; it gets all but ranks, durations and spans.
// `precomputed` may be null. Ends within milliseconds once cancelled.
MeasuredRun measure_run(const SliceSet& set, const RunQuestion& question, MeasuredRun facts,
                        const std::atomic<bool>& cancelled,
                        const std::function<void(const MeasuredRun&)>& show_first = {},
                        const PrecomputedTotals* precomputed = nullptr);

std::uint64_t kept_bytes(const MeasuredRun& run);

}  // namespace cinderscope
