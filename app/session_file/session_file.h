// A session as a file: which traces, what is shown of them, notes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/places/named_slice.h"
#include "app/places/trace_identity.h"
#include "app/store/saved_queries.h"
#include "app/store/saved_view_state.h"
#include "ingest/base/json/json_value.h"
#include "ingest/base/result.h"
#include "ingest/build/load_filter.h"

namespace cinderscope {

// The first member of such a file.
inline constexpr std::string_view kSessionMember = "cinderscope_session";
inline constexpr std::int64_t kSessionVersion = 1;
inline constexpr std::size_t kLargestSession = 64 << 20, kMostOfAList = 10'000;

struct TraceFacts {
  std::string format;
  std::uint64_t slices = 0;
  std::int64_t begin_ns = 0, end_ns = 0;
  bool operator==(const TraceFacts&) const = default;
};

struct SessionTrace {
  std::string id;
  std::string path;  // from the session's folder, or absolute
  TraceIdentity identity;
  std::optional<TraceFacts> facts;
  std::string ids;  // a file with names that was given; empty: none
  LoadFilter keep;
};

// What is measured: as a scope, with threads by their names.
struct SavedScope {
  std::optional<TimeRange> range;
  std::vector<TrackName> threads;
  std::string slices = "calls";  // empty: whatever is there
  bool connected = false;
};

// A trace of a tab.
struct TabTrace {
  std::string trace;                       // its id
  std::string offset = "same";             // of a merged one: "same", "start" or nanoseconds
  std::optional<SavedScope> scope;         // of a side
  bool left_out = false;                   // a run that does not count
  std::vector<std::size_t> left_out_runs;  // or only these of a saved side, from 0
};

struct SavedFlameGraph {
  std::string way = "callees", weight = "time", function;
  std::vector<std::string> zoomed;  // from the outermost call to the zoomed box

  // By which the trace is to be loaded; empty: it has no list of weights of its own.
  std::string own_weight() const {
    return weight == "time" || weight == "calls" ? std::string() : weight;
  }
};

struct SavedComparison {
  std::vector<TabTrace> a, b;
  std::string measure = "self", scale = "recorded", per;
  std::string names;  // rules that differ from the usual ones, "templates=always,…"
  std::vector<std::pair<std::string, std::string>> renames;
  std::optional<double> min;
  std::string line_up = "starts", line_up_name;
  std::uint64_t line_up_k = 1;
  std::int64_t line_up_a_ns = 0, line_up_b_ns = 0;  // by hand: these two below each other
  bool stretch = false;
  std::string sort = "difference", filter = "all", selected, width = "mean";
  bool side_by_side = true;
};

// What stands in the SQL panel.
struct SavedSql {
  std::string text;
  std::string query;                // the saved query it is; empty: none
  bool shown = false;               // its rows in the timeline
  std::vector<std::string> tracks;  // queries whose rows are tracks, by name
  bool operator==(const SavedSql&) const = default;
};

enum class TabKind : std::uint8_t { trace, merged, comparison };

struct SessionTab {
  TabKind kind = TabKind::trace;
  std::vector<TabTrace> traces;
  SavedViewState view;           // with range, threads and bookmarks
  std::optional<TrackName> top;  // the track at the upper edge
  double top_rows = 0;           // rows of it that are above
  std::optional<NamedSlice> selected;
  std::string filter;  // of threads
  std::vector<TrackName> solo;
  std::string search;
  SavedScope search_scope;
  std::string panel = "details";
  bool panel_shown = true;
  double panel_px = 0;  // 0: its own height
  SavedScope scope;     // of statistics and flame graph
  bool whole_calls = false;
  std::string sort, statistics_filter;  // a column; "" is the first order
  bool sort_descending = false;
  SavedFlameGraph flame_graph;
  std::string time_shown = "start";
  SavedSql sql;
  SavedComparison comparison;
  std::vector<std::string> not_understood;  // members whose values stay as they are in `original`
  // Which tab of `original` it was; none: it is new.
  std::optional<std::size_t> origin;
};

// For which traces it is, as a layout. What is empty fits any.
struct LayoutRule {
  std::string format;   // "google_json"
  std::string process;  // one of its processes: NAME or /REGEX/
};

struct SessionFile {
  std::string title, note;
  std::vector<SessionTrace> traces;
  std::vector<SessionTab> tabs;
  std::size_t active = 0;  // of `tabs`
  std::optional<LayoutRule> applies_to;
  std::vector<SavedQuery> queries;  // that its tabs name
  // As it was read, for what this version does not know. Null: it is new.
  std::shared_ptr<const JsonValue> original;
  std::int64_t version = kSessionVersion;
  std::size_t left_out = 0;  // things in it that this version does not know

  const SessionTrace* trace(std::string_view id) const;  // null: there is none
};

bool looks_like_session(std::string_view head);

// An Error tells line and column of what is no JSON; what is missing or of the wrong type has its
// default.
Result<SessionFile> session_from(std::string_view text);
// The same bytes for the same session.
std::string session_text(const SessionFile& session);

std::string_view word_of(TabKind kind);

}  // namespace cinderscope
