#include "ingest/part/slice_rows.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "ingest/base/saturating.h"
#include "ingest/format/trace_source.h"
#include "ingest/model/containers.h"
#include "ingest/part/number_list.h"
#include "ingest/part/slice_batches.h"

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

void read_categories(const TraceSource& source, std::span<SliceTableRow> rows,
                     std::vector<std::string>& categories) {
  std::vector<TraceSource::RecordEnds> records;
  records.reserve(rows.size());
  for (const SliceTableRow& row : rows) records.push_back({row.record, row.end_record});
  categories.resize(rows.size());
  source.categories_of(records, categories);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].category = categories[i];
}

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
              if (source != nullptr) read_categories(*source, rows, made.categories);
              write(rows, made.text);
            },
            [this, &take](std::span<SliceTableRow> rows, RowTexts& made) {
              if (going_ && !rows.empty()) going_ = take(rows, made.text);
            }) {
    const Track& of = part.timeline().tracks[index(track.id)];
    row_.track_id = index(track.id) + 1;
    row_.thread_id = of.thread == kNoThread ? 0 : index(of.thread) + 1;
    row_.process_id = index(of.process) + 1;
  }

  void slice(const PartSlice& slice) override {
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
    row_.unfinished = slice.unfinished;
    row_.cut_begin = slice.cut_begin;
    row_.cut_end = slice.cut_end;
    row_.record = slice.record;
    row_.end_record = slice.end_record;
    ++count_;
    batches_.add(row_, row_.record);
  }
  bool goes_on() const override { return going_; }
  bool finish() {
    batches_.flush();
    return going_;
  }

 private:
  static const TraceSource* source_of_categories(const PartReader& part) {
    const TraceSource* source = part.source();
    const bool reads = source != nullptr && source->has_categories() && part.options().categories;
    return reads ? source : nullptr;
  }

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
  const std::int64_t tolerance_ns = part_.timeline().tracks[index(track.id)].tolerance_ns;
  SelfTimes self(tolerance_ns);
  const Result<bool> first = part_.read(track, self);
  if (!first || !*first) return first;
  if (const Status kept = self.times().finish(); !kept) return kept.error();
  Numbered rows(part_, track, tolerance_ns, self.times(), last_id_ + 1, write_, take_);
  const Result<bool> second = part_.read(track, rows);
  if (!second) return second;
  last_id_ += self.times().size();
  return rows.finish() && *second;
}

}  // namespace cinderscope
