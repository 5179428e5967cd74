// Cuts tracks into pieces that are read side by side.
#include <algorithm>
#include <utility>
#include <vector>

#include "ingest/model/call_walk.h"
#include "ingest/part/part_reader.h"
#include "ingest/part/part_walk.h"

namespace cinderscope {
namespace {

// Each piece looks at all rows, and a cursor on each takes some 2 KB.
constexpr std::size_t kMostRows = 256;
constexpr int kTries = 32;  // for a time at which a track can be cut
constexpr int kMostHalvings = 64;

class TrackCutter {
 public:
  TrackCutter(const SliceBlock& block, const Scope& scope, std::uint64_t slices)
      : rows_(block.rows), scope_(scope), wanted_(std::max<std::uint64_t>(1, slices)) {}

  std::vector<PartPiece> cut(const PartTrack& track) {
    Places first(rows_.size()), end(rows_.size());
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      const RowSegment segment = segment_of(rows_[row], scope_);
      first[row] = segment.first;
      end[row] = segment.end;
    }
    PartPiece whole;
    whole.track = &track;
    whole.can_be_apart = true;
    halve(whole, first, end, kMostHalvings);
    std::uint64_t number = 0;
    for (PartPiece& piece : pieces_) {
      piece.first_number = number;
      number += piece.slices;
    }
    return std::move(pieces_);
  }

 private:
  using Places = std::vector<std::uint64_t>;  // on each row

  void halve(PartPiece piece, const Places& first, const Places& end, int halvings) {
    piece.slices = 0;
    std::size_t longest = 0;
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      piece.slices += end[row] - first[row];
      if (end[row] - first[row] > end[longest] - first[longest]) longest = row;
    }
    if (halvings > 0 && piece.slices > wanted_ + wanted_ / 2) {
      const std::int64_t from_ns = std::max(piece.from_ns, scope_.begin_ns);
      std::uint64_t at = first[longest] + (end[longest] - first[longest]) / 2;
      for (int i = 0; i < kTries && at < end[longest]; ++i, ++at) {
        const std::int64_t time_ns = rows_[longest].begin_ns(at);
        if (time_ns <= from_ns) continue;
        const Places middle = places_at(time_ns);
        if (!can_cut_at(time_ns, middle)) continue;
        PartPiece before = piece, behind = piece;
        before.to_ns = behind.from_ns = time_ns;
        halve(before, first, middle, halvings - 1);
        halve(behind, middle, end, halvings - 1);
        return;
      }
    }
    pieces_.push_back(piece);
  }

  Places places_at(std::int64_t time_ns) const {
    Places places(rows_.size());
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      places[row] = rows_[row].lower_bound(time_ns);
    }
    return places;
  }

  // What is open then are the first rows, each within the one above: so whoever goes on from there
  // has it all. An unfinished slice without length ends with what is open around it.
  bool can_cut_at(std::int64_t time_ns, const Places& places) const {
    std::int64_t end_ns = INT64_MAX;
    bool above_is_open = true, begins = false;
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      const SliceRow& slices = rows_[row];
      const std::uint64_t place = places[row];
      const bool is_open = place > 0 && slices.end_ns(place - 1) > time_ns;
      if (is_open && (!above_is_open || slices.end_ns(place - 1) > end_ns)) return false;
      above_is_open = is_open;
      if (is_open) end_ns = slices.end_ns(place - 1);
      if (begins || place == slices.count() || slices.begin_ns(place) != time_ns) continue;
      begins = true;
      const bool unfinished = (slices.flags(place) & kUnfinished) != 0;
      if (unfinished && slices.duration_ns(place) == 0) return false;
    }
    return begins;
  }

  const std::vector<SliceRow>& rows_;
  const Scope& scope_;
  std::uint64_t wanted_;
  std::vector<PartPiece> pieces_;
};

}  // namespace

bool PartReader::reads_apart() const {
  if (options_.names != nullptr) return false;
  return std::ranges::none_of(tracks_, [this](const PartTrack& part) {
    if (part.id == kNoTrack) return false;
    const Track& track = timeline_.tracks[index(part.id)];
    return !track.blocks.empty() && !track.root().deferred.empty();
  });
}

std::vector<PartPiece> PartReader::pieces_of(const PartTrack& part, std::uint64_t slices) const {
  PartPiece whole;
  whole.track = &part;
  if (part.id == kNoTrack) return {whole};
  const Track& track = timeline_.tracks[index(part.id)];
  const bool nests = (track.kind == TrackKind::thread || track.kind == TrackKind::samples) &&
                     !track.has_overlaps && !track.blocks.empty();
  if (!nests || track.root().rows.size() > kMostRows || !track.root().deferred.empty()) {
    return {whole};
  }
  Scope scope;
  scope.begin_ns = options_.from;
  scope.end_ns = options_.to;
  return TrackCutter(track.root(), scope, slices).cut(part);
}

Result<bool> PartReader::read(const PartPiece& piece, PartVisitor& visitor) {
  if (!piece.can_be_apart) return read(*piece.track, visitor);
  Walk walk(*this, *piece.track, visitor, piece);
  return walk.run(piece);
}

}  // namespace cinderscope
