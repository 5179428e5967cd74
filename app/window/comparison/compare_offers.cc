// What the menus of tabs, ranges, threads and processes offer to compare.
#include <fmt/format.h>

#include <algorithm>

#include "app/store/settings.h"
#include "app/store/state_files.h"
#include "app/window/app_context.h"
#include "app/window/comparison/compare_controller.h"
#include "app/window/comparison/compare_page.h"
#include "app/window/tab.h"
#include "render/layout/track_list.h"
#include "render/text/file_name.h"
#include "render/text/label.h"

namespace cinderscope {

namespace {

constexpr std::size_t kMostTraces = 12, kMostRecent = 5, kMostOfferedThreads = 12,
                      kOfferedNameBytes = 80;

std::string offered_name(std::string_view text) {
  return drawable(text.substr(0, kOfferedNameBytes));
}

// A thread of a trace as SIDE: ids may hold the signs that end a path.
std::string side_of_thread(const Session& session, const Track& track) {
  const Timeline& timeline = session.timeline();
  const std::string_view pid = timeline.text(timeline.processes[index(track.process)].pid);
  std::string id;
  if (track.thread != kNoThread) {
    id = fmt::format("{}/{}", pid, timeline.text(timeline.threads[index(track.thread)].tid));
  } else {
    id = track_label(timeline, track);
  }
  const bool plain = id.find_first_of("#@\" \\") == std::string::npos;
  return session.path() + "#" + (plain ? id : "\"" + id + "\"");
}

MenuEntry compare_entry(std::string label, const std::string& a, const std::string& b) {
  return {.label = std::move(label),
          .calls = {{"compare", quoted_argument(a) + " " + quoted_argument(b)}}};
}

// Threads of the same name, in this trace and in the others.
void offer_threads(const TabList& tabs, const Tab& shown, std::uint64_t number,
                   std::vector<MenuEntry>& entries) {
  const Timeline& timeline = shown.session->timeline();
  if (number >= timeline.tracks.size()) return;
  const Track& track = timeline.tracks[number];
  if (track.kind == TrackKind::counter) return;
  const std::string name = track_label(timeline, track);
  const std::string a = side_of_thread(*shown.session, track);
  for (const auto& tab : tabs.all) {
    if (is_lane(*tab) || !tab->session->has_trace()) continue;
    const Timeline& other = tab->session->timeline();
    for (std::uint32_t i = 0; i < other.tracks.size(); ++i) {
      const bool same = tab.get() == &shown && i == number;
      if (same || entries.size() >= kMostOfferedThreads ||
          track_label(other, other.tracks[i]) != name) {
        continue;
      }
      const std::string id(track_id_text(other, other.tracks[i]));
      const std::string where =
          tab.get() == &shown ? "" : " of " + offered_name(tab->session->title());
      entries.push_back(compare_entry(
          fmt::format("Compare with {} {}{}", offered_name(name), offered_name(id), where), a,
          side_of_thread(*tab->session, other.tracks[i])));
    }
  }
}

void offer_processes(const TabList& tabs, const Tab& shown, std::uint64_t number,
                     std::vector<MenuEntry>& entries) {
  const Timeline& timeline = shown.session->timeline();
  if (number >= timeline.processes.size()) return;
  const auto side = [](const Session& session, const Process& process) {
    return fmt::format("{}#{}/", session.path(), session.timeline().text(process.pid));
  };
  const Process& process = timeline.processes[number];
  const std::string_view name = timeline.text(process.name);
  for (const auto& tab : tabs.all) {
    if (is_lane(*tab) || !tab->session->has_trace()) continue;
    const Timeline& other = tab->session->timeline();
    for (std::size_t i = 0; i < other.processes.size(); ++i) {
      const Process& each = other.processes[i];
      const bool same = tab.get() == &shown && i == number;
      if (same || entries.size() >= kMostOfferedThreads || other.text(each.name) != name) continue;
      const std::string where =
          tab.get() == &shown ? "" : " of " + offered_name(tab->session->title());
      entries.push_back(compare_entry(fmt::format("Compare with {} {}{}", offered_name(name),
                                                  offered_name(other.text(each.pid)), where),
                                      side(*shown.session, process), side(*tab->session, each)));
    }
  }
}

void offer_traces(AppContext& app, std::uint64_t number, std::vector<MenuEntry>& entries) {
  const TabList& tabs = app.tabs();
  if (number < 1 || number > tabs.all.size() || is_lane(*tabs.all[number - 1])) return;
  const Tab& tab = *tabs.all[number - 1];
  const std::string& a = tab.session->path();
  std::vector<std::string> offered = {absolute_path(a)};
  for (const auto& other : tabs.all) {
    if (is_lane(*other) || other.get() == &tab || entries.size() >= kMostTraces) continue;
    offered.push_back(absolute_path(other->session->path()));
    entries.push_back(compare_entry("Compare with " + offered_name(other->session->title()), a,
                                    other->session->path()));
  }
  std::size_t recent = 0;
  for (const RecentFile& file : app.settings().recent) {
    if (recent >= kMostRecent || std::ranges::find(offered, file.path) != offered.end()) continue;
    ++recent;
    entries.push_back(
        compare_entry("Compare with " + offered_name(telling_name(file.path)), a, file.path));
  }
  entries.push_back(
      {.label = "Compare with…", .calls = {{"tab", std::to_string(number)}, {"compare-with", ""}}});
}

void offer_range(const TimelineState& state, bool has_kept, std::vector<MenuEntry>& entries) {
  const bool range = state.range.has_value();
  if (has_kept) {
    entries.push_back({.label = "Compare this range as B",
                       .calls = {{"compare-range", "as-b"}},
                       .enabled = range});
  }
  entries.push_back({.label = "Compare this range with another one…",
                     .calls = {{"compare-range", "as-a"}},
                     .enabled = range});
  entries.push_back({.label = "Compare this range with the rest",
                     .calls = {{"compare-range", "rest"}},
                     .enabled = range});
  entries.push_back({.label = "Compare this range with the one before",
                     .calls = {{"compare-range", "before"}},
                     .enabled = range});
}

}  // namespace

std::vector<MenuEntry> CompareController::offers(const MenuTarget& target) const {
  std::vector<MenuEntry> entries;
  if (target.kind == MenuTarget::Kind::tab) {
    offer_traces(app_, target.number, entries);
    return entries;
  }
  const Tab* page = app_.tabs().page();
  if (page == nullptr || is_lane(*page) || !page->session->has_trace()) return entries;
  switch (target.kind) {
    case MenuTarget::Kind::track:
      offer_threads(app_.tabs(), *page, target.number, entries);
      break;
    case MenuTarget::Kind::process:
      offer_processes(app_.tabs(), *page, target.number, entries);
      break;
    case MenuTarget::Kind::ruler:
    case MenuTarget::Kind::empty:
      if (page->session->state().range) {
        offer_range(page->session->state(), has_kept_range(), entries);
      }
      break;
    default:
      break;
  }
  return entries;
}

}  // namespace cinderscope
