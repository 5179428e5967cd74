// What the commands of threads do to what a tab shows: collapse, hide, solo, pin, move, group,
// sort.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/base/result.h"
#include "ingest/model/timeline.h"
#include "render/base/timeline_state.h"

namespace cinderscope {

// What a command's THREAD means: an id or a name; "track N", "process N", "group NAME" and "threads
// of ..." of either, as menus and heads say it, "selected threads" in the gutter; empty for the
// thread of the selected call.
struct MeantThreads {
  std::vector<std::uint32_t> tracks, processes;
  std::vector<std::string> groups;  // of the pattern
  bool empty() const { return tracks.empty() && processes.empty() && groups.empty(); }
};
MeantThreads meant_threads(const Timeline& timeline, const TimelineState& state,
                           std::string_view text);

// The same; an Error where no thread is meant.
Result<MeantThreads> needed_threads(const Timeline& timeline, const TimelineState& state,
                                    std::string_view text);

// The tracks that are meant, those of processes and groups in place of these.
std::vector<std::uint32_t> tracks_of(const Timeline& timeline, const TimelineState& state,
                                     const MeantThreads& meant);

// `thread` as meant_threads reads it.
Status fold_threads(std::string_view thread, bool collapse, const Timeline& timeline,
                    TimelineState& state);
Status hide_threads(std::string_view thread, bool hide, const Timeline& timeline,
                    TimelineState& state);
// Shows only these; once more, or "off": all that was shown before.
Status solo_threads(std::string_view thread, const Timeline& timeline, TimelineState& state);
Status pin_threads(std::string_view thread, bool pin, const Timeline& timeline,
                   TimelineState& state);
// "process", "none" or a regular expression over the threads' names.
Status group_threads(std::string_view by, TimelineState& state);
void sort_threads(TrackOrder order, TimelineState& state);
void show_all_threads(TimelineState& state);

// Makes a track appear among the others, whatever hides it, with at least so many of its rows; 0:
// it may stay folded. False if nothing hid it.
bool show_track(const Timeline& timeline, TrackId track, std::uint32_t rows, TimelineState& state);

// Names of the tracks in the order of the gutter, the pinned ones first; and of what is hidden.
struct ShownThreads {
  std::vector<std::string> shown, pinned, heads;  // at most kMaxNames each
  std::uint64_t hidden = 0;
  static constexpr std::size_t kMaxNames = 100;
};
ShownThreads shown_threads(const Timeline& timeline, const TimelineState& state);

}  // namespace cinderscope
