#include "app/store/saved_view_state.h"

#include <algorithm>
#include <array>
#include <map>

namespace cinderscope {
namespace {

constexpr std::size_t kLongestNote = 4096, kLongestPattern = 4096;
constexpr std::size_t kMostBookmarks = 10'000;
constexpr std::array<std::string_view, 5> kOrders = {"index", "time", "name", "id", "activity"};

template <class Name, class Put>
void put_back(const std::vector<Name>& names, const std::map<Name, std::uint32_t>& numbers,
              Put put) {
  for (const Name& name : names) {
    if (const auto found = numbers.find(name); found != numbers.end()) put(found->second);
  }
}

template <class Numbers>
std::vector<std::uint32_t> listed(const Numbers& numbers) {
  return {numbers.begin(), numbers.end()};
}

std::vector<std::uint32_t> limits_from(const JsonValue& list) {
  std::vector<std::uint32_t> limits;
  for (const JsonMember& each : list.members) {
    if (limits.size() >= kMostRemembered) break;
    limits.push_back(std::max(each.value.number<std::uint32_t>().value_or(1), 1u));
  }
  return limits;
}

std::vector<Bookmark> bookmarks_from(const JsonValue& list) {
  std::vector<Bookmark> marks;
  for (const JsonMember& each : list.members) {
    if (marks.size() >= kMostBookmarks) break;
    Bookmark& mark = marks.emplace_back();
    for (const auto& [key, value] : each.value.members) {
      if (key == "begin") mark.begin_ns = value.number<std::int64_t>().value_or(0);
      if (key == "end") mark.end_ns = value.number<std::int64_t>().value_or(0);
      if (key == "time") mark.time_ns = value.number<std::int64_t>().value_or(0);
      if (key == "view") {
        if (const auto view = range_from(value)) {
          mark.begin_ns = view->begin_ns;
          mark.end_ns = view->end_ns;
        }
      }
      if (key == "scroll") mark.scroll_px = value.number<double>().value_or(0);
      if (key == "note") mark.note = value.text.substr(0, kLongestNote);
    }
  }
  std::erase_if(marks, [](const Bookmark& mark) { return mark.begin_ns >= mark.end_ns; });
  std::ranges::stable_sort(marks, {}, &Bookmark::time_ns);
  return marks;
}

}  // namespace

SavedViewState saved_view_state(const Timeline& timeline, const TimelineState& state, bool whole) {
  SavedViewState saved{.scroll_px = state.scroll_px,
                       .range = state.range,
                       .order = state.order,
                       .grouped = state.grouped,
                       .group_pattern = state.group_pattern,
                       .bookmarks = state.bookmarks};
  if (!whole) saved.view = TimeRange{state.view.begin_ns, state.view.end_ns()};
  saved.collapsed_processes = process_names(timeline, listed(state.collapsed_processes));
  saved.collapsed = track_names(timeline, listed(state.collapsed_tracks));
  saved.hidden = track_names(timeline, listed(state.hidden_tracks));
  saved.pinned = track_names(timeline, listed(state.pinned_tracks));
  if (state.moved_tracks.size() <= kMostRemembered) {
    saved.moved = track_names(timeline, listed(state.moved_tracks));
  }
  std::vector<std::uint32_t> limited;
  for (const auto& [track, limit] : state.depth_limits) {
    if (track >= timeline.tracks.size() || limited.size() >= kMostRemembered) continue;
    limited.push_back(track);
    saved.depth_limits.push_back(limit);
  }
  saved.limited = track_names(timeline, limited);
  std::vector<std::uint32_t> named = listed(state.collapsed_tracks);
  named.insert(named.end(), state.hidden_tracks.begin(), state.hidden_tracks.end());
  named.insert(named.end(), state.pinned_tracks.begin(), state.pinned_tracks.end());
  named.insert(named.end(), state.moved_tracks.begin(), state.moved_tracks.end());
  named.insert(named.end(), limited.begin(), limited.end());
  saved.processes = processes_of(timeline, named);
  if (saved.bookmarks.size() > kMostBookmarks) saved.bookmarks.resize(kMostBookmarks);
  return saved;
}

void restore(const SavedViewState& saved, const Timeline& timeline, TimelineState& state,
             bool names_alone) {
  const auto processes = processes_named(timeline, saved.collapsed_processes, names_alone);
  const std::array lists = {&saved.collapsed, &saved.hidden, &saved.pinned, &saved.moved,
                            &saved.limited};
  const std::map<TrackName, std::uint32_t> tracks =
      tracks_named(timeline, lists, {.processes = saved.processes, .names_alone = names_alone});
  const auto into_set = [](IndexSet& set) {
    return [&set](std::uint32_t number) { set.insert(number); };
  };
  const auto into_list = [](std::vector<std::uint32_t>& list) {
    return [&list](std::uint32_t number) { list.push_back(number); };
  };
  if (state.collapsed_processes.empty()) {
    put_back(saved.collapsed_processes, processes, into_set(state.collapsed_processes));
  }
  if (state.collapsed_tracks.empty()) {
    put_back(saved.collapsed, tracks, into_set(state.collapsed_tracks));
  }
  if (state.hidden_tracks.empty()) put_back(saved.hidden, tracks, into_set(state.hidden_tracks));
  if (state.pinned_tracks.empty()) put_back(saved.pinned, tracks, into_list(state.pinned_tracks));
  if (state.moved_tracks.empty()) put_back(saved.moved, tracks, into_list(state.moved_tracks));
  if (state.depth_limits.empty() && saved.limited.size() == saved.depth_limits.size()) {
    for (std::size_t i = 0; i < saved.limited.size(); ++i) {
      const auto track = tracks.find(saved.limited[i]);
      if (track != tracks.end()) state.depth_limits[track->second] = saved.depth_limits[i];
    }
  }
  if (state.order == TrackOrder::sort_index) state.order = saved.order;
  if (state.grouped && state.group_pattern.empty()) {
    state.grouped = saved.grouped;
    state.group_pattern = saved.group_pattern;
  }
  if (!state.range) state.range = saved.range;
  state.bookmarks.insert(state.bookmarks.end(), saved.bookmarks.begin(), saved.bookmarks.end());
  std::ranges::stable_sort(state.bookmarks, {}, &Bookmark::time_ns);
}

void write_range(JsonWriter& out, std::string_view key, const TimeRange& range) {
  out.key(key).begin_array().number(range.begin_ns).number(range.end_ns).end_array();
}

std::optional<TimeRange> range_from(const JsonValue& ends) {
  if (ends.members.size() != 2) return std::nullopt;
  const auto begin = ends.members[0].value.number<std::int64_t>(),
             end = ends.members[1].value.number<std::int64_t>();
  if (!begin || !end || *begin >= *end) return std::nullopt;
  return TimeRange{*begin, *end};
}

void write_thread_members(JsonWriter& out, const SavedViewState& saved) {
  out.field("order", kOrders.at(static_cast<std::size_t>(saved.order)));
  out.field("grouped", saved.grouped);
  // A part of a pattern would be another pattern.
  if (saved.group_pattern.size() <= kLongestPattern) {
    out.field("group_pattern", std::string_view(saved.group_pattern));
  }
  write_names(out, "collapsed_processes", saved.collapsed_processes);
  write_names(out, "collapsed", saved.collapsed);
  write_names(out, "hidden", saved.hidden);
  write_names(out, "pinned", saved.pinned);
  write_names(out, "moved", saved.moved);
  write_names(out, "limited", saved.limited);
  out.key("depth_limits").begin_array();
  for (const std::uint32_t limit : saved.depth_limits) out.number(std::uint64_t{limit});
  out.end_array();
  write_names(out, "processes", saved.processes);
}

void write_bookmarks(JsonWriter& out, const std::vector<Bookmark>& bookmarks) {
  out.key("bookmarks").begin_array();
  for (const Bookmark& mark : bookmarks) {
    out.begin_object().field("time", mark.time_ns);
    write_range(out, "view", {mark.begin_ns, mark.end_ns});
    out.field("scroll", mark.scroll_px);
    out.field("note", std::string_view(mark.note).substr(0, kLongestNote)).end_object();
  }
  out.end_array();
}

void read_view_member(std::string_view key, const JsonValue& value, SavedViewState& to) {
  if (key == "view") to.view = range_from(value);
  if (key == "range") to.range = range_from(value);
  if (key == "order") {
    const auto* found = std::ranges::find(kOrders, value.text);
    if (found != kOrders.end()) to.order = static_cast<TrackOrder>(found - kOrders.begin());
  }
  if (key == "grouped") to.grouped = value.boolean().value_or(true);
  if (key == "group_pattern" && value.text.size() <= kLongestPattern) to.group_pattern = value.text;
  if (key == "collapsed_processes") to.collapsed_processes = process_names_from(value);
  if (key == "collapsed") to.collapsed = track_names_from(value);
  if (key == "hidden") to.hidden = track_names_from(value);
  if (key == "pinned") to.pinned = track_names_from(value);
  if (key == "moved") to.moved = track_names_from(value);
  if (key == "limited") to.limited = track_names_from(value);
  if (key == "depth_limits") to.depth_limits = limits_from(value);
  if (key == "processes") to.processes = process_names_from(value);
  if (key == "bookmarks") to.bookmarks = bookmarks_from(value);
}

std::string view_state_json(const std::string& path, const FileIdentity& identity,
                            const SavedViewState& saved) {
  JsonWriter out;
  out.begin_object().field("path", std::string_view(path));
  out.field("size_bytes", identity.size_bytes).field("modified_ns", identity.modified_ns);
  out.field("head_bytes", identity.head_bytes).field("head_hash", identity.head_hash);
  if (saved.view) write_range(out, "view", *saved.view);
  out.field("scroll_px", saved.scroll_px);
  if (saved.range) write_range(out, "range", *saved.range);
  write_thread_members(out, saved);
  write_bookmarks(out, saved.bookmarks);
  return out.end_object().str();
}

std::optional<SavedFile> view_state_from(std::string_view json) {
  const Result<JsonValue> members = read_json(json);
  if (!members) return std::nullopt;
  SavedFile file;
  SavedViewState& saved = file.saved;
  FileIdentity& identity = file.identity;
  for (const auto& [key, value] : members->members) {
    if (key == "path") file.path = value.text;
    if (key == "size_bytes") identity.size_bytes = value.number<std::uint64_t>().value_or(0);
    if (key == "modified_ns") identity.modified_ns = value.number<std::int64_t>().value_or(0);
    if (key == "head_bytes") identity.head_bytes = value.number<std::uint64_t>().value_or(0);
    if (key == "head_hash") identity.head_hash = value.number<std::uint64_t>().value_or(0);
    if (key == "scroll_px") {
      saved.scroll_px = std::clamp(value.number<double>().value_or(0), 0.0, 1e12);
    }
    read_view_member(key, value, saved);
  }
  if (file.path.empty()) return std::nullopt;
  return file;
}

}  // namespace cinderscope
