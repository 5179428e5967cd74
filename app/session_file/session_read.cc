#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "app/session_file/base64.h"
#include "app/session_file/json_layout.h"
#include "app/session_file/session_file.h"
#include "ingest/base/utf8.h"

namespace cinderscope {
namespace {

constexpr std::size_t kLongestText = 1 << 20;
constexpr std::size_t kMostValues = 2'000'000;  // of a file: each takes a hundred bytes

std::string text_of(const JsonValue& value) {
  return value.kind == JsonKind::string && value.text.size() <= kLongestText ? value.text
                                                                             : std::string();
}
// A member of an object; empty where it is missing or no text.
std::string text_at(const JsonValue& object, std::string_view key) {
  const JsonValue* value = object.find(key);
  return value == nullptr ? std::string() : text_of(*value);
}
void take_text(const JsonValue& object, std::string_view key, std::string& to) {
  const JsonValue* value = object.find(key);
  if (value != nullptr && value->kind == JsonKind::string) to = text_of(*value);
}
template <class Number>
void take_number(const JsonValue& object, std::string_view key, Number& to) {
  const JsonValue* value = object.find(key);
  if (value != nullptr) to = value->number<Number>().value_or(to);
}
void take_flag(const JsonValue& object, std::string_view key, bool& to) {
  const JsonValue* value = object.find(key);
  if (value != nullptr) to = value->boolean().value_or(to);
}

// Elements of a list that is a member.
template <class Take>
void each_of(const JsonValue& object, std::string_view key, Take take) {
  const JsonValue* list = object.find(key);
  if (list == nullptr || list->kind != JsonKind::array) return;
  std::size_t count = 0;
  for (const JsonMember& each : list->members) {
    if (++count > kMostOfAList) break;
    take(each.value);
  }
}

SessionTrace trace_from(const JsonValue& value) {
  SessionTrace trace;
  trace.id = text_at(value, "id");
  trace.path = text_at(value, "path");
  if (auto bytes = bytes_of_base64(text_at(value, "path_bytes")); bytes && !bytes->empty()) {
    trace.path = std::move(*bytes);
  }
  // The system would read such a name as a shorter one.
  if (trace.path.find('\0') != std::string::npos) trace.path.clear();
  take_number(value, "size", trace.identity.size_bytes);
  const auto digest = [&value](std::string_view key) {
    const std::string text = text_at(value, key);
    return text.starts_with("sha256:") ? text.substr(7) : std::string();
  };
  trace.identity.head = digest("head");
  trace.identity.tail = digest("tail");
  trace.ids = text_at(value, "ids");
  const JsonValue* facts = value.find("facts");
  if (facts != nullptr && facts->kind == JsonKind::object) {
    trace.facts.emplace();
    trace.facts->format = text_at(*facts, "format");
    take_number(*facts, "slices", trace.facts->slices);
    take_number(*facts, "begin", trace.facts->begin_ns);
    take_number(*facts, "end", trace.facts->end_ns);
  }
  if (const JsonValue* keep = value.find("keep")) {
    take_number(*keep, "from", trace.keep.from);
    take_number(*keep, "to", trace.keep.to);
    each_of(*keep, "threads", [&](const JsonValue& thread) {
      if (!text_of(thread).empty()) trace.keep.threads.push_back(text_of(thread));
    });
  }
  return trace;
}

SavedScope scope_from(const JsonValue& value) {
  SavedScope scope;
  if (const JsonValue* range = value.find("range")) scope.range = range_from(*range);
  if (const JsonValue* threads = value.find("threads")) scope.threads = track_names_from(*threads);
  take_text(value, "slices", scope.slices);
  scope.connected = text_at(value, "set") == "connected";
  return scope;
}

std::vector<TabTrace> tab_traces_from(const JsonValue& tab, std::string_view key) {
  std::vector<TabTrace> traces;
  each_of(tab, key, [&](const JsonValue& each) {
    TabTrace& trace = traces.emplace_back();
    trace.trace = text_at(each, "trace");
    if (const JsonValue* offset = each.find("offset")) {
      const auto ns = offset->number<std::int64_t>();
      trace.offset = ns ? fmt::to_string(*ns) : text_of(*offset);
    }
    const JsonValue* scope = each.find("scope");
    if (scope != nullptr && scope->kind == JsonKind::object) trace.scope = scope_from(*scope);
    take_flag(each, "left_out", trace.left_out);
    each_of(each, "left_out", [&](const JsonValue& run) {
      if (const auto at = run.number<std::size_t>()) trace.left_out_runs.push_back(*at);
    });
  });
  return traces;
}

// The run that is shown goes before, and has the part of its side that is compared.
void show_first(std::vector<TabTrace>& side, const JsonValue& shown) {
  const auto run = shown.number<std::size_t>().value_or(0);
  if (run == 0 || run >= side.size()) return;
  if (!side[run].scope) std::swap(side[run].scope, side.front().scope);
  const auto begin = side.begin() + static_cast<std::ptrdiff_t>(run);
  std::rotate(side.begin(), begin, begin + 1);
}

// `not_understood` gets the members with values that are not known.
SavedComparison comparison_from(const JsonValue& tab, std::vector<std::string>& not_understood) {
  SavedComparison of;
  of.a = tab_traces_from(tab, "a");
  of.b = tab_traces_from(tab, "b");
  if (const JsonValue* shown = tab.find("shown_runs"); shown && shown->members.size() == 2) {
    show_first(of.a, shown->members[0].value);
    show_first(of.b, shown->members[1].value);
  }
  const auto take_known = [&](std::string_view member, const JsonValue& in, std::string_view key,
                              std::string& to, std::initializer_list<std::string_view> known) {
    const std::string word = text_at(in, key);
    if (word.empty()) return;
    if (std::ranges::find(known, word) != known.end()) {
      to = word;
    } else {
      not_understood.emplace_back(member);
    }
  };
  take_known("measure", tab, "measure", of.measure,
             {"self", "total", "mean", "median", "p90", "p99", "count"});
  if (const JsonValue* scale = tab.find("scale")) {
    take_known("scale", *scale, "kind", of.scale, {"recorded", "per", "share"});
    of.per = text_at(*scale, "per");
  }
  if (const JsonValue* names = tab.find("names"); names && names->kind == JsonKind::object) {
    for (const JsonMember& rule : names->members) {
      if (rule.value.kind != JsonKind::string || of.names.size() > 1000) continue;
      of.names += (of.names.empty() ? "" : ",") + rule.key + "=" + rule.value.text;
    }
  }
  each_of(tab, "renames", [&](const JsonValue& pair) {
    if (pair.members.size() != 2) return;
    of.renames.emplace_back(text_of(pair.members[0].value), text_of(pair.members[1].value));
  });
  if (const JsonValue* min = tab.find("min")) of.min = min->number<double>();
  if (const JsonValue* line_up = tab.find("line_up")) {
    take_known("line_up", *line_up, "how", of.line_up, {"starts", "clock", "mark", "call", "hand"});
    of.line_up_name = text_at(*line_up, "name");
    take_number(*line_up, "k", of.line_up_k);
    take_number(*line_up, "a", of.line_up_a_ns);
    take_number(*line_up, "b", of.line_up_b_ns);
  }
  take_flag(tab, "stretch", of.stretch);
  take_text(tab, "sort", of.sort);
  take_text(tab, "filter", of.filter);
  of.selected = text_at(tab, "selected");
  take_known("width", tab, "width", of.width, {"mean", "a", "b"});
  take_flag(tab, "side_by_side", of.side_by_side);
  return of;
}

void take_view(const JsonValue& value, SessionTab& tab) {
  for (const auto& [key, member] : value.members) {
    if (key == "view" || key == "range" || key == "bookmarks") {
      read_view_member(key, member, tab.view);
    }
  }
  if (const JsonValue* threads = value.find("threads"); threads != nullptr) {
    for (const auto& [key, member] : threads->members) read_view_member(key, member, tab.view);
    tab.filter = text_at(*threads, "filter");
    if (const JsonValue* solo = threads->find("solo")) tab.solo = track_names_from(*solo);
  }
  const JsonValue* scroll = value.find("scroll");
  if (scroll != nullptr && scroll->members.size() == 2) {
    tab.top = track_name_from(scroll->members[0].value);
    tab.top_rows = std::clamp(scroll->members[1].value.number<double>().value_or(0), 0.0, 1e9);
  }
  const JsonValue* selected = value.find("selected");
  if (selected == nullptr || selected->find("track") == nullptr) return;
  if (auto track = track_name_from(*selected->find("track"))) {
    NamedSlice& slice = tab.selected.emplace();
    slice.track = std::move(*track);
    take_number(*selected, "depth", slice.depth);
    slice.name = text_at(*selected, "name");
    take_number(*selected, "begin", slice.begin_ns);
    take_number(*selected, "duration", slice.duration_ns);
  }
}

// nullopt: of a kind that is not known.
std::optional<SessionTab> tab_from(const JsonValue& value, std::size_t& left_out) {
  SessionTab tab;
  const std::string kind = text_at(value, "kind");
  if (kind == "merged") {
    tab.kind = TabKind::merged;
  } else if (kind == "comparison") {
    tab.kind = TabKind::comparison;
  } else if (kind != "trace") {
    return std::nullopt;
  }
  tab.traces = tab_traces_from(value, "traces");
  if (tab.kind == TabKind::comparison) {
    tab.comparison = comparison_from(value, tab.not_understood);
    left_out += tab.not_understood.size();
  }
  take_view(value, tab);
  if (const JsonValue* search = value.find("search")) {
    tab.search = text_at(*search, "text");
    if (const JsonValue* scope = search->find("scope")) tab.search_scope = scope_from(*scope);
  }
  if (const JsonValue* panel = value.find("panel")) {
    take_text(*panel, "tab", tab.panel);
    take_flag(*panel, "shown", tab.panel_shown);
    take_number(*panel, "height", tab.panel_px);
    tab.panel_px = std::clamp(tab.panel_px, 0.0, 10'000.0);
  }
  if (const JsonValue* statistics = value.find("statistics")) {
    if (const JsonValue* scope = statistics->find("scope")) tab.scope = scope_from(*scope);
    take_flag(*statistics, "whole_calls", tab.whole_calls);
    take_text(*statistics, "sort", tab.sort);
    take_flag(*statistics, "descending", tab.sort_descending);
    take_text(*statistics, "filter", tab.statistics_filter);
  }
  if (const JsonValue* graph = value.find("flame_graph")) {
    take_text(*graph, "way", tab.flame_graph.way);
    take_text(*graph, "weight", tab.flame_graph.weight);
    take_text(*graph, "function", tab.flame_graph.function);
    each_of(*graph, "zoomed",
            [&](const JsonValue& name) { tab.flame_graph.zoomed.push_back(text_of(name)); });
  }
  take_text(value, "time_shown", tab.time_shown);
  if (const JsonValue* sql = value.find("sql")) {
    take_text(*sql, "text", tab.sql.text);
    take_text(*sql, "query", tab.sql.query);
    take_flag(*sql, "shown", tab.sql.shown);
    each_of(*sql, "tracks", [&](const JsonValue& name) {
      if (std::string track = text_of(name); !track.empty()) {
        tab.sql.tracks.push_back(std::move(track));
      }
    });
  }
  return tab;
}

}  // namespace

std::string_view word_of(TabKind kind) {
  switch (kind) {
    case TabKind::merged:
      return "merged";
    case TabKind::comparison:
      return "comparison";
    case TabKind::trace:
      break;
  }
  return "trace";
}

const SessionTrace* SessionFile::trace(std::string_view id) const {
  const auto found = std::ranges::find(traces, id, &SessionTrace::id);
  return found == traces.end() ? nullptr : &*found;
}

bool looks_like_session(std::string_view head) {
  head.remove_prefix(std::min(head.find_first_not_of(" \t\r\n\xef\xbb\xbf"), head.size()));
  if (!head.starts_with('{')) return false;
  head.remove_prefix(1);
  head.remove_prefix(std::min(head.find_first_not_of(" \t\r\n"), head.size()));
  return head.starts_with(fmt::format("\"{}\"", kSessionMember));
}

Result<SessionFile> session_from(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  if (text.size() > kLargestSession) return refused("A session has at most 64 MB.");
  Result<JsonValue> read = read_json(text, kMostValues);
  if (!read) {
    Error error = read.error();
    const auto at = static_cast<std::size_t>(std::max<std::int64_t>(error.offset_bytes, 0));
    const bool too_many = error.text.find("too many") != std::string::npos;
    const std::string place = line_and_column(text, at);
    error.text = too_many ? fmt::format("The session holds too many values, from {} on.", place)
                          : fmt::format("The session is not JSON from {} on.", place);
    return error;
  }
  const JsonValue* version = read->find(kSessionMember);
  if (read->kind != JsonKind::object || version == nullptr) {
    return Error{.code = ErrorCode::not_recognised,
                 .text = "This is no session of Cinderscope.",
                 .expected = "A session begins with {\"cinderscope_session\": 1."};
  }
  SessionFile session;
  session.version = version->number<std::int64_t>().value_or(kSessionVersion);
  session.title = text_at(*read, "title");
  session.note = text_at(*read, "note");
  if (const JsonValue* rule = read->find("for"); rule && rule->kind == JsonKind::object) {
    session.applies_to = LayoutRule{text_at(*rule, "format"), text_at(*rule, "process")};
  }
  std::set<std::string> ids;
  each_of(*read, "traces", [&](const JsonValue& each) {
    SessionTrace trace = trace_from(each);
    if (!trace.id.empty() && !trace.path.empty() && ids.insert(trace.id).second) {
      session.traces.push_back(std::move(trace));
    }
  });
  std::size_t active = 0, number = 0;
  take_number(*read, "active", active);
  each_of(*read, "tabs", [&](const JsonValue& each) {
    if (auto tab = tab_from(each, session.left_out)) {
      tab->origin = number;
      if (number == active) session.active = session.tabs.size();
      session.tabs.push_back(std::move(*tab));
    } else {
      ++session.left_out;
    }
    ++number;
  });
  each_of(*read, "queries", [&](const JsonValue& each) {
    SavedQuery query{.name = text_at(each, "name"), .text = text_at(each, "sql")};
    if (check_query_name(query.name)) session.queries.push_back(std::move(query));
  });
  session.original = std::make_shared<const JsonValue>(std::move(*read));
  return session;
}

}  // namespace cinderscope
