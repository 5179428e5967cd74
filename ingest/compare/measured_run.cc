#include "ingest/compare/measured_run.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "ingest/base/saturating.h"
#include "ingest/model/call_walk.h"
#include "ingest/totals/scoped_slices.h"

namespace cinderscope {

namespace {

constexpr std::uint32_t kOuterDepths = 3;
// Spans of fewer calls are joined, and without enough spans there is no spread.
constexpr std::uint64_t kLeastSpanned = std::uint64_t{8} * 5;

// The time during which any call of the track went on.
std::int64_t busy_time(const MeasuredTrack& track, const StatisticsQuery& query,
                       const std::atomic<bool>& cancelled) {
  std::int64_t busy_ns = 0, reached_ns = INT64_MIN;
  const auto add = [&](std::int64_t begin_ns, std::int64_t end_ns) {
    if (end_ns <= reached_ns) return;
    busy_ns =
        saturating_sum(busy_ns, saturating_difference(end_ns, std::max(begin_ns, reached_ns)));
    reached_ns = end_ns;
  };
  if (track.nested && track.rows.front().depth == 0) {
    SliceColumns columns;
    for (const SliceSpan& piece : pieces_of({&track.rows.front(), 1})) {
      if (is_set(&cancelled)) break;
      for_columns(
          piece, edges_of(query), columns,
          [&](const SliceColumns& at, const SliceChunk&, std::uint64_t, std::uint32_t count) {
            for (std::uint32_t k = 0; k < count; ++k) {
              add(at.begins[k], saturating_sum(at.begins[k], at.durations[k]));
            }
          });
    }
    return busy_ns;
  }
  walk_calls(*track.slices, query.scope, cancelled, [&](const WalkedCall& call) {
    if (query.whole_calls) {
      add(call.whole_begin_ns, call.whole_end_ns);
    } else {
      add(call.begin_ns, call.end_ns);
    }
  });
  return busy_ns;
}

RunThread thread_of(const MeasuredTrack& track, const SliceSet& set, const StatisticsQuery& query,
                    const std::atomic<bool>& cancelled) {
  const TrackSlices& of = *track.slices;
  RunThread thread;
  thread.track = of.track;
  thread.process = set.strings->text(of.process_name);
  thread.pid = set.strings->text(of.pid);
  thread.tid = set.strings->text(of.tid);
  const bool has_name = of.kind == TrackKind::thread || of.name == kEmptyString;
  thread.name = set.strings->text(has_name ? of.thread_name : of.name);
  thread.calls = track.count;
  thread.first_ns = INT64_MAX;
  for (const SliceSpan& row : track.rows) {
    thread.first_ns = std::min(thread.first_ns, row.row->begin_ns(row.first));
  }
  thread.busy_ns = busy_time(track, query, cancelled);
  return thread;
}

void measure_threads(std::span<const MeasuredTrack> tracks, const SliceSet& set,
                     const RunQuestion& question, const std::atomic<bool>& cancelled,
                     MeasuredRun& out) {
  out.threads.assign(tracks.size(), {});
  for_each_until(tracks.size(), question.jobs, &cancelled, [&](std::size_t, std::size_t i) {
    out.threads[i] = thread_of(tracks[i], set, question.query, cancelled);
  });
  out.busy_ns = 0;
  for (const RunThread& thread : out.threads) {
    out.busy_ns = saturating_sum(out.busy_ns, thread.busy_ns);
  }
  std::ranges::sort(out.threads, [](const RunThread& a, const RunThread& b) {
    return std::tuple(a.first_ns, index(a.track)) < std::tuple(b.first_ns, index(b.track));
  });
}

// How many calls of each name, by id, have no more than two calls around them.
std::vector<std::uint64_t> outer_calls(std::span<const MeasuredTrack> tracks, std::size_t id_count,
                                       unsigned jobs, const std::atomic<bool>& cancelled) {
  std::vector<SliceSpan> rows;
  for (const MeasuredTrack& track : tracks) {
    std::ranges::copy_if(track.rows, std::back_inserter(rows),
                         [](const SliceSpan& row) { return row.depth < kOuterDepths; });
  }
  std::vector<std::vector<std::uint64_t>> workers(std::max(1u, jobs));
  std::vector<SliceColumns> columns(workers.size());
  parallel_for_spans(
      pieces_of(rows), jobs, &cancelled, [&](std::size_t worker, const SliceSpan& piece) {
        std::vector<std::uint64_t>& counts = workers[worker];
        counts.resize(id_count);
        for_columns<false>(
            piece, {}, columns[worker],
            [&](const SliceColumns& at, const SliceChunk&, std::uint64_t, std::uint32_t count) {
              for (std::uint32_t k = 0; k < count; ++k) ++counts[at.names[k]];
            });
      });
  std::vector<std::uint64_t> all(id_count);
  for (const auto& counts : workers) {
    for (std::size_t i = 0; i < counts.size(); ++i) all[i] += counts[i];
  }
  return all;
}

// What names that are ignored leave behind, by id.
struct Ignored {
  std::vector<bool> names;
  std::vector<std::int64_t> moved_ns;  // self time that callers have now
  std::int64_t lost_ns = 0;            // of outermost calls, which have none
};

Ignored ignored_calls(std::span<const MeasuredTrack> tracks, const SliceSet& set,
                      const RunQuestion& question, const std::atomic<bool>& cancelled) {
  Ignored out;
  if (question.ignored.empty()) return out;
  const std::size_t id_count = set.strings->size();
  out.names.resize(id_count);
  out.moved_ns.resize(id_count);
  for (const std::string& name : question.ignored) {
    if (const auto id = set.strings->find(name)) out.names[index(*id)] = true;
  }
  constexpr std::uint32_t kNobody = UINT32_MAX;
  struct Counted {
    std::uint32_t as = kNobody;  // itself, or the nearest caller that is not ignored
    bool is_ignored = false;
  };
  for (const MeasuredTrack& track : tracks) {
    const bool has_callers = !is_packed(track.slices->kind);
    walk_call_tree<Counted>(
        *track.slices, question.query.scope, cancelled,
        [&](const WalkedCall& call, const Counted* caller) {
          const std::uint32_t name = index(call.name);
          if (!out.names[name]) return Counted{name, false};
          const bool has_caller = has_callers && caller != nullptr;
          return Counted{has_caller ? caller->as : kNobody, true};
        },
        [&](const Counted& of, std::int64_t ns) {
          if (!of.is_ignored) return;
          std::int64_t& sum = of.as == kNobody ? out.lost_ns : out.moved_ns[of.as];
          sum = saturating_sum(sum, ns);
        });
  }
  return out;
}

void take_names(const SliceStatistics& statistics, const SliceSet& set, const Ignored& ignored,
                MeasuredRun& out) {
  const StringPool& strings = *set.strings;
  out.begin_ns = statistics.begin_ns;
  out.end_ns = statistics.end_ns;
  out.calls = statistics.call_count;
  out.self_ns = saturating_difference(statistics.self_ns, ignored.lost_ns);
  out.ranks_known = statistics.ranks_known;
  out.numbers = statistics.names;
  if (!ignored.names.empty()) {
    for (NameStatistics& name : out.numbers) {
      if (ignored.names[index(name.name)]) out.calls -= name.count;
      name.self_ns = saturating_sum(name.self_ns, ignored.moved_ns[index(name.name)]);
    }
    std::erase_if(out.numbers,
                  [&](const NameStatistics& name) { return ignored.names[index(name.name)]; });
  }
  if (!out.names.empty()) return;
  out.unfinished = 0;
  out.names.reserve(out.numbers.size());
  for (const NameStatistics& name : out.numbers) {
    out.unfinished += name.unfinished_count;
    MeasuredRun::Name& made = out.names.emplace_back();
    made.text = strings.text(name.name);
    if (strings.label(name.name) != made.text) made.label = strings.label(name.name);
  }
}

// From ids of the trace to places in MeasuredRun::names.
void take_durations(const DurationIndex& by_id, MeasuredRun& out) {
  out.durations = {};
  for (std::uint32_t i = 0; i < out.numbers.size(); ++i) {
    out.durations.append(i, by_id.of(index(out.numbers[i].name)));
  }
}

void measure_spans(std::span<const MeasuredTrack> tracks, std::size_t id_count,
                   const RunQuestion& question, const std::atomic<bool>& cancelled,
                   MeasuredRun& out) {
  constexpr std::uint32_t kSpans = SpanDurations::kSpans, kNone = UINT32_MAX;
  out.spans = {};
  const auto length_ns = static_cast<double>(saturating_difference(out.end_ns, out.begin_ns));
  if (!(length_ns > 0)) return;
  std::vector<std::uint32_t> place_of(id_count, kNone);  // by id
  for (std::uint32_t i = 0; i < out.numbers.size(); ++i) {
    if (out.numbers[i].count < kLeastSpanned) continue;
    place_of[index(out.numbers[i].name)] = static_cast<std::uint32_t>(out.spans.names.size());
    out.spans.names.push_back(i);
  }
  const Edges edges = edges_of(question.query);
  std::vector<std::vector<SpanDurations::Span>> workers(std::max(1u, question.jobs));
  std::vector<SliceColumns> columns(workers.size());
  const double scale = kSpans / length_ns;
  parallel_for_spans(
      pieces_of(tracks), question.jobs, &cancelled,
      [&](std::size_t worker, const SliceSpan& piece) {
        std::vector<SpanDurations::Span>& spans = workers[worker];
        spans.resize(out.spans.names.size() * kSpans);
        for_columns(
            piece, edges, columns[worker],
            [&](const SliceColumns& at, const SliceChunk&, std::uint64_t, std::uint32_t count) {
              for (std::uint32_t k = 0; k < count; ++k) {
                const std::uint32_t place = place_of[at.names[k]];
                if (place == kNone || at.begins[k] < out.begin_ns) continue;
                const double from = static_cast<double>(at.begins[k] - out.begin_ns) * scale;
                const auto in = std::min(static_cast<std::uint32_t>(from), kSpans - 1);
                SpanDurations::Span& span = spans[place * kSpans + in];
                ++span.count;
                span.sum_ns += static_cast<double>(at.durations[k]);
              }
            });
      });
  out.spans.spans.resize(out.spans.names.size() * kSpans);
  for (const auto& spans : workers) {
    for (std::size_t i = 0; i < spans.size(); ++i) {
      out.spans.spans[i].count += spans[i].count;
      out.spans.spans[i].sum_ns += spans[i].sum_ns;
    }
  }
}

}  // namespace

std::span<const SpanDurations::Span> SpanDurations::of(std::uint32_t name) const {
  const auto found = std::ranges::lower_bound(names, name);
  if (found == names.end() || *found != name || spans.empty()) return {};
  return std::span(spans).subspan(static_cast<std::size_t>(found - names.begin()) * kSpans, kSpans);
}

MeasuredRun run_facts(const Timeline& timeline, std::string path, std::string format) {
  MeasuredRun facts;
  facts.path = std::move(path);
  facts.format = std::move(format);
  facts.axis = timeline.axis;
  if (!timeline.weights.empty()) facts.weight = timeline.weights[timeline.weight].name;
  facts.threads_apart = timeline.threads_apart;
  facts.trace_begin_ns = timeline.begin_ns;
  facts.trace_end_ns = timeline.end_ns;
  for (const auto& [code, diagnostic] : timeline.diagnostics.by_code()) {
    const bool is_loss =
        diagnostic.severity == Severity::damage || diagnostic.severity == Severity::lost;
    if (is_loss) facts.damage += diagnostic.count;
  }
  return facts;
}

MeasuredRun measure_run(const SliceSet& set, const RunQuestion& question, MeasuredRun facts,
                        const std::atomic<bool>& cancelled,
                        const std::function<void(const MeasuredRun&)>& show_first,
                        const PrecomputedTotals* precomputed) {
  MeasuredRun out = std::move(facts);
  const std::vector<MeasuredTrack> tracks = measured_tracks(set, question.query, &cancelled);
  measure_threads(tracks, set, question, cancelled, out);
  const Ignored ignored = ignored_calls(tracks, set, question, cancelled);
  if (is_set(&cancelled)) return out;
  const auto show = [&](const SliceStatistics& statistics) {
    take_names(statistics, set, ignored, out);
    if (show_first) show_first(out);
  };
  DurationIndex durations;
  const SliceStatistics statistics = slice_statistics(set, question.query, question.jobs,
                                                      &cancelled, show, precomputed, &durations);
  if (is_set(&cancelled)) return out;
  take_names(statistics, set, ignored, out);
  take_durations(durations, out);
  const std::vector<std::uint64_t> outer =
      outer_calls(tracks, set.strings->size(), question.jobs, cancelled);
  for (std::size_t i = 0; i < out.names.size(); ++i) {
    out.names[i].outer_calls = outer[index(out.numbers[i].name)];
  }
  if (question.with_spans) {
    measure_spans(tracks, set.strings->size(), question, cancelled, out);
  }
  out.ranks_known = !is_set(&cancelled);
  return out;
}

std::uint64_t kept_bytes(const MeasuredRun& run) {
  std::uint64_t bytes =
      sizeof(run) + run.durations.bytes() + run.numbers.capacity() * sizeof(NameStatistics) +
      run.spans.names.capacity() * sizeof(std::uint32_t) +
      run.spans.spans.capacity() * sizeof(SpanDurations::Span) +
      run.names.capacity() * sizeof(MeasuredRun::Name) + run.threads.capacity() * sizeof(RunThread);
  for (const MeasuredRun::Name& name : run.names) {
    bytes += name.text.capacity() + name.label.capacity();
  }
  return bytes;
}

}  // namespace cinderscope
