#include "ingest/part/slice_rows.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "ingest/base/saturating.h"
#include "ingest/format/trace_source.h"
#include "ingest/model/containers.h"
#include "ingest/part/number_list.h"
#include "ingest/part/slice_batches.h"
#include "ingest/part/slice_row_pieces.h"

namespace cinderscope {
namespace {

// What slices spend themselves, by their number on the track: their time without that of children,
// which counts once where several of these cover it.
class SelfTimes final : public PartVisitor {
 public:
  explicit SelfTimes(std::int64_t tolerance_ns) : open_(tolerance_ns) {}

  void slice(const PartSlice& slice) override {
    open_.narrow(slice.begin_ns, slice.end_ns);
    if (auto* around = open_.innermost()) {
      Open& caller = around->value;
      const std::int64_t from_ns = std::max(slice.begin_ns, caller.covered_ns);
      const std::int64_t to_ns = std::min(slice.end_ns, caller.end_ns);
      if (to_ns > from_ns) {
        times_.take_off(caller.number, saturating_difference(to_ns, from_ns));
        caller.covered_ns = to_ns;
      }
    }
    open_.add(slice.begin_ns, slice.end_ns, {times_.size(), slice.begin_ns, slice.end_ns});
    times_.add(saturating_difference(slice.end_ns, slice.begin_ns));
  }
  NumberList& times() { return times_; }

 private:
  struct Open {
    std::uint64_t number;
    std::int64_t covered_ns;  // up to here its children are known
    std::int64_t end_ns;
  };
  Containers<Open> open_;
  NumberList times_;
};

struct RowTexts {
  std::string text;
  std::vector<std::string> categories;  // to which the rows point
  void clear() { text.clear(), categories.clear(); }
};

class Numbered final : public PartVisitor {
 public:
  Numbered(PartReader& part, const PartTrack& track, std::int64_t tolerance_ns,
           const NumberList& self_times, std::uint64_t first_id, const SliceRows::Write& write,
           const SliceRows::Take& take)
      : open_(tolerance_ns),
        self_times_(self_times),
        first_id_(first_id),
        batches_(
            part.context().jobs(),
            [&write, source = source_of_categories(part)](std::span<SliceTableRow> rows,
                                                          RowTexts& made) {
              if (source != nullptr) read_row_categories(*source, rows, made.categories);
              write(rows, made.text);
            },
            [this, &take](std::span<SliceTableRow> rows, RowTexts& made) {
              if (going_ && !rows.empty()) going_ = take(rows, made.text);
            }) {
    fill_owners(part, track, row_);
  }

  void slice(const PartSlice& slice) override {
    row_.overlapping = open_.narrow(slice.begin_ns, slice.end_ns);
    const auto* around = open_.innermost();
    row_.slice_id = first_id_ + count_;
    row_.parent_slice_id = around == nullptr ? 0 : around->value;
    open_.add(slice.begin_ns, slice.end_ns, row_.slice_id);
    fill_row(slice, row_);
    row_.self_dur = count_ < self_times_.size() ? self_times_.at(count_) : row_.dur;
    ++count_;
    batches_.add(row_, row_.record);
  }
  bool goes_on() const override { return going_; }
  bool finish() {
    batches_.flush();
    return going_;
  }

 private:
  Containers<std::uint64_t> open_;
  const NumberList& self_times_;
  std::uint64_t first_id_;
  SliceTableRow row_;
  std::uint64_t count_ = 0;
  bool going_ = true;
  SliceBatches<RowTexts, SliceTableRow> batches_;
};

}  // namespace

Result<bool> SliceRows::read(const PartTrack& track) {
  if (track.id == kNoTrack) return true;
  if (part_.reads_apart() && has_all_rows(part_.options())) {
    const std::vector<PartPiece> pieces = part_.pieces_of(track, kRowsOfPiece);
    if (pieces.front().can_be_apart) {
      Result<bool> read = read_row_pieces(part_, pieces, last_id_ + 1, write_, take_);
      last_id_ += pieces.back().first_number + pieces.back().slices;
      return read;
    }
  }
  const std::int64_t tolerance_ns = part_.timeline().tracks[index(track.id)].tolerance_ns;
  SelfTimes self(tolerance_ns);
  Result<bool> first = part_.read(track, self);
  if (!first || !*first) return first;
  if (const Status kept = self.times().finish(); !kept) return kept.error();
  Numbered rows(part_, track, tolerance_ns, self.times(), last_id_ + 1, write_, take_);
  Result<bool> second = part_.read(track, rows);
  if (!second) return second;
  last_id_ += self.times().size();
  return rows.finish() && *second;
}

}  // namespace cinderscope
