// The view state of a trace that is kept on disk: view, folded and hidden threads, bookmarks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/store/track_names.h"
#include "ingest/base/json/json_value.h"
#include "ingest/base/json/json_writer.h"
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

struct SavedViewState {
  std::optional<TimeRange> view;  // empty: the whole trace
  double scroll_px = 0;
  std::optional<TimeRange> range;
  TrackOrder order = TrackOrder::sort_index;
  bool grouped = true;
  std::string group_pattern;
  std::vector<ProcessName> collapsed_processes;
  std::vector<TrackName> collapsed, hidden, pinned, limited;
  std::vector<TrackName> moved;  // an order of more than kMostRemembered is not kept at all
  std::vector<std::uint32_t> depth_limits;  // of `limited`
  std::vector<ProcessName> processes;       // of these tracks, whose names hold in other recordings
  std::vector<Bookmark> bookmarks;
};

// `whole`: the view still shows the whole trace.
SavedViewState saved_view_state(const Timeline& timeline, const TimelineState& state, bool whole);

// Restores everything but the view, which depends on the window's width, and but for lists that the
// user has changed since the trace was opened. Tracks that no longer exist are left out.
// `names_alone`: pids and tids do not count.
void restore(const SavedViewState& saved, const Timeline& timeline, TimelineState& state,
             bool names_alone = false);

// What of it is about threads, and the bookmarks, as members of an object that is being written:
// here and in sessions alike.
void write_thread_members(JsonWriter& out, const SavedViewState& saved);
void write_bookmarks(JsonWriter& out, const std::vector<Bookmark>& bookmarks);
void write_range(JsonWriter& out, std::string_view key, const TimeRange& range);
// Takes a member that it knows; what is of another type or no such value stays as it was.
void read_view_member(std::string_view key, const JsonValue& value, SavedViewState& to);
std::optional<TimeRange> range_from(const JsonValue& ends);

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
