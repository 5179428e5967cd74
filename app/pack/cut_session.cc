#include "app/pack/cut_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "ingest/base/number_text.h"
#include "ingest/base/saturating.h"

namespace cinderscope {
namespace {

// How much later the trace lies in its tab; none: that is known only once all are loaded.
std::optional<std::int64_t> offset_of(const SessionTab& tab, const TabTrace& of) {
  if (tab.kind != TabKind::merged || of.offset == "same") return 0;
  return parse_number<std::int64_t>(of.offset);
}

std::optional<TypedRange> together(std::optional<TypedRange> one, const TypedRange& other) {
  if (!one) return other;
  return TypedRange{std::min(one->begin_ns, other.begin_ns), std::max(one->end_ns, other.end_ns)};
}

// All that the tab's traces still have; none: at least one of them is whole.
std::optional<TypedRange> range_of_tab(const SessionTab& tab, const CutRanges& ranges) {
  std::optional<TypedRange> all;
  for (const TabTrace& of : tab.traces) {
    const auto found = ranges.find(of.trace);
    const auto offset = offset_of(tab, of);
    if (found == ranges.end() || !offset) return std::nullopt;
    all = together(all, {saturating_sum(found->second.begin_ns, *offset),
                         saturating_sum(found->second.end_ns, *offset)});
  }
  return all;
}

bool overlaps(const TypedRange& range, std::int64_t begin, std::int64_t end) {
  return begin < range.end_ns && end > range.begin_ns;
}

void cut_range(std::optional<TimeRange>& range, const TypedRange& to, std::size_t& left_out) {
  if (!range) return;
  if (!overlaps(to, range->begin_ns, range->end_ns)) {
    range.reset();
    ++left_out;
    return;
  }
  range->begin_ns = std::max(range->begin_ns, to.begin_ns);
  range->end_ns = std::min(range->end_ns, to.end_ns);
}

void cut_tab(SessionTab& tab, const TypedRange& range, LeftOut& left_out) {
  auto& view = tab.view.view;
  if (view && !overlaps(range, view->begin_ns, view->end_ns)) {
    view.reset();
    ++left_out.views;
  }
  cut_range(tab.view.range, range, left_out.selections);
  cut_range(tab.scope.range, range, left_out.selections);
  left_out.bookmarks += std::erase_if(tab.view.bookmarks, [&](const Bookmark& mark) {
    return mark.time_ns < range.begin_ns || mark.time_ns > range.end_ns;
  });
  if (!tab.selected) return;
  NamedSlice& selected = *tab.selected;
  const std::int64_t end =
      saturating_sum(selected.begin_ns, std::max<std::int64_t>(selected.duration_ns, 1));
  if (!overlaps(range, selected.begin_ns, end)) {
    tab.selected.reset();
    ++left_out.selections;
    return;
  }
  // As the part has it.
  const std::int64_t begin = std::max(selected.begin_ns, range.begin_ns);
  selected.duration_ns = std::max<std::int64_t>(std::min(end, range.end_ns) - begin, 0);
  selected.begin_ns = begin;
}

}  // namespace

std::string LeftOut::sentence() const {
  std::string parts;
  const auto add = [&parts](std::size_t count, const char* one, const char* several) {
    if (count == 0) return;
    parts += fmt::format("{}{} {}", parts.empty() ? "" : ", ", count, count == 1 ? one : several);
  };
  add(views, "view", "views");
  add(bookmarks, "bookmark", "bookmarks");
  add(selections, "selection", "selections");
  return parts.empty() ? parts : fmt::format("Left out, as outside of the part: {}.", parts);
}

LeftOut cut_session(SessionFile& session, const CutRanges& ranges) {
  LeftOut left_out;
  for (SessionTab& tab : session.tabs) {
    for (auto* side : {&tab.comparison.a, &tab.comparison.b}) {
      for (TabTrace& of : *side) {
        const auto found = ranges.find(of.trace);
        if (of.scope && found != ranges.end()) {
          cut_range(of.scope->range, found->second, left_out.selections);
        }
      }
    }
    if (tab.kind == TabKind::comparison) continue;
    if (const auto range = range_of_tab(tab, ranges)) cut_tab(tab, *range, left_out);
  }
  return left_out;
}

std::optional<TypedRange> shown_range(const SessionFile& session, std::string_view trace,
                                      bool selected) {
  std::optional<TypedRange> all;
  for (const SessionTab& tab : session.tabs) {
    const std::optional<TimeRange>& range = selected ? tab.view.range : tab.view.view;
    if (!range || range->begin_ns >= range->end_ns) continue;
    for (const TabTrace& of : tab.traces) {
      const auto offset = offset_of(tab, of);
      if (of.trace != trace || !offset) continue;
      all = together(all, {saturating_difference(range->begin_ns, *offset),
                           saturating_difference(range->end_ns, *offset)});
    }
  }
  return all;
}

void make_anonymous(SessionFile& session) {
  session.title.clear();
  session.note.clear();
  session.queries.clear();  // they ask for names
  session.applies_to.reset();
  session.original.reset();
  std::map<std::string, std::string> ids;
  for (SessionTrace& trace : session.traces) {
    const std::string id = fmt::format("t{}", ids.size() + 1);
    ids.emplace(std::exchange(trace.id, id), id);
    trace.keep.threads.clear();
  }
  for (SessionTab& tab : session.tabs) {
    SessionTab kept;
    kept.kind = tab.kind;
    kept.traces = std::move(tab.traces);
    kept.view.view = tab.view.view;
    kept.view.range = tab.view.range;
    kept.view.bookmarks = std::move(tab.view.bookmarks);
    for (Bookmark& mark : kept.view.bookmarks) mark.note.clear();
    kept.scope.range = tab.scope.range;
    kept.comparison.a = std::move(tab.comparison.a);
    kept.comparison.b = std::move(tab.comparison.b);
    kept.comparison.measure = tab.comparison.measure;
    for (auto* traces : {&kept.traces, &kept.comparison.a, &kept.comparison.b}) {
      for (TabTrace& of : *traces) {
        of.trace = ids[of.trace];
        if (of.scope) of.scope->threads.clear();
      }
    }
    tab = std::move(kept);
  }
}

void forget_old_paths(SessionFile& session) {
  if (!session.original) return;
  JsonValue original = *session.original;
  for (JsonMember& member : original.members) {
    if (member.key != "traces") continue;
    for (JsonMember& trace : member.value.members) {
      std::erase_if(trace.value.members,
                    [](const JsonMember& each) { return each.key == "path_bytes"; });
    }
  }
  session.original = std::make_shared<const JsonValue>(std::move(original));
}

void drop_traces_without_path(SessionFile& session) {
  std::set<std::string> gone;
  for (const SessionTrace& trace : session.traces) {
    if (trace.path.empty()) gone.insert(trace.id);
  }
  if (gone.empty()) return;
  const auto drop = [&gone](std::vector<TabTrace>& traces) {
    // The first run has the scope of its side.
    auto scope = traces.empty() ? std::nullopt : std::move(traces.front().scope);
    std::erase_if(traces, [&](const TabTrace& of) { return gone.contains(of.trace); });
    if (!traces.empty()) traces.front().scope = std::move(scope);
  };
  std::vector<SessionTab> tabs;
  std::size_t active = 0;
  for (std::size_t i = 0; i < session.tabs.size(); ++i) {
    SessionTab& tab = session.tabs[i];
    drop(tab.traces);
    drop(tab.comparison.a);
    drop(tab.comparison.b);
    const bool shows = tab.kind == TabKind::comparison
                           ? !tab.comparison.a.empty() && !tab.comparison.b.empty()
                           : !tab.traces.empty();
    if (!shows) continue;
    if (i <= session.active) active = tabs.size();
    tabs.push_back(std::move(tab));
  }
  session.tabs = std::move(tabs);
  session.active = active;
  std::erase_if(session.traces, [](const SessionTrace& trace) { return trace.path.empty(); });
}

}  // namespace cinderscope
