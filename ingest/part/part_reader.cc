#include "ingest/part/part_reader.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "ingest/base/saturating.h"
#include "ingest/format/trace_source.h"
#include "ingest/model/slice_nesting.h"
#include "ingest/part/part_text.h"
#include "ingest/part/part_walk.h"

namespace cinderscope {
namespace {

bool has_slices_in(const SliceBlock& block, const Scope& scope) {
  return std::ranges::any_of(block.rows, [&](const SliceRow& row) {
    const RowSegment segment = segment_of(row, scope);
    return segment.first < segment.end;
  });
}

bool has_instants_in(const SliceRow& row, const Scope& scope) {
  const std::uint64_t first = row.lower_bound(scope.begin_ns);
  return first < row.count() && row.begin_ns(first) < scope.end_ns;
}

bool has_anything_in(const Track& track, const Scope& scope) {
  if (track.kind == TrackKind::counter) {
    return std::ranges::any_of(track.series, [&](const CounterSeries& series) {
      const auto first = std::ranges::lower_bound(series.time_ns, scope.begin_ns);
      return first != series.time_ns.end() && *first < scope.end_ns;
    });
  }
  if (has_instants_in(track.instants, scope)) return true;
  if (track.blocks.empty()) return false;
  return has_slices_in(track.root(), scope) ||
         std::ranges::any_of(track.root().nested_instants,
                             [&](const SliceRow& row) { return has_instants_in(row, scope); });
}

// A counter without values in the range still has one that holds at its begin.
bool holds_at(const Track& track, std::int64_t time_ns) {
  return std::ranges::any_of(track.series, [&](const CounterSeries& series) {
    return !series.time_ns.empty() && series.time_ns.front() < time_ns;
  });
}

}  // namespace

PartReader::PartReader(const Timeline& timeline, TraceSource* source, PartOptions options,
                       LoadContext& context)
    : timeline_(timeline), source_(source), options_(std::move(options)), context_(&context) {
  list_tracks();
  list_flow_points();
  if (options_.zero) find_shift();
}

PartReader::~PartReader() = default;

std::string_view PartReader::name_of(StringId id) {
  const std::string_view name = text(id);
  return options_.names == nullptr ? name : options_.names->changed(name);
}

void PartReader::list_tracks() {
  Scope scope;
  scope.begin_ns = options_.from;
  scope.end_ns = options_.to;
  const auto owner = [this](StringId id) {
    const std::string_view name = text(id);
    return options_.owner_names == nullptr || name.empty() ? name
                                                           : options_.owner_names->changed(name);
  };
  bool any = false;  // not only values of counters that hold
  std::vector<std::vector<PartTrack>> of_process(timeline_.processes.size());
  const auto describe_thread = [&](PartTrack& part, ThreadId id) {
    const Thread& thread = timeline_.threads[index(id)];
    part.has_thread = true;
    part.tid = text(thread.tid);
    part.name = owner(thread.name);
    part.sort_index = thread.sort_index;
  };
  const auto add = [&](TrackId id) {
    const Track& track = timeline_.tracks[index(id)];
    if (!options_.tracks.empty() && !std::ranges::binary_search(options_.tracks, id)) return;
    if (options_.has_range()) {
      const bool inside = has_anything_in(track, scope);
      any = any || inside;
      const bool held = track.kind == TrackKind::counter && holds_at(track, options_.from);
      if (!inside && !held) return;
    } else {
      any = true;
    }
    PartTrack part;
    part.kind = track.kind;
    part.id = id;
    part.track_name = owner(track.name);
    part.global = track.global;
    part.has_overlaps = track.has_overlaps;
    part.has_slices = !track.blocks.empty() && !track.root().rows.empty();
    part.has_instants = instant_count(track) > 0;
    if (track.thread != kNoThread) describe_thread(part, track.thread);
    of_process[index(track.process)].push_back(part);
  };
  for (const Thread& thread : timeline_.threads) {
    const auto id = static_cast<std::uint32_t>(&thread - timeline_.threads.data());
    if (thread.track != kNoTrack) {
      add(thread.track);
    } else if (!options_.has_range() && options_.tracks.empty()) {
      PartTrack part;
      describe_thread(part, ThreadId{id});
      of_process[index(thread.process)].push_back(part);
      any = true;
    }
  }
  for (std::uint32_t i = 0; i < timeline_.tracks.size(); ++i) {
    if (timeline_.tracks[i].kind != TrackKind::thread) add(TrackId{i});
  }
  if (!any) return;
  for (std::uint32_t i = 0; i < timeline_.processes.size(); ++i) {
    if (of_process[i].empty()) continue;
    const Process& process = timeline_.processes[i];
    for (PartTrack& part : of_process[i]) {
      part.process = processes_.size();
      tracks_.push_back(part);
    }
    processes_.push_back({text(process.pid), owner(process.name), owner(process.labels),
                          process.sort_index, ProcessId{i}});
  }
}

// Points inside, but for those whose neighbours all lie outside: their arrows would have one end.
// A range that reaches an end of the trace reaches what lies beyond it, too: no other part has
// that.
void PartReader::list_flow_points() {
  const Flows& flows = *timeline_.flows;
  const auto is_written = [this](TrackId track) {
    return track != kNoTrack &&
           (options_.tracks.empty() || std::ranges::binary_search(options_.tracks, track));
  };
  std::uint64_t number = 0;
  for (std::size_t flow = 0; flow < flows.flows.size(); ++flow) {
    const Flows::Range all = flows.points_of(flow);
    std::uint64_t inside = 0, first = 0, last = 0;
    bool misses_slice = false;  // of a point that is meant: formats bind points to slices
    for (std::uint64_t i = all.first; i < all.end; ++i) {
      const FlowPoint point = flow_point(timeline_, i);
      const bool inside_range = is_in(point.time_ns);
      if (!inside_range && !is_beyond_trace(point.time_ns)) continue;
      misses_slice |= point.track == kNoTrack || (!inside_range && is_written(point.track));
      if (!inside_range || !is_written(point.track)) continue;
      if (inside++ == 0) first = i;
      last = i;
    }
    if (inside < 2) {
      flows_cut_ += inside == 1 || misses_slice ? 1 : 0;
      continue;
    }
    if (inside < all.count()) ++flows_cut_;
    ++number;
    for (std::uint64_t i = first; i <= last; ++i) {
      const FlowPoint point = flow_point(timeline_, i);
      if (!is_written(point.track) || !is_in(point.time_ns)) continue;
      using Place = PartFlowPoint::Place;
      const SliceRow& row = timeline_.tracks[index(point.track)].root().rows[point.row];
      points_.push_back({point.track, point.time_ns, number, index(flows.flows[flow].name),
                         i == first ? Place::start : (i == last ? Place::end : Place::step),
                         row.begin_ns(point.slice) > point.time_ns});
    }
  }
  // Numbered by their ends, so that a trace that was written is written so again, in whatever order
  // its format tells of flows.
  std::vector<std::pair<std::int64_t, std::uint64_t>> ends(number);
  for (const Point& point : points_) ends[point.flow - 1] = {point.time_ns, point.flow};
  std::ranges::sort(ends);
  std::vector<std::uint64_t> renumbered(number + 1);
  for (std::size_t i = 0; i < ends.size(); ++i) renumbered[ends[i].second] = i + 1;
  for (Point& point : points_) point.flow = renumbered[point.flow];
  std::ranges::stable_sort(points_, [](const Point& a, const Point& b) {
    return std::tuple(a.track, a.time_ns) < std::tuple(b.track, b.time_ns);
  });
}

void PartReader::find_shift() {
  std::int64_t first_ns = INT64_MAX;
  Scope scope;
  scope.begin_ns = options_.from;
  scope.end_ns = options_.to;
  const auto take = [&](std::int64_t time_ns) { first_ns = std::min(first_ns, time_ns); };
  const auto take_instants = [&](const SliceRow& row) {
    if (has_instants_in(row, scope)) take(row.begin_ns(row.lower_bound(options_.from)));
  };
  for (const PartTrack& part : tracks_) {
    if (part.id == kNoTrack) continue;
    const Track& track = timeline_.tracks[index(part.id)];
    take_instants(track.instants);
    if (!track.blocks.empty()) {
      for (const SliceRow& row : track.root().nested_instants) take_instants(row);
      for (const SliceRow& row : track.root().rows) {
        RowSegment segment = segment_of(row, scope);
        if (segment.first == segment.end) continue;
        const std::int64_t begin_ns = row.begin_ns(segment.first);
        if (options_.edges == RangeEdges::whole) take(begin_ns);
        if (options_.edges == RangeEdges::cut) take(std::max(begin_ns, options_.from));
        if (options_.edges == RangeEdges::drop) {
          if (begin_ns < options_.from) ++segment.first;
          if (segment.first < segment.end) take(row.begin_ns(segment.first));
        }
      }
    }
    for (const CounterSeries& series : track.series) {
      if (series.time_ns.empty()) continue;
      if (series.time_ns.front() < options_.from) take(options_.from);
      const auto first = std::ranges::lower_bound(series.time_ns, options_.from);
      if (first != series.time_ns.end() && *first < options_.to) take(*first);
    }
  }
  shift_ns_ = first_ns == INT64_MAX ? 0 : first_ns;
}

Result<bool> PartReader::read(const PartTrack& part, PartVisitor& visitor) {
  if (part.id == kNoTrack) return true;
  const Track& track = timeline_.tracks[index(part.id)];
  if (track.kind == TrackKind::counter) return read_counter(track, visitor);
  Walk walk(*this, part, visitor);
  return walk.run();
}

// Values of one time together, in the order of the series.
Result<bool> PartReader::read_counter(const Track& track, PartVisitor& visitor) {
  struct Cursor {
    const CounterSeries* series;
    std::size_t next;
    bool held;  // the value before the range
  };
  std::vector<Cursor> cursors;
  for (const CounterSeries& series : track.series) {
    const auto first = std::ranges::lower_bound(series.time_ns, options_.from);
    const auto next = static_cast<std::size_t>(first - series.time_ns.begin());
    const bool exact = next < series.time_ns.size() && series.time_ns[next] == options_.from;
    const bool held = next > 0 && !exact;
    cursors.push_back({&series, held ? next - 1 : next, held});
  }
  const auto time_of = [this](const Cursor& cursor) {
    if (cursor.next == cursor.series->time_ns.size()) return INT64_MAX;
    return cursor.held ? options_.from : cursor.series->time_ns[cursor.next];
  };
  std::vector<PartCounter::Value> values;
  while (visitor.goes_on() && !context_->cancelled()) {
    std::int64_t time_ns = INT64_MAX;
    for (const Cursor& cursor : cursors) time_ns = std::min(time_ns, time_of(cursor));
    if (time_ns >= options_.to || time_ns == INT64_MAX) return true;
    values.clear();
    for (Cursor& cursor : cursors) {
      if (time_of(cursor) != time_ns) continue;
      values.push_back({name_of(cursor.series->name), cursor.series->value[cursor.next]});
      ++cursor.next;
      cursor.held = false;
    }
    visitor.counter({saturating_difference(time_ns, shift_ns_), values});
  }
  return false;
}

std::vector<PartPause> PartReader::pauses(const PartProcess& process) const {
  std::vector<PartPause> out;
  for (const auto& pauses : timeline_.pauses) {
    if (pauses == nullptr || pauses->process() != process.id) continue;
    for (const Pause& pause : pauses->all()) {
      const std::int64_t begin_ns = std::max(pause.begin_ns, options_.from);
      const std::int64_t end_ns = std::min(pause.end_ns, options_.to);
      if (begin_ns < end_ns)
        out.push_back(
            {saturating_difference(begin_ns, shift_ns_), saturating_difference(end_ns, shift_ns_)});
    }
  }
  return out;
}

PartText PartReader::text_of(const PartInstant& instant) const {
  if (source_ == nullptr || instant.record == kNoRecord) return {};
  if (!options_.args && !options_.categories) return {};
  RecordText text = source_->describe(instant.record, kNoRecord);
  PartText out;
  if (options_.categories) out.category = std::move(text.category);
  if (options_.args) out.args = args_json(text);
  return out;
}

void PartReader::texts_of(std::span<const PartSlice> slices, std::vector<PartText>& texts) const {
  texts.assign(slices.size(), {});
  const bool reads_args = source_ != nullptr && options_.args && source_->has_args();
  const bool reads_categories =
      source_ != nullptr && options_.categories && source_->has_categories();
  if (!reads_args && !reads_categories) return;
  std::vector<TraceSource::RecordEnds> records;
  records.reserve(slices.size());
  for (const PartSlice& slice : slices) records.push_back({slice.record, slice.end_record});
  if (!reads_args) {
    std::vector<std::string> categories(slices.size());
    source_->categories_of(records, categories);
    for (std::size_t i = 0; i < slices.size(); ++i) texts[i].category = std::move(categories[i]);
    return;
  }
  std::vector<RecordText> said(slices.size());
  source_->describe_all(records, said);
  for (std::size_t i = 0; i < slices.size(); ++i) {
    texts[i].args = args_json(said[i]);
    if (reads_categories) texts[i].category = std::move(said[i].category);
  }
}

void PartReader::count_lost(const LossKind& kind, const PartTrack& part, LossReport& losses) const {
  if (part.id == kNoTrack) return;
  const Track& track = timeline_.tracks[index(part.id)];
  Scope scope;
  scope.begin_ns = options_.from;
  scope.end_ns = options_.to;
  std::uint64_t count = 0;
  if (track.kind == TrackKind::counter) {
    for (const CounterSeries& series : track.series) {
      const auto first = std::ranges::lower_bound(series.time_ns, options_.from);
      const auto end = std::ranges::lower_bound(series.time_ns, options_.to);
      count += static_cast<std::uint64_t>(std::max<std::ptrdiff_t>(0, end - first));
    }
    losses.count(kind, count);
    return;
  }
  RecordOffset record = kNoRecord;
  const auto add = [&](const SliceRow& row, std::uint64_t first, std::uint64_t end) {
    if (first >= end) return;
    if (count == 0) record = row.slice(first).record;
    count += end - first;
  };
  const auto add_marks = [&](const SliceRow& row) {
    add(row, row.lower_bound(options_.from),
        options_.to == INT64_MAX ? row.count() : row.lower_bound(options_.to));
  };
  const bool marks = kind.word == loss::kInstants.word || kind.word == loss::kSteps.word;
  if (marks) {
    add_marks(track.instants);
    if (!track.blocks.empty()) std::ranges::for_each(track.root().nested_instants, add_marks);
  } else if (!track.blocks.empty()) {
    for (const SliceRow& row : track.root().rows) {
      const RowSegment segment = segment_of(row, scope);
      add(row, segment.first, segment.end);
    }
  }
  losses.count(kind, count, record);
}

std::vector<std::int64_t> PartReader::flow_times() const {
  std::vector<std::int64_t> times;
  times.reserve(points_.size());
  for (const Point& point : points_) times.push_back(point.time_ns);
  std::ranges::sort(times);
  return times;
}

std::uint64_t PartReader::flow_count() const {
  return points_.empty() ? 0 : std::ranges::max(points_, {}, &Point::flow).flow;
}

}  // namespace cinderscope
