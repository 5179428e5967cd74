#include "ingest/prepared/model_fields.h"

#include <memory>
#include <utility>

namespace cinderscope::prepared {
namespace {

// Each function takes a writer with the values, or a reader that sets them, so that both ways name
// the same fields in the same order.
struct Writing {
  FieldWriter& out;
  template <class T>
  void field(const T& value) {
    out.add(value);
  }
  template <class T>
  void enumeration(const T& value, T) {
    out.add(value);
  }
  void text(const std::string& value) { out.add_text(value); }
  template <class T, class Each>
  void list(const std::vector<T>& values, std::size_t, const Each& each) {
    out.add(std::uint64_t{values.size()});
    for (const T& value : values) each(value);
  }
};

struct Reading {
  FieldReader& in;
  template <class T>
  void field(T& value) {
    value = in.take<T>();
  }
  template <class T>
  void enumeration(T& value, T last) {
    value = in.take_enum(last);
  }
  void text(std::string& value) { value = in.take_text(); }
  template <class T, class Each>
  void list(std::vector<T>& values, std::size_t least_bytes, const Each& each) {
    values.resize(in.take_count(least_bytes));
    for (T& value : values) each(value);
  }
};

void do_axis(Writing& way, const TimeAxis& axis) {
  way.out.add(axis.kind);
  way.out.add(axis.scale);
  way.out.add_text(axis.unit.text());
}

void do_axis(Reading& way, TimeAxis& axis) {
  axis.kind = way.in.take_enum(TimeAxis::events);
  axis.scale = way.in.take<std::uint32_t>();
  axis.unit = UnitWord(way.in.take_text());
}

void do_diagnostics(Writing& way, const Diagnostics& diagnostics) {
  way.out.add(std::uint64_t{diagnostics.by_code().size()});
  for (const auto& [code, diagnostic] : diagnostics.by_code()) {
    way.out.add_text(code);
    way.out.add(diagnostic.count);
    way.out.add(diagnostic.first_offset);
    way.out.add(diagnostic.severity);
    way.out.add_text(diagnostic.text);
    way.out.add_text(diagnostic.advice);
    way.out.add(diagnostic.ends_early);
  }
}

void do_diagnostics(Reading& way, Diagnostics& diagnostics) {
  for (std::size_t left = way.in.take_count(42); left > 0 && way.in.ok(); --left) {
    const std::string_view code = way.in.take_text();
    Diagnostic diagnostic;
    diagnostic.count = way.in.take<std::uint64_t>();
    diagnostic.first_offset = way.in.take<std::int64_t>();
    diagnostic.severity = way.in.take_enum(Severity::lost);
    diagnostic.text = way.in.take_text();
    diagnostic.advice = way.in.take_text();
    diagnostic.ends_early = way.in.take<bool>();
    diagnostics.add(code, diagnostic);
  }
}

template <class Way, class Model>
void do_tables(Way& way, Model& timeline) {
  do_axis(way, timeline.axis);
  way.field(timeline.threads_apart);
  way.list(timeline.weights, 16, [&](auto& weight) {
    way.text(weight.name);
    way.text(weight.unit);
  });
  way.field(timeline.weight);
  way.field(timeline.show_ns_unit);
  way.list(timeline.files, 16, [&](auto& file) {
    way.text(file.name);
    way.text(file.path);
  });
  way.list(timeline.processes, 33, [&](auto& process) {
    way.field(process.pid);
    way.field(process.name);
    way.field(process.labels);
    way.field(process.sort_index);
    way.field(process.first_ns);
    way.field(process.file);
    way.field(process.added);
  });
  way.list(timeline.threads, 32, [&](auto& thread) {
    way.field(thread.process);
    way.field(thread.tid);
    way.field(thread.name);
    way.field(thread.sort_index);
    way.field(thread.track);
    way.field(thread.wide_instants);
  });
  do_diagnostics(way, timeline.diagnostics);
  way.list(timeline.notes, 16, [&](auto& note) {
    way.text(note.key);
    way.text(note.text);
  });
  way.list(timeline.legend, 20, [&](auto& entry) {
    way.text(entry.text);
    way.field(entry.colour);
    way.text(entry.search);
  });
  way.list(timeline.gaps, 24, [&](auto& gap) {
    way.field(gap.begin_ns);
    way.field(gap.end_ns);
    way.field(gap.file);
    way.field(gap.thread);
  });
  way.field(timeline.begin_ns);
  way.field(timeline.end_ns);
  way.field(timeline.slices_begin_ns);
  way.field(timeline.slices_end_ns);
  way.field(timeline.slice_count);
  way.field(timeline.unfinished_count);
  way.field(timeline.overlapping_count);
  way.field(timeline.instant_count);
  way.field(timeline.sample_count);
  way.field(timeline.async_slice_count);
  way.field(timeline.async_unfinished_count);
  way.field(timeline.async_group_count);
  way.field(timeline.async_step_count);
  way.field(timeline.lifetime_count);
  way.field(timeline.lifetime_mark_count);
  way.field(timeline.flow_count);
  way.field(timeline.bind_flow_count);
  way.field(timeline.record_count);
  way.field(timeline.complete);
}

template <class Way, class AnyTrack>
void do_track(Way& way, AnyTrack& track) {
  way.enumeration(track.kind, TrackKind::marks);
  way.field(track.process);
  way.field(track.thread);
  way.field(track.name);
  way.field(track.slice_count);
  way.field(track.has_overlaps);
  way.field(track.global);
  way.field(track.tolerance_ns);
  way.field(track.row_count);
  way.field(track.depth);
  way.field(track.group_count);
  way.field(track.begin_ns);
  way.field(track.end_ns);
}

template <class Way, class AnySeries>
void do_series(Way& way, AnySeries& series) {
  way.field(series.name);
  way.field(series.min);
  way.field(series.max);
}

constexpr std::size_t kTrackBytes = 100, kRowBytes = 9, kSeriesBytes = 28;

// Sound as far as the tables alone can tell.
bool is_sound(const Timeline& timeline) {
  const auto within = [](auto id, std::size_t count) { return index(id) < count; };
  const std::size_t processes = timeline.processes.size(), threads = timeline.threads.size();
  const std::size_t tracks = timeline.tracks.size();
  if (timeline.weight != 0 && timeline.weight >= timeline.weights.size()) return false;
  for (const Process& process : timeline.processes) {
    if (process.file != kNoFile && process.file >= timeline.files.size()) return false;
  }
  for (const Thread& thread : timeline.threads) {
    if (!within(thread.process, processes)) return false;
    if (thread.track != kNoTrack && !within(thread.track, tracks)) return false;
  }
  for (const Track& track : timeline.tracks) {
    if (!within(track.process, processes)) return false;
    if (track.thread != kNoThread && !within(track.thread, threads)) return false;
    if (track.kind == TrackKind::thread && track.thread == kNoThread) return false;
  }
  for (const DataGap& gap : timeline.gaps) {
    if (gap.file != kNoFile && gap.file >= timeline.files.size()) return false;
    if (gap.thread != kNoThread && !within(gap.thread, threads)) return false;
  }
  for (const auto& pauses : timeline.pauses) {
    if (!within(pauses->process(), processes)) return false;
  }
  return true;
}

}  // namespace

void write_model(const Timeline& timeline, FieldWriter& out, const RowVisitor& visit) {
  Writing way{out};
  do_tables(way, timeline);
  out.add(std::uint64_t{timeline.pauses.size()});
  for (const auto& pauses : timeline.pauses) {
    out.add(pauses->process());
    way.list(pauses->all(), 16, [&](const Pause& pause) {
      out.add(pause.begin_ns);
      out.add(pause.end_ns);
    });
  }
  const auto row = [&](const SliceRow& each) {
    out.add(std::uint64_t{each.chunks.size()});
    out.add(!each.upper.empty());
    visit.row(each);
  };
  out.add(std::uint64_t{timeline.tracks.size()});
  for (const Track& track : timeline.tracks) {
    do_track(way, track);
    row(track.instants);
    row(track.covered);
    way.list(track.root().rows, kRowBytes, row);
    way.list(track.root().nested_instants, kRowBytes, row);
    way.list(track.series, kSeriesBytes, [&](const CounterSeries& series) {
      do_series(way, series);
      out.add(std::uint64_t{series.time_ns.size()});
      visit.series(series);
    });
  }
}

void read_model(FieldReader& in, ModelToFill& out) {
  Reading way{in};
  Timeline& timeline = out.timeline;
  do_tables(way, timeline);
  for (std::size_t left = in.take_count(12); left > 0 && in.ok(); --left) {
    const auto process = in.take<ProcessId>();
    std::vector<Pause> pauses;
    way.list(pauses, 16, [&](Pause& pause) {
      pause.begin_ns = in.take<std::int64_t>();
      pause.end_ns = in.take<std::int64_t>();
    });
    timeline.pauses.push_back(std::make_shared<ProcessPauses>(process, std::move(pauses)));
  }
  const auto row = [&](SliceRow& each) {
    RowToFill to_fill{.row = &each};
    to_fill.chunks = in.take<std::uint64_t>();
    to_fill.has_upper = in.take<bool>();
    if (to_fill.chunks > 0) out.rows.push_back(to_fill);
  };
  // Nothing of it moves afterwards: rows and series are found by their address.
  timeline.tracks.resize(in.take_count(kTrackBytes));
  for (Track& track : timeline.tracks) {
    do_track(way, track);
    row(track.instants);
    row(track.covered);
    auto block = std::make_shared<SliceBlock>();
    way.list(block->rows, kRowBytes, row);
    way.list(block->nested_instants, kRowBytes, row);
    if (block->nested_instants.size() > block->rows.size() + 1) in.fail();
    if (track.row_count != block->rows.size()) in.fail();
    track.blocks = {std::move(block)};
    way.list(track.series, kSeriesBytes, [&](CounterSeries& series) {
      do_series(way, series);
      out.series.push_back({&series, in.take<std::uint64_t>()});
    });
    if (!in.ok()) return;
  }
  if (in.ok() && !is_sound(timeline)) in.fail();
}

}  // namespace cinderscope::prepared
