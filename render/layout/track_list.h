// The rows of the timeline from top to bottom: heads of groups and tracks with their places. No
// ImGui.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "ingest/model/timeline.h"
#include "render/base/timeline_state.h"
#include "render/layout/track_order.h"

namespace cinderscope {

// Sizes at scale 1.
inline constexpr double kRowPx = 18;
inline constexpr double kRowStepPx = 19;      // a row and its gap
inline constexpr double kTrackPadPx = 4;      // above the first row
inline constexpr double kInstantRowPx = 17;   // of a track's instants, above its first row
inline constexpr double kProcessHeadPx = 25;  // 24 and a hairline
inline constexpr double kCounterPx = 44;
inline constexpr double kMinTrackPx = 34;  // name and busy bar

struct TrackRow {
  enum class Kind : std::uint8_t { head, slices, counter };
  Kind kind = Kind::slices;
  bool collapsed = false;
  bool pinned = false;
  ProcessId process{};       // of a track, and of the head of a process
  std::uint32_t group = 0;   // into TrackList::groups()
  TrackId track = kNoTrack;  // kNoTrack on a head
  double y_px = 0;           // of the upper edge, from the top of all rows of its list
  double height_px = 0;
  double first_px = kTrackPadPx;    // from the upper edge to the first row of slices
  std::uint32_t shown_depth = 0;    // rows of slices that are drawn
  std::uint32_t hidden_tracks = 0;  // on a head: how many the user hid
  bool tracks_collapsed = false;    // on a head: all that it shows are
};

// The pinned tracks stand in a list of their own, above all others.
enum class TrackPart : std::uint8_t { main, pinned };

// Rebuilt when the timeline, the order, the filter or what is folded changes; otherwise `update` is
// a comparison. The order is made again only where it is touched. UI thread.
class TrackList {
 public:
  explicit TrackList(TrackPart part = TrackPart::main) : part_(part) {}

  // Returns true if rows changed, or the slices behind them. `version` changes whenever the
  // timeline does in place (child blocks that come and go).
  bool update(const Timeline& timeline, const TimelineState& state, std::uint64_t version = 0);

  const std::vector<TrackRow>& rows() const { return rows_; }
  const std::vector<TrackGroup>& groups() const { return ordering_.groups; }
  // The tracks of marks that are not hidden, in either part.
  const std::vector<TrackId>& marks() const { return marks_; }
  double height_px() const { return height_px_; }
  // Index of the row at `y_px`; rows().size() if there is none.
  std::size_t row_at(double y_px) const;
  // The row of a track, or null if it is hidden, filtered out, in a collapsed group or in the other
  // part.
  const TrackRow* row_of(TrackId track) const;
  // The rows [first, end) of the tracks under the same head as this row, the head left out; of a
  // head those under it.
  struct Span {
    std::size_t first = 0, end = 0;
  };
  Span group_rows(std::size_t row) const;

 private:
  // What the order depends on, and what the rows do beside.
  struct OrderKey {
    std::tuple<const StringPool*, const Track*, std::size_t, std::size_t, std::uint64_t, bool,
               std::uint64_t, bool, TrackOrder>
        facts;
    std::string pattern;
    std::vector<std::uint32_t> moved;
    // Both return whether anything changed.
    bool take(const Timeline& timeline, const TimelineState& state, std::uint64_t now);
  };
  struct RowKey {
    std::array<IndexSet::Print, 4> prints;
    std::set<std::string> groups;
    std::vector<std::uint32_t> pinned;
    std::string filter;
    bool take(const TimelineState& state);
  };
  void rebuild(const Timeline& timeline, const TimelineState& state);
  void collect_marks(const Timeline& timeline, const TimelineState& state);
  void rebuild_pinned(const Timeline& timeline, const TimelineState& state);
  void add_head(const TimelineState& state, const Track& track, std::uint32_t group);
  void add_track(const Timeline& timeline, const TimelineState& state, TrackId id);

  TrackPart part_;
  OrderKey order_key_;
  RowKey row_key_;
  bool built_ = false;
  TrackOrdering ordering_;
  std::vector<TrackRow> rows_;
  std::vector<TrackId> marks_;
  std::vector<std::uint32_t> row_of_track_;  // index + 1, 0 = none
  double height_px_ = 0;
};

// Whether the track is on the screen's list at all: not hidden, not left out by a solo.
bool is_shown(const TimelineState& state, std::uint32_t track);

// Tells which tracks a filter's text leaves: it may stand in the name or id of the thread, in those
// of its process, or in the name of its group. Without regard to case.
class TrackFilter {
 public:
  TrackFilter(const Timeline& timeline, std::string_view text);
  bool passes(const Track& track, const TrackGroup* group);

 private:
  bool contains(std::string_view text) const;
  const Timeline& timeline_;
  std::string text_;                 // in lower case
  std::vector<char> process_known_;  // 0: not looked at yet, 1: no, 2: yes
};

// The head's text: of the process, or what the pattern found.
std::string group_label(const Timeline& timeline, const TrackGroup& group);
// What commands call a head or a track: "process 3", "group GPU", "track 17".
std::string head_argument(const TrackGroup& group);
std::string track_argument(TrackId track);

// "CrRendererMain", or a stand-in ("Thread 7", "Process 3") where the trace gives no name.
std::string process_label(const Timeline& timeline, ProcessId process);
std::string track_label(const Timeline& timeline, const Track& track);
// The id that stands in dim beside the name: tid of a named thread; empty where the name tells it.
std::string_view track_id_text(const Timeline& timeline, const Track& track);

}  // namespace cinderscope
