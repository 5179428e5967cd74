// The view state of a trace that is kept on disk: view, folded and hidden threads, bookmarks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/model/timeline.h"
#include "render/base/timeline_state.h"

namespace cinderscope {

// Identifies the trace at a path, to notice when another one lies there.
struct FileIdentity {
  std::uint64_t size_bytes = 0;
  std::int64_t modified_ns = 0;
  std::uint64_t head_bytes = 0;  // length of the beginning that was hashed
  std::uint64_t head_hash = 0;
};

// A track by its texts, since indices change from load to load. Long texts are cut and hashed.
struct TrackName {
  TrackKind kind = TrackKind::thread;
  std::string pid, tid, name;
  std::uint32_t nth = 0;  // counts tracks whose texts are all equal

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the 0 compared with for a pointer
  auto operator<=>(const TrackName&) const = default;
};

struct ProcessName {
  std::string pid;
  std::uint32_t nth = 0;

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the 0 compared with for a pointer
  auto operator<=>(const ProcessName&) const = default;
};

struct SavedViewState {
  std::optional<TimeRange> view;  // empty: the whole trace
  double scroll_px = 0;
  std::optional<TimeRange> range;
  TrackOrder order = TrackOrder::sort_index;
  bool grouped = true;
  std::string group_pattern;
  std::vector<ProcessName> collapsed_processes;
  std::vector<TrackName> collapsed, hidden, pinned, moved, limited;
  std::vector<std::uint32_t> depth_limits;  // of `limited`
  std::vector<Bookmark> bookmarks;
};

// Most entries kept of a list; an order of more tracks is not kept at all.
inline constexpr std::size_t kMostRemembered = 10'000;

// `whole`: the view still shows the whole trace.
SavedViewState saved_view_state(const Timeline& timeline, const TimelineState& state, bool whole);

// Restores everything but the view, which depends on the window's width, and but for lists that the
// user has changed since the trace was opened. Tracks that no longer exist are left out.
void restore(const SavedViewState& saved, const Timeline& timeline, TimelineState& state);

// JSON text; holds `path`, since file names are hashes of paths.
std::string view_state_json(const std::string& path, const FileIdentity& identity,
                            const SavedViewState& saved);
struct SavedFile {
  std::string path;
  FileIdentity identity;
  SavedViewState saved;
};
// nullopt if the text is no saved view state; invalid parts are left out.
std::optional<SavedFile> view_state_from(std::string_view json);

}  // namespace cinderscope
