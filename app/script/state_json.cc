#include "app/script/state_json.h"

#include <algorithm>
#include <cmath>

#include "app/commands/thread_commands.h"
#include "app/output/diagnostics_json.h"
#include "ingest/base/ascii.h"
#include "ingest/base/json/json_writer.h"
#include "ingest/base/number_text.h"
#include "ingest/model/slice_nesting.h"
#include "render/layout/track_list.h"
#include "render/text/counter_facts.h"
#include "render/text/time_text.h"

namespace cinderscope {

namespace {

bool is_json_number(std::string_view text) {
  if (text.empty() || text.front() == '+') return false;
  const std::string_view digits = text.substr(text.front() == '-' ? 1 : 0);
  if (digits.empty() || !is_digit(digits.front())) return false;
  if (digits.size() > 1 && digits[0] == '0' && is_digit(digits[1])) {
    return false;
  }
  const auto dot = digits.find('.');  // JSON wants a digit on either side of it
  if (dot != std::string_view::npos && (dot + 1 == digits.size() || !is_digit(digits[dot + 1]))) {
    return false;
  }
  return parse_number<double>(text).has_value();
}

void write_scalar(JsonWriter& out, const ArgsNode& node) {
  const bool literal = node.kind == ArgsKind::boolean || node.kind == ArgsKind::null;
  if (literal || (node.kind == ArgsKind::number && is_json_number(node.value))) {
    out.raw(node.value);
  } else {
    out.text(node.value);
  }
}

// The flat tree as nested JSON; a level ends where a node of smaller depth follows.
void write_args(JsonWriter& out, const ArgsTree& tree) {
  if (tree.nodes.empty()) {
    out.null();
    return;
  }
  std::vector<ArgsKind> open;
  const auto close_to = [&](std::size_t depth) {
    while (open.size() > depth) {
      if (open.back() == ArgsKind::object) {
        out.end_object();
      } else {
        out.end_array();
      }
      open.pop_back();
    }
  };
  for (const ArgsNode& node : tree.nodes) {
    if (node.depth == 0 && &node != tree.nodes.data()) break;  // one value only
    close_to(node.depth);
    if (!open.empty() && open.back() == ArgsKind::object) out.key(node.key);
    if (node.kind == ArgsKind::object) {
      out.begin_object();
      open.push_back(node.kind);
    } else if (node.kind == ArgsKind::array) {
      out.begin_array();
      open.push_back(node.kind);
    } else {
      write_scalar(out, node);
    }
  }
  close_to(0);
}

void write_slice(JsonWriter& out, const Session& session, const SliceRef& ref) {
  const Timeline& timeline = session.timeline();
  if (block_of(timeline, ref) == nullptr) {
    out.null();
    return;
  }
  const Slice slice = slice_at(timeline, ref);
  const Track& track = timeline.tracks[index(ref.track)];
  out.begin_object().field("name", display_name(timeline, slice.name));
  out.field("begin", slice.begin_ns).field("duration", slice.duration_ns);
  out.field("self", self_ns(timeline, ref)).field("depth", depth_of(timeline, ref) + 1);
  out.field("pid", timeline.text(timeline.processes[index(track.process)].pid));
  out.key("tid");
  if (track.thread == kNoThread) {
    out.null();
  } else {
    out.text(timeline.text(timeline.threads[index(track.thread)].tid));
  }
  out.key("args");
  if (session.source() == nullptr) {
    out.null();
  } else {
    write_args(out, session.source()->describe(slice.record, slice.end_record).args);
  }
  out.end_object();
}

void write_instant(JsonWriter& out, const Session& session, const InstantRef& ref) {
  const Timeline& timeline = session.timeline();
  const SliceRow* row = instants_of(timeline, ref);
  if (row == nullptr) {
    out.null();
    return;
  }
  const Slice instant = row->slice(ref.instant);
  const Track& track = timeline.tracks[index(ref.track)];
  out.begin_object().field("name", display_name(timeline, instant.name));
  out.field("time", instant.begin_ns).field("track", track_label(timeline, track));
  out.field("pid", timeline.text(timeline.processes[index(track.process)].pid));
  out.key("on");
  const SliceRef around = call_around(timeline, ref);
  if (block_of(timeline, around) == nullptr) {
    out.null();
  } else {
    out.text(display_name(timeline, slice_at(timeline, around).name));
  }
  out.key("args");
  if (session.source() == nullptr) {
    out.null();
  } else {
    write_args(out, session.source()->describe(instant.record, instant.end_record).args);
  }
  out.end_object();
}

void write_counter(JsonWriter& out, const Session& session) {
  CounterFactsMaker maker;
  const auto counter = maker.facts(session.timeline(), session.state(), session.version());
  if (!counter) {
    out.null();
    return;
  }
  out.begin_object().field("name", std::string_view(counter->name));
  out.field("time", counter->time_ns).field("begin", counter->begin_ns);
  out.field("end", counter->end_ns).key("series").begin_array();
  for (const SeriesFacts& series : counter->series) {
    out.begin_object().field("name", std::string_view(series.name)).field("unit", series.unit);
    out.key("value");
    if (series.value) {
      out.number(*series.value);
    } else {
      out.null();
    }
    for (const auto& [key, value] :
         {std::pair("min", series.measure.min), std::pair("mean", series.measure.mean),
          std::pair("max", series.measure.max)}) {
      out.key(key);
      if (series.measure.points > 0) {
        out.number(value);
      } else {
        out.null();
      }
    }
    out.end_object();
  }
  out.end_array().end_object();
}

void write_threads(JsonWriter& out, const Session& session) {
  const ShownThreads threads = shown_threads(session.timeline(), session.state());
  const auto names = [&](const char* key, const std::vector<std::string>& list) {
    out.key(key).begin_array();
    for (const std::string& name : list) out.text(name);
    out.end_array();
  };
  out.key("threads").begin_object();
  names("shown", threads.shown);
  names("heads", threads.heads);
  names("pinned", threads.pinned);
  out.field("hidden", threads.hidden).end_object();
  out.field("time_shown", shown_text(timestamp_format(session.timeline(), session.state())));
}

void write_view(JsonWriter& out, const Session& session, const StatisticsFacts& statistics) {
  const TimelineState& state = session.state();
  out.key("view").begin_object().field("begin", state.view.begin_ns);
  out.field("end", state.view.end_ns())
      .field("scroll_rows", state.scroll_px / kRowStepPx)
      .end_object();
  out.key("hovered");
  write_slice(out, session, state.hovered);
  out.key("selected");
  write_slice(out, session, state.selected);
  out.key("selected_instant");
  write_instant(out, session, state.selected_instant);
  out.key("selected_counter");
  write_counter(out, session);
  out.key("range");
  if (state.range) {
    out.begin_object().field("begin", state.range->begin_ns).field("end", state.range->end_ns);
    out.key("rows");
    if (statistics.range != nullptr) {
      write_range_rows(out, *statistics.range);
    } else {
      out.begin_array().end_array();
    }
    out.end_object();
  } else {
    out.null();
  }
  out.key("statistics");
  write_statistics(out, statistics);
  out.key("bookmarks").begin_array();
  for (const Bookmark& mark : state.bookmarks) {
    out.begin_object().field("time", mark.time_ns).field("begin", mark.begin_ns);
    out.field("end", mark.end_ns).field("note", std::string_view(mark.note)).end_object();
  }
  out.end_array();
  out.key("visible").begin_object().field("rows", state.visible_rows);
  out.field("boxes", state.visible_boxes).end_object();
  write_threads(out, session);
}

void write_search(JsonWriter& out, const SearchFacts& search) {
  out.key("search").begin_object().field("text", search.text).field("matches", search.matches);
  out.field("current", search.current).field("complete", search.complete);
  out.field("name_matches", search.name_matches).field("args_matches", search.args_matches);
  out.key("error");
  if (search.error.empty()) {
    out.null();
  } else {
    out.text(search.error);
  }
  out.key("searched").raw(search.searched);
  out.end_object();
}

}  // namespace

std::string state_json(const WindowFacts& window, const std::vector<std::string>& files,
                       const Session* active, const StatisticsFacts& statistics) {
  JsonWriter out;
  out.begin_object().key("window").begin_object();
  out.field("width", window.width).field("height", window.height);
  out.field("scale", window.scale).field("theme", window.theme).end_object();
  out.key("files").begin_array();
  for (const std::string& file : files) out.text(file);
  out.end_array();
  out.key("error");
  if (active != nullptr && active->phase() == SessionPhase::failed) {
    out.text(active->error().text);
  } else {
    out.null();
  }
  if (active != nullptr && active->has_trace()) {
    write_view(out, *active, statistics);
  } else {
    out.key("view")
        .begin_object()
        .field("begin", 0)
        .field("end", 0)
        .field("scroll_rows", 0.0)
        .end_object();
    for (const char* key :
         {"hovered", "selected", "selected_instant", "selected_counter", "range", "statistics"}) {
      out.key(key).null();
    }
    out.key("visible").begin_object().field("rows", 0).field("boxes", 0).end_object();
  }
  write_search(out, window.search);
  out.key("flame_graph").raw(window.flame_graph);
  out.key("query").raw(window.query);
  out.key("comparison").raw(window.comparison);
  out.key("session").raw(window.session);
  out.key("frame_ms").begin_object().field("last", window.last_frame_ms);
  out.field("median", window.median_frame_ms).field("p99", window.p99_frame_ms).end_object();
  out.key("input_ms").begin_object().field("last", window.last_input_ms);
  out.field("median", window.median_input_ms).field("p99", window.p99_input_ms);
  out.field("max", window.longest_input_ms).field("frames", window.input_frames).end_object();
  out.field("presented", window.presented_frames);
  out.key("first_picture_ms");
  if (window.first_picture_ms) {
    out.number(*window.first_picture_ms);
  } else {
    out.null();
  }
  const bool has_trace = active != nullptr && active->has_trace();
  std::uint64_t kept = has_trace ? kept_bytes(active->timeline()).total() : 0;
  if (has_trace && active->source() != nullptr) kept += active->source()->size().own_bytes;
  out.field("kept_bytes", kept);
  out.key("notices").begin_array();
  for (const std::string& notice : window.notices) out.text(notice);
  out.end_array();
  out.field("work", window.work);
  out.field("growing", window.growing);
  out.key("changed_file");
  write_change(out, active != nullptr ? active->disk_change() : DiskChange());
  out.key("diagnostics");
  write_diagnostics(out, has_trace ? active->timeline().diagnostics : Diagnostics());
  out.end_object();
  return out.str();
}

}  // namespace cinderscope
