// The rows of the timeline from top to bottom: process heads and tracks with their places. No
// ImGui.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ingest/timeline.h"
#include "render/timeline_state.h"

namespace cinderscope {

// Sizes at scale 1.
inline constexpr double kRowPx = 18;
inline constexpr double kRowStepPx = 19;      // a row and its gap
inline constexpr double kTrackPadPx = 4;      // above the first row
inline constexpr double kProcessHeadPx = 25;  // 24 and a hairline
inline constexpr double kCounterPx = 44;
inline constexpr double kMinTrackPx = 34;  // name and busy bar

struct TrackRow {
  enum class Kind : std::uint8_t { process_head, slices, counter };
  Kind kind = Kind::slices;
  bool collapsed = false;
  ProcessId process{};
  TrackId track = kNoTrack;  // kNoTrack on a process head
  double y_px = 0;           // of the upper edge, from the top of all tracks
  double height_px = 0;
  std::uint32_t shown_depth = 0;    // rows of slices that are drawn
  std::uint32_t hidden_tracks = 0;  // on a process head: how many the user hid
};

// Rebuilt when the timeline, the order, the filter or what is folded changes; otherwise `update` is
// a comparison. UI thread.
class TrackList {
 public:
  // Returns true if rows changed, or the slices behind them.
  bool update(const Timeline& timeline, const TimelineState& state);

  const std::vector<TrackRow>& rows() const { return rows_; }
  double height_px() const { return height_px_; }
  // Index of the row at `y_px`; rows().size() if there is none.
  std::size_t row_at(double y_px) const;
  // The row of a track, or null if it is hidden, filtered out, or in a collapsed process.
  const TrackRow* row_of(TrackId track) const;

 private:
  struct Key {
    std::set<std::uint32_t> collapsed_processes, collapsed_tracks, hidden_tracks;
    std::string filter;
    TrackOrder order = TrackOrder::sort_index;
    std::uint64_t tracks = 0;  // hash of what the rows depend on
    bool operator==(const Key&) const = default;
  };
  void rebuild(const Timeline& timeline, const TimelineState& state);
  void add_track(const Timeline& timeline, const TimelineState& state, TrackId id);

  Key key_;
  bool built_ = false;
  std::vector<TrackRow> rows_;
  std::vector<std::uint32_t> row_of_track_;  // index + 1, 0 = none
  double height_px_ = 0;
};

// "CrRendererMain", or a stand-in ("Thread 7", "Process 3") where the trace gives no name.
std::string process_label(const Timeline& timeline, ProcessId process);
std::string track_label(const Timeline& timeline, const Track& track);
// The id that stands in dim beside the name: tid of a named thread; empty where the name tells it.
std::string_view track_id_text(const Timeline& timeline, const Track& track);

}  // namespace cinderscope
