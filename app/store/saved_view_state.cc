#include "app/store/saved_view_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "ingest/base/json_value.h"
#include "ingest/base/json_writer.h"
#include "ingest/base/text_hash.h"
#include "ingest/base/utf8.h"

namespace cinderscope {
namespace {

constexpr std::size_t kLongestName = 256, kKeptOfLongName = 120;
constexpr std::size_t kLongestNote = 4096, kLongestPattern = 4096;
constexpr std::size_t kMostBookmarks = 10'000;
constexpr std::array<std::string_view, 7> kKinds = {"thread", "async",     "samples", "counter",
                                                    "calls",  "lifetimes", "marks"};
constexpr std::array<std::string_view, 5> kOrders = {"index", "time", "name", "id", "activity"};

// Equal texts become equal names; what JSON cannot hold is replaced here and not on writing.
std::string short_name(std::string_view text) {
  if (text.size() <= kLongestName) return valid_utf8(text);
  return fmt::format("{}#{:016x}", valid_utf8(text.substr(0, kKeptOfLongName)), text_hash(text));
}

TrackName name_of(const Timeline& timeline, const Track& track) {
  TrackName name{.kind = track.kind};
  name.pid = short_name(timeline.text(timeline.processes[index(track.process)].pid));
  if (track.thread != kNoThread) {
    name.tid = short_name(timeline.text(timeline.threads[index(track.thread)].tid));
  }
  name.name = short_name(timeline.text(track.name));
  return name;
}

ProcessName name_of(const Timeline& timeline, const Process& process) {
  return {.pid = short_name(timeline.text(process.pid))};
}

// Names of the items of `all` whose numbers are `wanted`. Equal ones are told apart by their order,
// so those before count as well.
template <class Name, class Items, class Numbers>
std::vector<Name> names_of(const Timeline& timeline, const Items& all, const Numbers& wanted) {
  std::vector<Name> names;
  if (wanted.empty()) return names;
  std::vector<std::uint32_t> numbers;
  for (const std::uint32_t number : wanted) {
    if (number < all.size() && numbers.size() < kMostRemembered) numbers.push_back(number);
  }
  std::map<Name, std::uint32_t> seen;
  for (const std::uint32_t number : numbers) seen[name_of(timeline, all[number])] = 0;
  std::map<std::uint32_t, Name> found;
  const std::set<std::uint32_t> chosen(numbers.begin(), numbers.end());
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    Name name = name_of(timeline, all[i]);
    const auto count = seen.find(name);
    if (count == seen.end()) continue;
    name.nth = count->second++;
    if (chosen.contains(i)) found[i] = std::move(name);
  }
  for (const std::uint32_t number : numbers) names.push_back(found.at(number));
  return names;
}

// Numbers of the items that have these names, for each name in turn; kNone where there is none.
constexpr std::uint32_t kNone = UINT32_MAX;

template <class Name, class Items>
std::map<Name, std::uint32_t> numbers_of(const Timeline& timeline, const Items& all,
                                         const std::vector<const std::vector<Name>*>& lists) {
  std::map<Name, std::uint32_t> numbers;
  std::map<Name, std::uint32_t> seen;
  for (const auto* list : lists) {
    for (const Name& name : *list) {
      numbers[name] = kNone;
      Name first = name;
      first.nth = 0;
      seen[first] = 0;
    }
  }
  if (numbers.empty()) return numbers;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    Name name = name_of(timeline, all[i]);
    const auto count = seen.find(name);
    if (count == seen.end()) continue;
    name.nth = count->second++;
    if (const auto found = numbers.find(name); found != numbers.end()) found->second = i;
  }
  return numbers;
}

template <class Name, class Put>
void put_back(const std::vector<Name>& names, const std::map<Name, std::uint32_t>& numbers,
              Put put) {
  for (const Name& name : names) {
    if (const std::uint32_t number = numbers.at(name); number != kNone) put(number);
  }
}

void write_names(JsonWriter& out, std::string_view key, const std::vector<TrackName>& names) {
  out.key(key).begin_array();
  for (const TrackName& name : names) {
    out.begin_array().text(kKinds.at(static_cast<std::size_t>(name.kind)));
    out.text(name.pid).text(name.tid).text(name.name).number(std::uint64_t{name.nth}).end_array();
  }
  out.end_array();
}

void write_limits(JsonWriter& out, const SavedViewState& saved) {
  write_names(out, "limited", saved.limited);
  out.key("depth_limits").begin_array();
  for (const std::uint32_t limit : saved.depth_limits) out.number(std::uint64_t{limit});
  out.end_array();
}

std::vector<std::uint32_t> limits_from(const JsonValue& list) {
  std::vector<std::uint32_t> limits;
  for (const JsonMember& each : list.members) {
    if (limits.size() >= kMostRemembered) break;
    limits.push_back(std::max(each.value.number<std::uint32_t>().value_or(1), 1u));
  }
  return limits;
}

void write_range(JsonWriter& out, std::string_view key, const std::optional<TimeRange>& range) {
  if (!range) return;
  out.key(key).begin_array().number(range->begin_ns).number(range->end_ns).end_array();
}

std::optional<TimeRange> range_from(const JsonValue& ends) {
  if (ends.members.size() != 2) return std::nullopt;
  const TimeRange range{ends.members[0].value.number<std::int64_t>().value_or(0),
                        ends.members[1].value.number<std::int64_t>().value_or(0)};
  if (range.begin_ns >= range.end_ns) return std::nullopt;
  return range;
}

std::uint32_t nth_from(const JsonMember& member) {
  return member.value.number<std::uint32_t>().value_or(0);
}

std::vector<TrackName> names_from(const JsonValue& tracks) {
  std::vector<TrackName> names;
  for (const JsonMember& track : tracks.members) {
    const std::vector<JsonMember>& parts = track.value.members;
    if (parts.size() != 5 || names.size() >= kMostRemembered) continue;
    const auto* kind = std::ranges::find(kKinds, parts[0].value.text);
    if (kind == kKinds.end()) continue;
    names.push_back({.kind = static_cast<TrackKind>(kind - kKinds.begin()),
                     .pid = parts[1].value.text,
                     .tid = parts[2].value.text,
                     .name = parts[3].value.text,
                     .nth = nth_from(parts[4])});
  }
  return names;
}

std::vector<ProcessName> processes_from(const JsonValue& processes) {
  std::vector<ProcessName> names;
  for (const JsonMember& process : processes.members) {
    const std::vector<JsonMember>& parts = process.value.members;
    if (parts.size() != 2 || names.size() >= kMostRemembered) continue;
    names.push_back({.pid = parts[0].value.text, .nth = nth_from(parts[1])});
  }
  return names;
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
  saved.collapsed_processes =
      names_of<ProcessName>(timeline, timeline.processes, state.collapsed_processes);
  saved.collapsed = names_of<TrackName>(timeline, timeline.tracks, state.collapsed_tracks);
  saved.hidden = names_of<TrackName>(timeline, timeline.tracks, state.hidden_tracks);
  saved.pinned = names_of<TrackName>(timeline, timeline.tracks, state.pinned_tracks);
  if (state.moved_tracks.size() <= kMostRemembered) {
    saved.moved = names_of<TrackName>(timeline, timeline.tracks, state.moved_tracks);
  }
  std::vector<std::uint32_t> limited;
  for (const auto& [track, limit] : state.depth_limits) {
    if (track >= timeline.tracks.size() || limited.size() >= kMostRemembered) continue;
    limited.push_back(track);
    saved.depth_limits.push_back(limit);
  }
  saved.limited = names_of<TrackName>(timeline, timeline.tracks, limited);
  if (saved.bookmarks.size() > kMostBookmarks) saved.bookmarks.resize(kMostBookmarks);
  return saved;
}

void restore(const SavedViewState& saved, const Timeline& timeline, TimelineState& state) {
  const auto processes =
      numbers_of<ProcessName>(timeline, timeline.processes, {&saved.collapsed_processes});
  const auto tracks = numbers_of<TrackName>(
      timeline, timeline.tracks,
      {&saved.collapsed, &saved.hidden, &saved.pinned, &saved.moved, &saved.limited});
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
      const std::uint32_t track = tracks.at(saved.limited[i]);
      if (track != kNone) state.depth_limits[track] = saved.depth_limits[i];
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

std::string view_state_json(const std::string& path, const FileIdentity& identity,
                            const SavedViewState& saved) {
  JsonWriter out;
  out.begin_object().field("path", std::string_view(path));
  out.field("size_bytes", identity.size_bytes).field("modified_ns", identity.modified_ns);
  out.field("head_bytes", identity.head_bytes).field("head_hash", identity.head_hash);
  write_range(out, "view", saved.view);
  out.field("scroll_px", saved.scroll_px);
  write_range(out, "range", saved.range);
  out.field("order", kOrders.at(static_cast<std::size_t>(saved.order)));
  out.field("grouped", saved.grouped);
  // A part of a pattern would be another pattern.
  if (saved.group_pattern.size() <= kLongestPattern) {
    out.field("group_pattern", std::string_view(saved.group_pattern));
  }
  out.key("collapsed_processes").begin_array();
  for (const ProcessName& name : saved.collapsed_processes) {
    out.begin_array().text(name.pid).number(std::uint64_t{name.nth}).end_array();
  }
  out.end_array();
  write_names(out, "collapsed", saved.collapsed);
  write_names(out, "hidden", saved.hidden);
  write_names(out, "pinned", saved.pinned);
  write_names(out, "moved", saved.moved);
  write_limits(out, saved);
  out.key("bookmarks").begin_array();
  for (const Bookmark& mark : saved.bookmarks) {
    out.begin_object().field("time", mark.time_ns).field("begin", mark.begin_ns);
    out.field("end", mark.end_ns).field("scroll", mark.scroll_px);
    out.field("note", std::string_view(mark.note).substr(0, kLongestNote)).end_object();
  }
  return out.end_array().end_object().str();
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
    if (key == "view") saved.view = range_from(value);
    if (key == "range") saved.range = range_from(value);
    if (key == "scroll_px") {
      saved.scroll_px = std::clamp(value.number<double>().value_or(0), 0.0, 1e12);
    }
    if (key == "order") {
      const auto* found = std::ranges::find(kOrders, value.text);
      if (found != kOrders.end()) saved.order = static_cast<TrackOrder>(found - kOrders.begin());
    }
    if (key == "grouped") saved.grouped = value.boolean().value_or(true);
    if (key == "group_pattern" && value.text.size() <= kLongestPattern) {
      saved.group_pattern = value.text;
    }
    if (key == "collapsed_processes") saved.collapsed_processes = processes_from(value);
    if (key == "collapsed") saved.collapsed = names_from(value);
    if (key == "hidden") saved.hidden = names_from(value);
    if (key == "pinned") saved.pinned = names_from(value);
    if (key == "moved") saved.moved = names_from(value);
    if (key == "limited") saved.limited = names_from(value);
    if (key == "depth_limits") saved.depth_limits = limits_from(value);
    if (key == "bookmarks") saved.bookmarks = bookmarks_from(value);
  }
  if (file.path.empty()) return std::nullopt;
  return file;
}

}  // namespace cinderscope
