#include "ingest/part/slice_row_pieces.h"

#include <algorithm>
#include <string>
#include <vector>

#include "ingest/base/saturating.h"
#include "ingest/format/trace_source.h"
#include "ingest/model/containers.h"
#include "ingest/part/ordered_pieces.h"

namespace cinderscope {
namespace {

constexpr std::size_t kRowsAtOnce = 512;          // so many become text together
constexpr std::size_t kMostTextBytes = 1u << 20;  // of a piece, before it waits for its turn

constexpr std::uint64_t kChildrenBetweenLooks = 1u << 16;

struct RowPiece {
  std::vector<SliceTableRow> rows;
  std::size_t used = 0, made = 0;  // rows [used, made) are in the text
  std::string text;
  Result<bool> read = true;
  void clear() {
    rows.clear();
    used = made = 0;
    text.clear();
    read = true;
  }
};

// The rows of one piece. What lies in a slice that goes on behind the piece is looked up there, for
// its self time.
class PieceRows final : public PartVisitor {
 public:
  PieceRows(PartReader& part, const PartPiece& piece, std::uint64_t first_id,
            std::vector<SliceTableRow>& rows)
      : part_(part),
        piece_(piece),
        track_(part.timeline().tracks[index(piece.track->id)]),
        first_id_(first_id),
        rows_(rows),
        open_(track_.tolerance_ns) {
    fill_owners(part, *piece.track, row_);
    rows_.reserve(piece.slices);
  }

  bool wants_numbers() const override { return true; }
  void open(const PartSlice& slice) override {
    open_.narrow(slice.begin_ns, slice.end_ns);
    open_.add(slice.begin_ns, slice.end_ns,
              {first_id_ + slice.number, kOther, slice.begin_ns, slice.end_ns});
  }
  void slice(const PartSlice& slice) override {
    row_.overlapping = open_.narrow(slice.begin_ns, slice.end_ns);
    auto* around = open_.innermost();
    row_.parent_slice_id = around == nullptr ? 0 : around->value.id;
    if (around != nullptr) cover(around->value, slice.begin_ns, slice.end_ns);
    row_.slice_id = first_id_ + piece_.first_number + rows_.size();
    open_.add(slice.begin_ns, slice.end_ns,
              {row_.slice_id, rows_.size(), slice.begin_ns, slice.end_ns});
    fill_row(slice, row_);
    row_.self_dur = row_.dur;
    rows_.push_back(row_);
  }

  void finish() {
    if (piece_.is_last()) return;
    for (auto& open : std::vector(open_.all())) cover_behind(open.value);
  }

 private:
  static constexpr std::size_t kOther = SIZE_MAX;  // a row of another piece
  struct Open {
    std::uint64_t id;
    std::size_t row;
    std::int64_t covered_ns;  // up to here its children are known
    std::int64_t end_ns;
  };

  void cover(Open& caller, std::int64_t begin_ns, std::int64_t end_ns) {
    const std::int64_t from_ns = std::max(begin_ns, caller.covered_ns);
    const std::int64_t to_ns = std::min(end_ns, caller.end_ns);
    if (to_ns <= from_ns) return;
    caller.covered_ns = to_ns;
    if (caller.row == kOther) return;
    std::int64_t& self = rows_[caller.row].self_dur;
    self = saturating_difference(self, saturating_difference(to_ns, from_ns));
  }

  // Slices nest, so its children are on the next row.
  void cover_behind(Open& caller) {
    if (caller.row == kOther) return;
    const std::vector<SliceRow>& all = track_.root().rows;
    const std::size_t next = rows_[caller.row].depth;  // counts from 1
    if (next >= all.size()) return;
    const std::int64_t shift_ns = part_.shift_ns();
    const bool is_cut = part_.options().edges == RangeEdges::cut;
    const std::int64_t end_ns =
        std::min(saturating_sum(caller.end_ns, shift_ns), part_.options().to);
    const SliceRow& children = all[next];
    for (std::uint64_t i = children.lower_bound(piece_.to_ns); i < children.count(); ++i) {
      const std::int64_t begin_ns = children.begin_ns(i);
      const bool looks = i % kChildrenBetweenLooks == 0;
      if (begin_ns >= end_ns || (looks && part_.context().cancelled())) return;
      std::int64_t child_end_ns = children.end_ns(i);
      if (is_cut) child_end_ns = std::min(child_end_ns, part_.options().to);
      cover(caller, begin_ns - shift_ns, child_end_ns - shift_ns);
    }
  }

  PartReader& part_;
  const PartPiece& piece_;
  const Track& track_;
  std::uint64_t first_id_;
  std::vector<SliceTableRow>& rows_;
  SliceTableRow row_;
  Containers<Open> open_;
};

}  // namespace

bool has_all_rows(const PartOptions& options) {
  return options.names == nullptr && options.min_duration == 0 && options.depth == 0 &&
         options.edges != RangeEdges::drop;
}

const TraceSource* source_of_categories(const PartReader& part) {
  const TraceSource* source = part.source();
  const bool reads = source != nullptr && source->has_categories() && part.options().categories;
  return reads ? source : nullptr;
}

void read_row_categories(const TraceSource& source, std::span<SliceTableRow> rows,
                         std::vector<std::string>& categories) {
  std::vector<TraceSource::RecordEnds> records;
  records.reserve(rows.size());
  for (const SliceTableRow& row : rows) records.push_back({row.record, row.end_record});
  categories.resize(rows.size());
  source.categories_of(records, categories);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].category = categories[i];
}

void fill_row(const PartSlice& slice, SliceTableRow& row) {
  row.name_id = index(slice.name_id) + 1;
  row.ts = slice.begin_ns;
  row.dur = saturating_difference(slice.end_ns, slice.begin_ns);
  row.depth = slice.depth + 1;
  row.name = slice.name;
  row.unfinished = slice.unfinished;
  row.cut_begin = slice.cut_begin;
  row.cut_end = slice.cut_end;
  row.record = slice.record;
  row.end_record = slice.end_record;
}

void fill_owners(const PartReader& part, const PartTrack& track, SliceTableRow& row) {
  const Track& of = part.timeline().tracks[index(track.id)];
  row.track_id = index(track.id) + 1;
  row.thread_id = of.thread == kNoThread ? 0 : index(of.thread) + 1;
  row.process_id = index(of.process) + 1;
}

Result<bool> read_row_pieces(PartReader& part, std::span<const PartPiece> pieces,
                             std::uint64_t first_id, const SliceRows::Write& write,
                             const SliceRows::Take& take) {
  const TraceSource* source = source_of_categories(part);
  Result<bool> all = true;
  const auto make = [&](std::size_t i, RowPiece& made, const std::function<bool()>& pass_on) {
    PieceRows rows(part, pieces[i], first_id, made.rows);
    made.read = part.read(pieces[i], rows);
    if (!made.read || !*made.read) return;
    rows.finish();
    std::vector<std::string> categories;
    while (made.made < made.rows.size()) {
      const std::size_t count = std::min(kRowsAtOnce, made.rows.size() - made.made);
      const std::span<SliceTableRow> some = std::span(made.rows).subspan(made.made, count);
      if (source != nullptr) read_row_categories(*source, some, categories);
      write(some, made.text);
      for (SliceTableRow& row : some) row.category = {};  // their texts go
      made.made += count;
      if (made.text.size() >= kMostTextBytes && !pass_on()) return;
    }
  };
  const auto use = [&](std::size_t, RowPiece& made, bool whole) {
    const auto some =
        std::span<const SliceTableRow>(made.rows).subspan(made.used, made.made - made.used);
    bool goes_on = some.empty() || take(some, made.text);
    made.used = made.made;
    made.text.clear();
    if (whole && (!made.read || !*made.read)) {
      all = made.read;
      goes_on = false;
    }
    if (!goes_on && all && *all) all = false;
    return goes_on;
  };
  OrderedPieces<RowPiece>(pieces.size(), part.context().jobs(), make, use).run();
  return all;
}

}  // namespace cinderscope
