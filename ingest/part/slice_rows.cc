#include "ingest/part/slice_rows.h"

#include <algorithm>
#include <utility>

#include "ingest/base/saturating.h"
#include "ingest/part/number_list.h"

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

class Numbered final : public PartVisitor {
 public:
  Numbered(PartReader& part, const PartTrack& track, std::int64_t tolerance_ns,
           const NumberList& self_times, std::uint64_t first_id, const SliceRows::Take& take)
      : open_(tolerance_ns),
        self_times_(self_times),
        first_id_(first_id),
        take_(take),
        texts_(part, [this](const PartSlice& slice, const RecordText& text) { add(slice, text); }) {
    const Track& of = part.timeline().tracks[index(track.id)];
    row_.track_id = index(track.id) + 1;
    row_.thread_id = of.thread == kNoThread ? 0 : index(of.thread) + 1;
    row_.process_id = index(of.process) + 1;
  }

  void slice(const PartSlice& slice) override { texts_.add(slice); }
  bool goes_on() const override { return going_; }
  bool finish() {
    texts_.flush();
    return going_;
  }

 private:
  void add(const PartSlice& slice, const RecordText& text) {
    if (!going_) return;
    row_.overlapping = open_.narrow(slice.begin_ns, slice.end_ns);
    const auto* around = open_.innermost();
    row_.slice_id = first_id_ + count_;
    row_.parent_slice_id = around == nullptr ? 0 : around->value;
    open_.add(slice.begin_ns, slice.end_ns, row_.slice_id);
    row_.name_id = index(slice.name_id) + 1;
    row_.ts = slice.begin_ns;
    row_.dur = saturating_difference(slice.end_ns, slice.begin_ns);
    row_.self_dur = count_ < self_times_.size() ? self_times_.at(count_) : row_.dur;
    row_.depth = slice.depth + 1;
    row_.name = slice.name;
    row_.category = text.category;
    row_.unfinished = slice.unfinished;
    row_.cut_begin = slice.cut_begin;
    row_.cut_end = slice.cut_end;
    ++count_;
    going_ = take_(row_);
  }

  Containers<std::uint64_t> open_;
  const NumberList& self_times_;
  std::uint64_t first_id_;
  const SliceRows::Take& take_;
  SliceTableRow row_;
  std::uint64_t count_ = 0;
  bool going_ = true;
  SliceTexts texts_;
};

}  // namespace

Result<bool> SliceRows::read(const PartTrack& track) {
  if (track.id == kNoTrack) return true;
  const std::int64_t tolerance_ns = part_.timeline().tracks[index(track.id)].tolerance_ns;
  SelfTimes self(tolerance_ns);
  const Result<bool> first = part_.read(track, self);
  if (!first || !*first) return first;
  if (const Status kept = self.times().finish(); !kept) return kept.error();
  Numbered rows(part_, track, tolerance_ns, self.times(), last_id_ + 1, take_);
  const Result<bool> second = part_.read(track, rows);
  if (!second) return second;
  last_id_ += self.times().size();
  return rows.finish() && *second;
}

}  // namespace cinderscope
