// What is remembered of a trace from one time it is opened to the next: view, threads, bookmarks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/model/timeline.h"
#include "render/base/timeline_state.h"

namespace cinderscope {

// Tells whether a path still holds the trace that it held.
struct FileIdentity {
  std::uint64_t size_bytes = 0;
  std::int64_t modified_ns = 0;
  std::uint64_t head_bytes = 0;  // how much of its begin was looked at
  std::uint64_t head_hash = 0;
};

// A track as texts, since numbers mean nothing in another load. Long ones are cut and hashed.
struct TrackName {
  TrackKind kind = TrackKind::thread;
  std::string pid, tid, name;
  std::uint32_t nth = 0;  // of those that are equal in all of that

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
  std::vector<TrackName> collapsed, hidden, pinned, moved;
  std::vector<Bookmark> bookmarks;
};

// More than this is not kept of any of the lists; an order of more tracks is not kept at all.
inline constexpr std::size_t kMostRemembered = 10'000;

// `whole`: the view follows the trace's ends, nobody has moved it.
SavedViewState memory_of(const Timeline& timeline, const TimelineState& state, bool whole);

// Puts back what is remembered and what the user has not chosen anew since the trace was opened.
// The view is for the caller to put back; width and scale are his. Tracks that are not there any
// more are left out.
void restore(const SavedViewState& memory, const Timeline& timeline, TimelineState& state);

// As text; `path` goes with it to tell two paths of one hash apart.
std::string memory_json(const std::string& path, const FileIdentity& identity,
                        const SavedViewState& memory);
struct RememberedFile {
  std::string path;
  FileIdentity identity;
  SavedViewState memory;
};
// nullopt if the text is no such memory; parts that make no sense are left out.
std::optional<RememberedFile> memory_from(std::string_view json);

}  // namespace cinderscope
