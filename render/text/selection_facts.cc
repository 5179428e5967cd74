#include "render/text/selection_facts.h"

#include <fmt/format.h>

#include <utility>

#include "ingest/base/saturating.h"
#include "ingest/model/demangle.h"
#include "ingest/model/flow_links.h"
#include "ingest/model/measure/negative_weight.h"
#include "ingest/model/slice_nesting.h"
#include "render/layout/track_list.h"
#include "render/text/day_text.h"
#include "render/text/label.h"
#include "render/text/time_text.h"

namespace cinderscope {
namespace {

// A stand-in for a missing name ("Process 7") ends in the id already; "-" stands for none.
std::string with_id(std::string name, std::string_view id) {
  while (name.ends_with(' ')) name.pop_back();
  const bool told = name == id || name.ends_with(fmt::format(" {}", id));
  if (!id.empty() && id != "-" && !told) name.append(" ").append(id);
  return name;
}

void add_place(const Timeline& timeline, TrackId id, SelectionFacts& out) {
  const Track& track = timeline.tracks[index(id)];
  const bool is_thread = track.kind == TrackKind::thread;
  out.facts.push_back({is_thread ? "Thread" : "Track", place_label(timeline, id)});
  if (index(track.process) >= timeline.processes.size()) return;
  out.facts.push_back({"Process", with_id(process_label(timeline, track.process),
                                          process_id_text(timeline, track.process))});
}

void add_category(SelectionFacts& out) {
  if (!out.record.category.empty()) out.facts.push_back({"Category", out.record.category});
}

// Times are written as on the ruler. Beside them stands the file's clock, or the time from the
// start where the ruler shows the clock.
void add_clock(const Timeline& timeline, const TimestampFormat& format, std::int64_t time_ns,
               SelectionFacts& out) {
  if (format.axis == TimeAxis::nanoseconds && format.shown == TimeShown::time_of_day) {
    out.facts.push_back({"Date", date_text(time_ns) + ", " + zone_text(time_ns)});
  }
  if (format.origin_ns == 0 || format.axis == TimeAxis::events) return;
  TimestampFormat other = format;
  const bool from_start = format.shown == TimeShown::from_start;
  other.shown = from_start ? TimeShown::clock : TimeShown::from_start;
  other.unit = unit_of(timeline, other.shown);
  out.facts.push_back(
      {from_start ? "Timestamp in file" : "From start", timestamp_text(time_ns, other)});
}

void add_name(const Timeline& timeline, StringId name, SelectionFacts& out) {
  out.name = display_label(timeline, name);
  if (looks_mangled(timeline.text(name)) && out.name != timeline.text(name)) {
    out.facts.push_back({"Symbol", std::string(timeline.text(name))});
  }
  out.name_id = name;
  out.name_hash = timeline.strings->hash(name);
}

// Of a slice that is a part of what was recorded.
void add_cut(const Slice& slice, TimeAxis axis, SelectionFacts& out) {
  const std::int64_t whole_ns = out.record.cut ? out.record.cut->duration_ns : 0;
  out.facts.push_back({"Cut",
                       whole_ns > 0 ? duration_text(slice.duration_ns, axis) + " of " +
                                          duration_text(whole_ns, axis) + " lie in this part"
                                    : "The rest is not in this part",
                       true});
}

// On an axis of events, where lengths count events: the calls that a call made, directly and in
// all.
void add_calls(const Timeline& timeline, const SliceRef& ref, SelectionFacts& out) {
  if (!timeline.threads_apart) return;
  const SliceBlock& block = *block_of(timeline, ref);
  const Slice slice = slice_at(timeline, ref);
  if (timeline.tracks[index(ref.track)].has_overlaps) return;
  std::uint64_t direct = 0, all = 0;
  for (std::size_t row = std::size_t{ref.row} + 1; row < block.rows.size(); ++row) {
    const std::uint64_t calls =
        block.rows[row].lower_bound(slice.end_ns()) - block.rows[row].lower_bound(slice.begin_ns);
    if (calls == 0) break;
    if (row == std::size_t{ref.row} + 1) direct = calls;
    all += calls;
  }
  out.facts.push_back({"Calls made", count_text(direct) +
                                         (all > direct ? ", " + count_text(all) + " in all" : "")});
}

// Pauses of the process are no self time of the call.
void add_pauses(const Timeline& timeline, const SliceRef& ref, const Slice& slice,
                SelectionFacts& out) {
  const ProcessPauses* pauses = pauses_of(timeline, ref.track);
  const bool is_pause = timeline.tracks[index(ref.track)].kind == TrackKind::async;
  if (pauses == nullptr || is_pause) return;
  const std::int64_t paused_ns = pauses->within(slice.begin_ns, slice.end_ns());
  if (paused_ns == 0) return;
  out.facts.push_back({"Paused", exact_length_text(paused_ns, timeline.axis)});
  out.facts.push_back(
      {"Less pauses", exact_length_text(slice.duration_ns - paused_ns, timeline.axis)});
}

void add_parents(const Timeline& timeline, const SliceRef& selected, SelectionFacts& out) {
  SliceRef last = selected;
  for (SliceRef parent = parent_of(timeline, last); parent; parent = parent_of(timeline, last)) {
    if (block_of(timeline, parent) == nullptr) break;
    if (out.parents.size() == SelectionFacts::kMaxParents) {
      out.more_parents = depth_of(timeline, last);  // the chain may be a million long
      break;
    }
    const Slice slice = slice_at(timeline, parent);
    out.parents.push_back(
        {parent, std::string(display_label(timeline, slice.name)), slice.duration_ns});
    last = parent;
  }
}

void add_flows(const Timeline& timeline, const SliceRef& ref, SelectionFacts& out) {
  const Flows& flows = *timeline.flows;
  if (flows.by_slice.empty()) return;
  const FlowLinks links = flow_links(timeline, ref);
  out.flows.reserve(links.in.size() + links.out.size());
  const auto add = [&](const FlowLink& link, bool leads_here) {
    const FlowPoint from = flow_point(timeline, link.from), to = flow_point(timeline, link.to);
    const FlowPoint &here = leads_here ? to : from, &there = leads_here ? from : to;
    out.flows.push_back({link.flow, leads_here, slice_of(there),
                         saturating_difference(there.time_ns, here.time_ns)});
  };
  for (const FlowLink& link : links.in) add(link, true);
  for (const FlowLink& link : links.out) add(link, false);
  out.inner_flow_points = points_inside(flows, *block_of(timeline, ref), ref,
                                        timeline.tracks[index(ref.track)].has_overlaps);
}

SelectionFacts slice_facts(const Timeline& timeline, const SliceRef& ref,
                           const TimestampFormat& format, const TraceSource* source) {
  SelectionFacts out;
  if (block_of(timeline, ref) == nullptr) {
    out.kind = SelectionFacts::Kind::evicted;
    return out;
  }
  out.kind = SelectionFacts::Kind::slice;
  const Slice slice = slice_at(timeline, ref);
  const TimeAxis axis = timeline.axis;
  if (source != nullptr) out.record = source->describe(slice.record, slice.end_record);
  add_name(timeline, slice.name, out);
  out.facts.push_back({"Duration", exact_length_text(slice.duration_ns, axis)});
  out.track_kind = timeline.tracks[index(ref.track)].kind;
  const bool nests = slices_nest(timeline.tracks[index(ref.track)]);
  if (nests) out.facts.push_back({"Self", exact_length_text(self_ns(timeline, ref), axis)});
  add_pauses(timeline, ref, slice, out);
  out.facts.push_back({"Begin", timestamp_text(slice.begin_ns, format)});
  out.facts.push_back({"End", timestamp_text(slice.end_ns(), format)});
  add_clock(timeline, format, slice.begin_ns, out);
  if (out.record.cpu_ns) out.facts.push_back({"CPU time", exact_text(*out.record.cpu_ns)});
  add_category(out);
  add_calls(timeline, ref, out);
  add_place(timeline, ref.track, out);
  if (nests) {
    out.depth = depth_of(timeline, ref) + 1;
    out.facts.push_back({"Depth", count_text(out.depth)});
  }
  if ((slice.flags & kUnfinished) != 0) {
    out.facts.push_back({"Unfinished",
                         nests ? "No end event; shown to the end of the thread" : "No end event",
                         true});
  }
  if ((slice.flags & (kCutBegin | kCutEnd)) != 0) add_cut(slice, axis, out);
  if ((slice.flags & kOverlapping) != 0) {
    out.facts.push_back({"Overlapping", "Overlaps an earlier call; drawn on its own row", true});
  }
  if ((slice.flags & kNegative) != 0) {
    out.facts.push_back({"Negative", "Its weight is below 0; it is as wide as without sign", true});
  }
  for (const auto& [key, value] : out.record.facts) {
    out.facts.push_back({fact_title(key), value});
  }
  add_parents(timeline, ref, out);
  add_flows(timeline, ref, out);
  out.instants = NestedInstants(timeline, ref);
  return out;
}

SelectionFacts instant_facts(const Timeline& timeline, const InstantRef& ref,
                             const TimestampFormat& format, const TraceSource* source) {
  SelectionFacts out;
  const SliceRow* instants = instants_of(timeline, ref);
  if (instants == nullptr) {
    const bool evicted = ref.block != BlockId{} && index(ref.track) < timeline.tracks.size();
    if (evicted) out.kind = SelectionFacts::Kind::evicted;
    return out;
  }
  out.kind = SelectionFacts::Kind::instant;
  const Slice instant = instants->slice(ref.instant);
  out.track_kind = timeline.tracks[index(ref.track)].kind;
  if (source != nullptr) out.record = source->describe(instant.record, instant.end_record);
  add_name(timeline, instant.name, out);
  out.facts.push_back({"Time", timestamp_text(instant.begin_ns, format)});
  add_clock(timeline, format, instant.begin_ns, out);
  add_category(out);
  add_place(timeline, ref.track, out);
  for (const auto& [key, value] : out.record.facts) {
    out.facts.push_back({fact_title(key), value});
  }
  if (const SliceRef around = call_around(timeline, ref)) {
    const bool is_there = block_of(timeline, around) != nullptr;
    if (is_there) {
      const Slice call = slice_at(timeline, around);
      out.parents.push_back(
          {around, std::string(display_name(timeline, call.name)), call.duration_ns});
      add_parents(timeline, around, out);
    }
  }
  return out;
}

}  // namespace

std::string place_label(const Timeline& timeline, TrackId id) {
  if (index(id) >= timeline.tracks.size()) return {};
  const Track& track = timeline.tracks[index(id)];
  return with_id(track_label(timeline, track), track_id_text(timeline, track));
}

std::string distance_text(const FlowStep& end, TimeAxis axis) {
  if (end.distance_ns == 0) return "at once";
  const std::int64_t length_ns =
      end.distance_ns > 0 ? end.distance_ns : saturating_difference(0, end.distance_ns);
  return length_text(length_ns, axis) + (end.distance_ns > 0 ? " later" : " before");
}

std::string_view callers_word(const SelectionFacts& facts) {
  const bool of = facts.track_kind == TrackKind::async || facts.track_kind == TrackKind::lifetimes;
  return of ? "Of" : "Called by";
}

SelectionFacts selection_facts(const Timeline& timeline, const TimelineState& state,
                               const TraceSource* source) {
  const TimestampFormat format = timestamp_format(timeline, state);
  if (state.selected) return slice_facts(timeline, state.selected, format, source);
  if (state.selected_instant) {
    return instant_facts(timeline, state.selected_instant, format, source);
  }
  CounterFactsMaker maker;
  return counter_selection(timeline, state, maker, 0);
}

SelectionFacts counter_selection(const Timeline& timeline, const TimelineState& state,
                                 CounterFactsMaker& maker, std::uint64_t version) {
  SelectionFacts out;
  std::optional<CounterFacts> counter = maker.facts(timeline, state, version);
  if (!counter) return out;
  const TimestampFormat format = timestamp_format(timeline, state);
  out.kind = SelectionFacts::Kind::counter;
  out.track_kind = TrackKind::counter;
  const Track& track = timeline.tracks[index(state.selected_counter.track)];
  add_name(timeline, track.name, out);
  out.facts.push_back({"Time", timestamp_text(counter->time_ns, format)});
  add_clock(timeline, format, counter->time_ns, out);
  add_place(timeline, state.selected_counter.track, out);
  out.facts.push_back({"Measured", counter->of_range ? "selected range" : "view"});
  out.facts.push_back({"From", timestamp_text(counter->begin_ns, format)});
  out.facts.push_back({"To", timestamp_text(counter->end_ns, format)});
  out.counter = std::move(*counter);
  return out;
}

}  // namespace cinderscope
