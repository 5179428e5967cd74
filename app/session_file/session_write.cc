#include <algorithm>
#include <utility>

#include "app/session_file/base64.h"
#include "app/session_file/json_layout.h"
#include "app/session_file/session_file.h"
#include "app/session_file/taken_back.h"
#include "ingest/base/json/json_writer.h"
#include "ingest/base/number_text.h"
#include "ingest/base/utf8.h"

namespace cinderscope {
namespace {

using Text = std::string_view;

void write_text_or_null(JsonWriter& out, Text key, const std::string& text) {
  out.key(key);
  if (text.empty()) {
    out.null();
  } else {
    out.text(text);
  }
}

void write_range_or_null(JsonWriter& out, Text key, const std::optional<TimeRange>& range) {
  if (range) return write_range(out, key, *range);
  out.key(key).null();
}

void write_limit(JsonWriter& out, Text key, std::int64_t ns, std::int64_t none) {
  out.key(key);
  if (ns == none) {
    out.null();
  } else {
    out.number(ns);
  }
}

void write_trace(JsonWriter& out, const SessionTrace& trace) {
  // JSON holds no other bytes than UTF-8.
  const std::string path = valid_utf8(trace.path);
  out.begin_object().field("id", Text(trace.id)).field("path", Text(path));
  if (path != trace.path) out.field("path_bytes", Text(base64(trace.path)));
  out.field("size", trace.identity.size_bytes);
  write_text_or_null(out, "head",
                     trace.identity.head.empty() ? "" : "sha256:" + trace.identity.head);
  write_text_or_null(out, "tail",
                     trace.identity.tail.empty() ? "" : "sha256:" + trace.identity.tail);
  out.key("facts");
  if (trace.facts) {
    out.begin_object().field("format", Text(trace.facts->format));
    out.field("slices", trace.facts->slices).field("begin", trace.facts->begin_ns);
    out.field("end", trace.facts->end_ns).end_object();
  } else {
    out.null();
  }
  write_text_or_null(out, "ids", trace.ids);
  out.key("keep").begin_object();
  write_limit(out, "from", trace.keep.from, INT64_MIN);
  write_limit(out, "to", trace.keep.to, INT64_MAX);
  out.key("threads").begin_array();
  for (const std::string& thread : trace.keep.threads) out.text(thread);
  out.end_array().end_object().end_object();
}

void write_scope(JsonWriter& out, const SavedScope& scope) {
  out.key("scope").begin_object();
  write_range_or_null(out, "range", scope.range);
  write_names(out, "threads", scope.threads);
  out.field("slices", Text(scope.slices));
  write_text_or_null(out, "set", scope.connected ? "connected" : "");
  out.end_object();
}

void write_traces(JsonWriter& out, Text key, const std::vector<TabTrace>& traces, bool merged) {
  out.key(key).begin_array();
  for (const TabTrace& each : traces) {
    out.begin_object().field("trace", Text(each.trace));
    if (merged) {
      const auto ns = parse_number<std::int64_t>(each.offset);
      out.key("offset");
      if (ns) {
        out.number(*ns);
      } else {
        out.text(each.offset);
      }
    }
    if (each.scope) write_scope(out, *each.scope);
    if (each.left_out) out.field("left_out", true);
    if (!each.left_out_runs.empty()) {
      out.key("left_out").begin_array();
      for (const std::uint64_t run : each.left_out_runs) out.number(run);
      out.end_array();
    }
    out.end_object();
  }
  out.end_array();
}

void write_comparison(JsonWriter& out, const SavedComparison& of) {
  write_traces(out, "a", of.a, false);
  write_traces(out, "b", of.b, false);
  out.field("measure", Text(of.measure));
  out.key("scale").begin_object().field("kind", Text(of.scale));
  if (of.scale == "per") out.field("per", Text(of.per));
  out.end_object().key("names").begin_object();
  for (Text rest = of.names; !rest.empty();) {
    const Text rule = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), rule.size() + 1));
    const std::size_t equals = rule.find('=');
    if (equals != Text::npos) out.field(rule.substr(0, equals), rule.substr(equals + 1));
  }
  out.end_object().key("renames").begin_array();
  for (const auto& [expression, text] : of.renames) {
    out.begin_array().text(expression).text(text).end_array();
  }
  out.end_array().key("min");
  if (of.min) {
    out.number(*of.min);
  } else {
    out.null();
  }
  out.key("line_up").begin_object().field("how", Text(of.line_up));
  out.field("name", Text(of.line_up_name)).field("k", of.line_up_k);
  if (of.line_up == "hand") out.field("a", of.line_up_a_ns).field("b", of.line_up_b_ns);
  out.end_object();
  out.field("stretch", of.stretch).field("sort", Text(of.sort)).field("filter", Text(of.filter));
  write_text_or_null(out, "selected", of.selected);
  out.field("width", Text(of.width)).field("side_by_side", of.side_by_side);
  // The first of a side is the one that is shown.
  out.key("shown_runs").begin_array().number(std::int64_t{0}).number(std::int64_t{0}).end_array();
}

void write_view(JsonWriter& out, const SessionTab& tab) {
  write_range_or_null(out, "view", tab.view.view);
  out.key("scroll");
  if (tab.top) {
    out.begin_array();
    write_name(out, *tab.top);
    out.number(tab.top_rows).end_array();
  } else {
    out.null();
  }
  write_range_or_null(out, "range", tab.view.range);
  out.key("selected");
  if (tab.selected) {
    const NamedSlice& slice = *tab.selected;
    out.begin_object().key("track");
    write_name(out, slice.track);
    out.field("depth", slice.depth).field("name", Text(slice.name));
    out.field("begin", slice.begin_ns).field("duration", slice.duration_ns).end_object();
  } else {
    out.null();
  }
  out.key("threads").begin_object();
  write_thread_members(out, tab.view);
  out.field("filter", Text(tab.filter));
  write_names(out, "solo", tab.solo);
  out.end_object();
  write_bookmarks(out, tab.view.bookmarks);
}

// A tab in which nothing was asked says nothing of it.
void write_sql(JsonWriter& out, const SavedSql& sql) {
  if (sql == SavedSql()) return;
  out.key("sql").begin_object().field("text", Text(sql.text));
  write_text_or_null(out, "query", sql.query);
  out.field("shown", sql.shown).key("tracks").begin_array();
  for (const std::string& track : sql.tracks) out.text(track);
  out.end_array().end_object();
}

void write_tab(JsonWriter& out, const SessionTab& tab) {
  out.begin_object().field("kind", word_of(tab.kind));
  if (tab.kind == TabKind::comparison) {
    write_comparison(out, tab.comparison);
    out.key("panel").begin_object().field("tab", Text(tab.panel));
    out.field("shown", tab.panel_shown).end_object();
    write_sql(out, tab.sql);
    out.end_object();
    return;
  }
  write_traces(out, "traces", tab.traces, tab.kind == TabKind::merged);
  write_view(out, tab);
  out.key("search").begin_object().field("text", Text(tab.search));
  write_scope(out, tab.search_scope);
  out.end_object();
  out.key("panel").begin_object().field("tab", Text(tab.panel)).field("shown", tab.panel_shown);
  out.field("height", tab.panel_px).end_object();
  out.key("statistics").begin_object();
  write_scope(out, tab.scope);
  out.field("whole_calls", tab.whole_calls).field("sort", Text(tab.sort));
  out.field("descending", tab.sort_descending);
  out.field("filter", Text(tab.statistics_filter)).end_object();
  out.key("flame_graph").begin_object().field("way", Text(tab.flame_graph.way));
  out.field("weight", Text(tab.flame_graph.weight));
  write_text_or_null(out, "function", tab.flame_graph.function);
  out.key("zoomed").begin_array();
  for (const std::string& name : tab.flame_graph.zoomed) out.text(name);
  out.end_array().end_object().field("time_shown", Text(tab.time_shown));
  write_sql(out, tab.sql);
  out.end_object();
}

// Of the tabs that this version does not know each stays behind the one that it followed.
void put_back_unknown_tabs(const SessionFile& session, const JsonValue& theirs, JsonValue& tabs,
                           std::size_t& active) {
  std::vector<bool> known(theirs.members.size());
  for (const SessionTab& tab : session.tabs) {
    if (tab.origin && *tab.origin < known.size()) known[*tab.origin] = true;
  }
  std::vector<std::optional<std::size_t>> origins;
  for (const SessionTab& tab : session.tabs) origins.push_back(tab.origin);
  for (std::size_t i = 0; i < theirs.members.size() && i < kMostOfAList; ++i) {
    const JsonValue& value = theirs.members[i].value;
    const JsonValue* kind = value.find("kind");
    const bool is_ours = kind != nullptr && (kind->text == "trace" || kind->text == "merged" ||
                                             kind->text == "comparison");
    if (known[i] || is_ours) continue;
    auto place = origins.begin();
    for (auto each = origins.begin(); each != origins.end(); ++each) {
      if (*each && **each < i) place = each + 1;
    }
    const auto at = place - origins.begin();
    origins.insert(place, i);
    tabs.members.insert(tabs.members.begin() + at, theirs.members[i]);
    if (static_cast<std::size_t>(at) <= active) ++active;
  }
}

}  // namespace

std::string session_text(const SessionFile& session) {
  JsonWriter tabs_out;
  tabs_out.begin_array();
  for (const SessionTab& tab : session.tabs) write_tab(tabs_out, tab);
  Result<JsonValue> tabs = read_json(tabs_out.end_array().str());
  std::size_t active = session.active;
  const JsonValue* theirs = session.original ? session.original->find("tabs") : nullptr;
  if (tabs && theirs != nullptr && theirs->kind == JsonKind::array) {
    for (std::size_t i = 0; i < session.tabs.size(); ++i) {
      const auto origin = session.tabs[i].origin;
      if (!origin || *origin >= theirs->members.size()) continue;
      JsonValue& tab = tabs->members[i].value;
      const JsonValue& their_tab = theirs->members[*origin].value;
      const JsonValue others = without_taken_back(tab, their_tab);
      tab = with_unknown(std::move(tab), others);
      for (JsonMember& member : tab.members) {
        const bool stays = std::ranges::find(session.tabs[i].not_understood, member.key) !=
                           session.tabs[i].not_understood.end();
        const JsonValue* value = stays ? their_tab.find(member.key) : nullptr;
        if (value != nullptr) member.value = *value;
      }
    }
    put_back_unknown_tabs(session, *theirs, *tabs, active);
  }
  JsonWriter out;
  out.begin_object().field(kSessionMember, std::max(session.version, kSessionVersion));
  out.field("written_by", "cinderscope " CINDERSCOPE_VERSION);
  out.field("title", Text(session.title)).field("note", Text(session.note));
  out.key("traces").begin_array();
  for (const SessionTrace& trace : session.traces) write_trace(out, trace);
  out.end_array().key("tabs").begin_array().end_array();
  out.field("active", active);
  if (!session.queries.empty()) {
    out.key("queries").begin_array();
    for (const SavedQuery& query : session.queries) {
      out.begin_object().field("name", Text(query.name)).field("sql", Text(query.text));
      out.end_object();
    }
    out.end_array();
  }
  out.end_object();
  Result<JsonValue> all = read_json(out.str());
  if (!all || !tabs) return {};  // it was written just now
  if (session.original) {
    JsonValue original = *session.original;
    // The tabs were brought together one by one.
    std::erase_if(original.members, [](const JsonMember& member) { return member.key == "tabs"; });
    *all = with_unknown(std::move(*all), original);
  }
  for (JsonMember& member : all->members) {
    if (member.key == "tabs") member.value = std::move(*tabs);
  }
  return laid_out(*all);
}

}  // namespace cinderscope
