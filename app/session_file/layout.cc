#include "app/session_file/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "app/session_file/session_path.h"
#include "ingest/base/ascii.h"
#include "ingest/base/path_text.h"
#include "ingest/search/typed_thread.h"

namespace cinderscope {
namespace {

constexpr std::size_t kMostLayouts = 100;

// A name, or an expression between slashes.
bool fits_any(const std::string& wanted, const std::vector<std::string>& names) {
  const Result<TypedThread> typed = typed_thread(wanted);
  if (!typed) return false;
  return std::ranges::any_of(names, [&](const std::string& name) {
    return typed->is_expression ? typed->matches.holds(name)
                                : equals_in_any_case(typed->plain, name);
  });
}

// nullopt: it does not fit. The more it says the higher.
std::optional<int> rank_of(const SessionFile& session, const std::string& name,
                           const LayoutSubject& subject) {
  if (session.applies_to) {
    const LayoutRule& rule = *session.applies_to;
    const bool format = rule.format.empty() || rule.format == subject.format;
    const bool process = rule.process.empty() || fits_any(rule.process, subject.processes);
    return format && process ? std::optional(3) : std::nullopt;
  }
  if (name == subject.format) return 2;
  return name == "default" ? std::optional(1) : std::nullopt;
}

Result<SessionLayout> layout_of(SessionFile session, const std::string& path) {
  for (SessionTab& tab : session.tabs) {
    if (tab.kind != TabKind::comparison) return SessionLayout{path, std::move(tab)};
  }
  return refused(fmt::format("{} has no tab of a trace, so it is no layout.", path));
}

}  // namespace

Result<SessionLayout> read_layout(const std::string& path) {
  std::error_code none;
  if (!std::filesystem::exists(path_of(path), none)) {
    return Error{.code = ErrorCode::cannot_read,
                 .text = fmt::format("There is no layout {}.", path),
                 .expected = {}};
  }
  Result<ReadSession> read = read_session(path);
  if (!read) return read.error();
  return layout_of(std::move(read->file), path);
}

std::optional<SessionLayout> default_layout(const std::string& folder,
                                            const LayoutSubject& subject) {
  namespace fs = std::filesystem;
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator each(path_of(folder), error), end; !error && each != end;
       each.increment(error)) {
    if (each->path().extension() == ".cinder") files.push_back(each->path());
    if (files.size() >= kMostLayouts) break;
  }
  std::ranges::sort(files);
  std::optional<SessionLayout> best;
  int best_rank = 0;
  for (const fs::path& file : files) {
    Result<ReadSession> read = read_session(utf8_of(file));
    if (!read) continue;
    const auto rank = rank_of(read->file, utf8_of(file.stem()), subject);
    if (!rank || *rank <= best_rank) continue;
    Result<SessionLayout> layout = layout_of(std::move(read->file), utf8_of(file));
    if (!layout) continue;
    best = std::move(*layout);
    best_rank = *rank;
  }
  return best;
}

std::vector<std::string> lost_threads(const Timeline& timeline, const SessionTab& tab,
                                      bool names_alone) {
  const SavedViewState& view = tab.view;
  std::vector<const std::vector<TrackName>*> lists = {&view.pinned,    &view.hidden,  &tab.solo,
                                                      &view.collapsed, &view.limited, &view.moved};
  const auto found =
      tracks_named(timeline, lists, {.processes = view.processes, .names_alone = names_alone});
  const auto processes = processes_named(timeline, view.collapsed_processes, names_alone);
  std::vector<std::string> lost;
  std::set<std::string> told;
  const auto tell = [&](const std::string& text) {
    if (told.insert(text).second) lost.push_back(text);
  };
  for (const auto* list : lists) {
    for (const TrackName& name : *list) {
      if (found.contains(name)) continue;
      tell(name.name.empty() ? fmt::format("{}/{}", name.pid, name.tid) : name.name);
    }
  }
  for (const ProcessName& name : view.collapsed_processes) {
    if (!processes.contains(name)) tell(name.name.empty() ? name.pid + '/' : name.name);
  }
  return lost;
}

}  // namespace cinderscope
