// The rows of the timeline from top to bottom: heads of groups and tracks, with their positions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
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
inline constexpr double kMinTrackPx = 34;    // name and busy bar
inline constexpr double kHiddenRowsPx = 13;  // the line that tells of rows beyond a depth limit

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
  double first_px = kTrackPadPx;                   // from the upper edge to the first row of slices
  std::uint32_t shown_depth = 0;                   // rows of slices that are drawn
  std::uint32_t hidden_rows = 0;                   // below them, by the track's depth limit
  std::uint32_t first_member = 0, end_member = 0;  // of a collapsed head: into TrackList::members()
  std::uint32_t hidden_tracks = 0;                 // of a head: tracks below it that the user hid
  bool tracks_collapsed = false;  // of a head: all tracks shown below it are collapsed
};

// Pinned tracks are a list of their own, above all others.
enum class TrackPart : std::uint8_t { main, pinned };

// Rebuilt when the timeline, the order, the filter or the folding changes; otherwise update() only
// compares. Tracks are sorted again only if something that their order depends on has changed.
// Keeps no reference to timeline and state. UI thread.
class TrackList {
 public:
  explicit TrackList(TrackPart part = TrackPart::main) : part_(part) {}

  // Returns true if rows changed, or the slices behind them. `version` must change whenever the
  // timeline changes in place (child blocks come or go).
  bool update(const Timeline& timeline, const TimelineState& state, std::uint64_t version = 0);

  const std::vector<TrackRow>& rows() const { return rows_; }
  const std::vector<TrackGroup>& groups() const { return ordering_.groups; }
  // The tracks of marks that are not hidden, in either part.
  const std::vector<TrackId>& marks() const { return marks_; }
  // The tracks that collapsed heads stand for.
  std::span<const std::uint32_t> members(const TrackRow& head) const {
    return std::span(members_).subspan(head.first_member, head.end_member - head.first_member);
  }
  // Of all tracks of a group, counters left out.
  struct GroupTotals {
    std::uint64_t shown = 0, hidden = 0;  // tracks
    std::uint64_t calls = 0;
  };
  const GroupTotals& totals_of(std::uint32_t group) const { return group_totals_[group]; }
  // All tracks of a group, hidden or not. O(tracks).
  std::vector<std::uint32_t> tracks_of(std::uint32_t group) const;
  // How many rows each track needs now (FitRows), with fractions on the way there; those beyond the
  // end have all of their rows. Changes heights and places alone. True if any changed.
  bool fit(std::span<const float> rows_of_track, const Timeline& timeline,
           const TimelineState& state);
  // How many tracks the filter leaves, shown or not.
  std::size_t filtered_tracks() const { return filtered_tracks_; }
  double height_px() const { return height_px_; }  // of all rows, at scale 1
  // Index of the row at `y_px` (at scale 1, from the top of all rows); rows().size() if there is
  // none.
  std::size_t row_at(double y_px) const;
  // The row of a track, or null if it is hidden, filtered out, in a collapsed group or in the other
  // list.
  const TrackRow* row_of(TrackId track) const;
  // The rows [first, end) of the tracks below the same head as `row`; below `row` if that is a
  // head.
  struct Span {
    std::size_t first = 0, end = 0;
  };
  Span group_rows(std::size_t row) const;

 private:
  // What the order of the tracks depends on.
  struct OrderKey {
    std::tuple<const StringPool*, const Track*, std::size_t, std::size_t, std::uint64_t, bool,
               std::uint64_t, bool, TrackOrder>
        inputs;
    std::string pattern;
    std::vector<std::uint32_t> moved;
    // Takes the present values; true if anything changed.
    bool take(const Timeline& timeline, const TimelineState& state, std::uint64_t now);
  };
  // What the rows depend on beside.
  struct RowKey {
    std::array<IndexSet::Print, 4> prints;
    IndexSet::Print matched;
    bool only_matched = false;
    std::map<std::uint32_t, std::uint32_t> depth_limits;
    std::set<std::string> groups;
    std::vector<std::uint32_t> pinned;
    std::string filter;
    bool take(const TimelineState& state);
  };
  void rebuild(const Timeline& timeline, const TimelineState& state);
  void sum_up_groups(const Timeline& timeline, const TimelineState& state);
  void collect_marks(const Timeline& timeline, const TimelineState& state);
  void rebuild_pinned(const Timeline& timeline, const TimelineState& state);
  void add_head(const TimelineState& state, const Track& track, std::uint32_t group);
  void add_track(const Timeline& timeline, const TimelineState& state, TrackId id);
  void set_height(TrackRow& row, const Track& track, const TimelineState& state) const;

  TrackPart part_;
  OrderKey order_key_;
  RowKey row_key_;
  bool built_ = false;
  TrackOrdering ordering_;
  std::vector<TrackRow> rows_;
  std::vector<TrackId> marks_;
  std::vector<std::uint32_t> row_of_track_;  // index + 1, 0 = none
  std::vector<std::uint32_t> members_;
  std::vector<GroupTotals> group_totals_;
  std::vector<float> fitted_;  // the last argument of fit()
  std::size_t filtered_tracks_ = 0;
  double height_px_ = 0;
};

// False if threads without matches are hidden, and this is one.
bool passes_search(const TimelineState& state, std::uint32_t track);
// False if the user hid the track or shows others alone (solo).
bool is_shown(const TimelineState& state, std::uint32_t track);

// The filter of the gutter: a track passes if the text is in the name or id of its thread or its
// process, in the name of its group, or in that of its file where there are several. Ignores the
// case of ASCII letters. Refers to `timeline`.
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

// The text on a head: the name of the process, or the text that the pattern found.
std::string group_label(const Timeline& timeline, const TrackGroup& group);
// A head or a track as an argument of commands: process 3, "group GPU 0", track 17. A name that the
// file gives may be any text, so it is quoted with the words before it.
std::string head_argument(const TrackGroup& group, std::string_view before = {});
std::string track_argument(TrackId track);

// "CrRendererMain", or "Thread 7", "Process 3" if the trace gives no name.
std::string process_name(const Timeline& timeline, ProcessId process);
// Its pid; empty where a writer says that there is none, or of an unknown process.
std::string_view process_id_text(const Timeline& timeline, ProcessId process);
// The file of a process where several are on the timeline, else null.
const TimelineFile* file_of(const Timeline& timeline, ProcessId process);
// "Renderer", where several files are on the timeline "Renderer (run-a)".
std::string process_label(const Timeline& timeline, ProcessId process);
std::string track_label(const Timeline& timeline, const Track& track);
// The id shown beside the name: the tid of a named thread; empty if the name tells it.
std::string_view track_id_text(const Timeline& timeline, const Track& track);

}  // namespace cinderscope
