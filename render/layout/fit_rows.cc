#include "render/layout/fit_rows.h"

#include <algorithm>

namespace cinderscope {
namespace {

constexpr std::size_t kTracksAFrame = 2000;  // beside the visible ones
constexpr std::size_t kMostRows = 20'000;    // that are looked at one by one

bool touches(const SliceRow& row, std::int64_t begin_ns, std::int64_t end_ns) {
  const std::uint64_t count = row.count();
  if (count == 0) return false;
  const std::uint64_t last = row.last_begun(begin_ns);
  if (last != count && row.end_ns(last) > begin_ns) return true;
  const std::uint64_t next = last == count ? 0 : last + 1;
  return next < count && row.begin_ns(next) < end_ns;
}

// How many rows of a block there are down to the deepest with a slice in view; where none of those
// behind the first `least` has one, at most so many.
std::size_t deepest(const std::vector<SliceRow>& rows, std::size_t least, bool nested,
                    std::int64_t begin_ns, std::int64_t end_ns) {
  if (!nested) {
    if (rows.size() - least > kMostRows) return rows.size();
    std::size_t depth = rows.size();
    while (depth > least && !touches(rows[depth - 1], begin_ns, end_ns)) --depth;
    return depth;
  }
  // Where a row has a slice in view the row above has its parent there.
  const auto end = std::partition_point(rows.begin(), rows.end(), [&](const SliceRow& row) {
    return touches(row, begin_ns, end_ns);
  });
  return static_cast<std::size_t>(end - rows.begin());
}

}  // namespace

std::uint32_t rows_in_view(const Track& track, std::int64_t begin_ns, std::int64_t end_ns) {
  std::size_t most = std::min(track.row_count, 1u);
  if (track.row_count <= 1 || track.begin_ns > end_ns || track.end_ns < begin_ns) {
    return static_cast<std::uint32_t>(most);
  }
  const bool nested =
      !track.has_overlaps && track.kind != TrackKind::async && track.kind != TrackKind::lifetimes;
  for (const auto& block : track.blocks) {
    if (!block || block->base_depth + block->rows.size() <= most) continue;
    const std::size_t least = most > block->base_depth ? most - block->base_depth : 0;
    const std::size_t depth = deepest(block->rows, least, nested, begin_ns, end_ns);
    if (depth > least) most = block->base_depth + depth;
  }
  return static_cast<std::uint32_t>(most);
}

// Looks at a track again; true if it needs another number of rows now.
bool FitRows::look_at(const Frame& frame, std::uint32_t track) {
  const Track& facts = frame.timeline.tracks[track];
  std::uint32_t rows = facts.row_count;
  if (frame.state.fit_rows) {
    rows = rows_in_view(facts, frame.state.view.begin_ns, frame.state.view.end_ns());
    if (frame.sought.track == TrackId{track}) {
      rows = std::max(rows, track_row_of(frame.timeline, frame.sought) + 1);
    }
  }
  const auto wanted = static_cast<float>(rows);
  if (needed_[track] == wanted) return false;
  needed_[track] = wanted;
  return true;
}

// Another timeline: its heights are there at once. Mostly it is the one before with more in it, so
// tracks that are not looked at yet keep their heights.
void FitRows::restart(const Frame& frame) {
  const std::vector<Track>& tracks = frame.timeline.tracks;
  const std::size_t known = frame.state.fit_rows ? needed_.size() : 0;
  needed_.resize(tracks.size());
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    const auto all = static_cast<float>(tracks[i].row_count);
    needed_[i] = i < known ? std::min(needed_[i], all) : all;
  }
}

void FitRows::update(const Frame& frame) {
  const std::vector<Track>& tracks = frame.timeline.tracks;
  const bool other = tracks_ != tracks.data() || needed_.size() != tracks.size() ||
                     record_count_ != frame.timeline.record_count;
  if (other) restart(frame);
  if (other || version_ != frame.version || view_ != frame.state.view ||
      fits_ != frame.state.fit_rows || sought_ != frame.sought) {
    pending_ = tracks.size();
  }
  tracks_ = tracks.data();
  version_ = frame.version;
  record_count_ = frame.timeline.record_count;
  view_ = frame.state.view;
  fits_ = frame.state.fit_rows;
  sought_ = frame.sought;

  bool changed = false;
  if (pending_ > 0) {
    for (const TrackId track : frame.visible) {
      if (index(track) < tracks.size()) changed |= look_at(frame, index(track));
    }
    if (index(sought_.track) < tracks.size()) changed |= look_at(frame, index(sought_.track));
  }
  const std::size_t now = std::min(pending_, kTracksAFrame);
  for (std::size_t i = 0; i < now; ++i, ++next_) {
    if (next_ >= tracks.size()) next_ = 0;
    changed |= look_at(frame, static_cast<std::uint32_t>(next_));
  }
  pending_ -= now;
  if (other || frame.state.reduced_motion) {
    now_ = needed_;
    moved_s_ = kMoveS;
  } else if (changed) {
    from_ = now_;
    moved_s_ = 0;
  }
  if (moved_s_ < kMoveS) move(frame.seconds);
}

void FitRows::move(double seconds) {
  moved_s_ = std::min(moved_s_ + seconds, kMoveS);
  const double rest = 1 - moved_s_ / kMoveS;
  const auto eased = static_cast<float>(1 - rest * rest * rest);
  for (std::size_t i = 0; i < now_.size(); ++i) {
    now_[i] = rest <= 0 ? needed_[i] : from_[i] + (needed_[i] - from_[i]) * eased;
  }
}

}  // namespace cinderscope
