#include "render/layout/row_layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "render/base/pixel_scale.h"
#include "render/base/run_tint.h"
#include "render/layout/pixel_columns.h"

namespace cinderscope {
namespace {

// Walks a row from left to right, by the coarsest summaries that are thinner than a pixel, and adds
// up what falls into one column.
class RowWalk {
 public:
  RowWalk(const SliceRow& row, const Viewport& view, const StringPool& names, PixelColumns& columns,
          std::vector<DrawBox>& out, std::atomic<bool>* missing)
      : row_(row),
        view_(view),
        names_(names),
        columns_(columns),
        out_(out),
        missing_(missing),
        px_per_ns_(1 / view.ns_per_px),
        count_(row.count()),
        width_px_(static_cast<double>(view.width_px)),
        column_count_(static_cast<int>(std::ceil(view.width_px))),
        scale_(view),
        end_(std::int64_t{column_count_} << PixelScale::kBits) {
    columns_.begin_row(static_cast<std::size_t>(column_count_));
  }

  double run() {
    for (std::uint64_t i = first_span() * kUpperSlices; i < count_; i += kUpperSlices) {
      i = take_upper(i);
      if (i >= count_ || !take_span(i)) break;
      columns_.take_many([this](int at, const PixelColumn& column) { write(at, column); });
    }
    write_columns();
    return covered_px_;
  }

 private:
  // As Viewport::px_from_ns, with a multiplication in place of the division.
  double px(std::int64_t t_ns) const {
    std::int64_t offset_ns = 0;
    if (__builtin_sub_overflow(t_ns, view_.begin_ns, &offset_ns)) return view_.px_from_ns(t_ns);
    return (static_cast<double>(offset_ns) - view_.begin_fraction_ns) * px_per_ns_;
  }

  // The span of kUpperSlices that the view's left edge falls into, or that ends before it.
  std::uint64_t first_span() const {
    if (row_.upper.empty()) {
      const std::uint64_t i = row_.last_begun(view_.begin_ns);
      return i == count_ ? 0 : (i - std::min<std::uint64_t>(i, 1)) / kUpperSlices;
    }
    std::uint64_t at = 0;
    for (std::size_t level = row_.upper.size(); level-- > 0; at *= level > 0 ? kUpperFanout : 1) {
      const std::vector<LodSpan>& spans = row_.upper[level];
      const std::uint64_t end = std::min<std::uint64_t>(at + kUpperFanout, spans.size());
      while (at + 1 < end && spans[at + 1].begin_ns <= view_.begin_ns) ++at;
    }
    // Rounding may let a slice reach over the begin of the next.
    return at - std::min<std::uint64_t>(at, 1);
  }

  // Takes summaries from slice `i` on, which begins a span, up to the next span that has to be
  // looked into. Returns where that begins; count_ if there is none in view.
  std::uint64_t take_upper(std::uint64_t i) {
    if (row_.upper.empty()) return i;
    std::size_t level = 0;
    std::uint64_t at = i / kUpperSlices;
    std::int64_t family = INT64_MIN;  // where the nodes of one parent begin, if all of them are met
    for (;;) {
      const std::vector<LodSpan>& spans = row_.upper[level];
      const LodSpan& span = spans[at];
      const std::int64_t left = scale_.position(span.begin_ns);
      if (left >= end_) break;
      if (!scale_.is_thin(span.length_ns)) {
        if (level == 0) return at * kUpperSlices;
        --level;
        at *= kUpperFanout;
        continue;
      }
      const std::int64_t right = left + scale_.length(static_cast<double>(span.length_ns));
      const std::uint64_t first = at * kUpperSlices << (2 * level);
      const std::uint64_t after = first + (std::uint64_t{kUpperSlices} << (2 * level));
      if (right >= 0) columns_.add(left, right, first, after, tint_of(span.summary));
      if (at % kUpperFanout == 0) family = left;
      if (++at == spans.size()) break;
      // Where a parent would have been thin enough the next one is tried first.
      if (at % kUpperFanout != 0) continue;
      if (family != INT64_MIN && right - family < PixelScale::kPixel &&
          level + 1 < row_.upper.size()) {
        ++level;
        at /= kUpperFanout;
      }
      family = INT64_MIN;
    }
    return count_;
  }

  // The slices of one span of the lowest summaries, by groups where these are thin. False once it
  // is out of view.
  bool take_span(std::uint64_t i) {
    const SliceChunk& chunk = row_.chunk_of(i);
    if (!may_read(chunk)) return take_missing(i);
    const std::uint32_t begin = SliceRow::in_chunk(i);
    const std::uint32_t end = std::min(begin + kUpperSlices, chunk.count());
    fetch_ahead(chunk, i, begin);
    std::int64_t left = scale_.position(chunk.big_begin_ns(begin / kBigGroup)), right = 0;
    for (std::uint32_t k = begin; k < end; k += kBigGroup, left = right) {
      if (left >= end_) return false;
      const std::uint32_t after = std::min(k + kBigGroup, end);
      right = scale_.position(after == chunk.count() ? chunk.last_end_ns()
                                                     : chunk.big_begin_ns(after / kBigGroup));
      if (right < 0) continue;
      const std::uint64_t first = i + (k - begin);
      if (right - left < PixelScale::kPixel) {
        columns_.add(left, right, first, first + (after - k),
                     tint_of(chunk.big_group(k / kBigGroup)));
      } else if (after - k == kBigGroup) {
        take_groups(chunk, k, left, right, first);
      } else {
        take_last_groups(chunk, k, left, right, first);
      }
    }
    return true;
  }

  // For the span behind the one at slice `i`, `begin` in its chunk. What lies in other places of a
  // chunk is not foreseen by the processor.
  void fetch_ahead(const SliceChunk& chunk, std::uint64_t i, std::uint32_t begin) const {
    chunk.fetch_slices(begin + kUpperSlices);
    const std::uint64_t next = i / kChunkSlices + 1;
    if (begin < kChunkSlices / 2 && next < row_.chunks.size()) row_.chunks[next]->fetch_head();
  }

  bool may_read(const SliceChunk& chunk) const { return missing_ == nullptr || chunk.at_hand(); }

  // A span whose slices are not at hand, as one run of its busy share. False as take_span().
  bool take_missing(std::uint64_t i) {
    missing_->store(true, std::memory_order_relaxed);
    if (scale_.position(row_.chunk_of(i).first_begin_ns()) >= end_) return false;
    if (row_.upper.empty()) return true;
    const std::vector<LodSpan>& spans = row_.upper[0];
    const std::size_t at = i / kUpperSlices;
    std::int64_t left = scale_.position(spans[at].begin_ns);
    if (left >= end_) return false;
    std::int64_t end_ns = 0;
    const float length_ns = std::min(spans[at].length_ns, 0x1p62f);
    if (__builtin_add_overflow(spans[at].begin_ns, static_cast<std::int64_t>(length_ns), &end_ns)) {
      end_ns = INT64_MAX;
    }
    std::int64_t right = scale_.position(end_ns);
    // Lengths are rounded up, and runs are taken in order.
    if (at + 1 < spans.size()) right = std::min(right, scale_.position(spans[at + 1].begin_ns));
    left = std::max<std::int64_t>(left, 0);
    right = std::min(right, end_);
    const std::uint64_t after = std::min<std::uint64_t>(i + kUpperSlices, count_);
    while (left < right) {
      const std::int64_t border = ((left >> PixelScale::kBits) + 1) << PixelScale::kBits;
      columns_.add(left, std::min(right, border), i, after, tint_of(spans[at].summary));
      left = border;
    }
    return true;
  }

  // Slices [k, k + kBigGroup) of the chunk, from place `left` to `end`, of which the first is
  // `first` in the row: by the groups of a few that are thin. Of these only the begins are looked
  // at.
  [[gnu::always_inline]] void take_groups(const SliceChunk& chunk, std::uint32_t k,
                                          std::int64_t left, std::int64_t end,
                                          std::uint64_t first) {
    std::array<std::int64_t, kLodFanout> begin_ns;
    chunk.read_group_begins(k, std::span(begin_ns));
    const PackedSummary* summaries = chunk.groups(k / kLodFanout);
    for (std::uint32_t g = 0; g < kLodFanout; ++g) {
      const std::int64_t right = g + 1 < kLodFanout ? scale_.position(begin_ns[g + 1]) : end;
      take_group(chunk, k + g * kLodFanout, kLodFanout, left, right,
                 first + std::uint64_t{g} * kLodFanout, summaries[g]);
      left = right;
    }
  }
  // The same of those at the end of a chunk, which may be fewer.
  void take_last_groups(const SliceChunk& chunk, std::uint32_t k, std::int64_t left,
                        std::int64_t end, std::uint64_t first) {
    for (std::uint32_t next = 0; k < chunk.count(); k = next) {
      next = std::min(k + kLodFanout, chunk.count());
      const std::int64_t right = next < chunk.count() ? scale_.position(chunk.begin_ns(next)) : end;
      take_group(chunk, k, next - k, left, right, first, chunk.groups(0)[k / kLodFanout]);
      left = right;
      first += next - k;
    }
  }

  [[gnu::always_inline]] void take_group(const SliceChunk& chunk, std::uint32_t k,
                                         std::uint32_t count, std::int64_t left, std::int64_t right,
                                         std::uint64_t first, PackedSummary summary) {
    if (right < 0 || left >= end_) return;
    if (right - left < PixelScale::kPixel) {
      columns_.add(left, right, first, first + count, tint_of(summary));
    } else {
      take_slices(chunk, k, k + count, first);
    }
  }

  // Slices [k, end) of the chunk, a group of a few.
  void take_slices(const SliceChunk& chunk, std::uint32_t k, std::uint32_t end,
                   std::uint64_t first) {
    SliceChunk::Group group;
    if (k + kLodFanout < chunk.count()) {
      chunk.read_group(k, group);
    } else {
      for (std::uint32_t j = 0; k + j < end; ++j) {
        group.begin_ns[j] = chunk.begin_ns(k + j);
        group.duration_ns[j] = chunk.duration_ns(k + j);
        group.name[j] = index(chunk.name(k + j));
      }
      group.begin_ns[end - k] = INT64_MAX;
    }
    for (std::uint32_t j = 0; k + j < end; ++j) take_slice(group, j, chunk, k + j, first + j);
  }

  // Slice `k` of the chunk, number `i` of the row: slice `j` of the group.
  [[gnu::always_inline]] void take_slice(const SliceChunk::Group& group, std::uint32_t j,
                                         const SliceChunk& chunk, std::uint32_t k,
                                         std::uint64_t i) {
    const std::int64_t begin_ns = group.begin_ns[j];
    const std::int64_t end_ns = std::min(begin_ns + group.duration_ns[j], group.begin_ns[j + 1]);
    const auto name = StringId(static_cast<std::uint32_t>(group.name[j]));
    const std::uint64_t length_ns = distance_ns(begin_ns, end_ns);
    if (!scale_.is_thin(length_ns)) return add_wide(begin_ns, end_ns, name, chunk.flags(k), i);
    const std::int64_t left = scale_.position(begin_ns),
                       right =
                           left +
                           scale_.length(static_cast<double>(static_cast<std::int64_t>(length_ns)));
    if (right < 0 || left >= end_) return;
    columns_.add(left, right, i, i + 1, tint_of_colour(names_.colour(name)));
  }

  void add_wide(std::int64_t begin_ns, std::int64_t end_ns, StringId name, std::uint8_t flags,
                std::uint64_t i) {
    const double left_px = std::max(px(begin_ns), -2.0);
    const double right_px = std::min(px(end_ns), width_px_ + 2);
    if (right_px <= 0 || left_px >= width_px_) return;
    write_columns();
    DrawBox& box = out_.emplace_back();
    box.x_px = static_cast<float>(left_px);
    box.width_px = static_cast<float>(right_px - left_px);
    box.name = name;
    box.first = i;
    box.flags = flags;
    covered_px_ += std::min(right_px, width_px_) - std::max(left_px, 0.0);
  }

  void write_columns() {
    columns_.take([this](int at, const PixelColumn& column) { write(at, column); });
  }

  // Appends the column's box, if it is in view, field by field: one that is put together elsewhere
  // and copied waits for its single bytes to get to the cache.
  [[gnu::always_inline]] void write(int at, const PixelColumn& column) {
    if (at < 0 || at >= column_count_) return;
    const std::uint64_t count = std::min(column.after, count_) - column.first;
    // Casts cut off, which is finer than the eye; the functions that round cost more than the rest.
    const float busy = std::min(column.busy, 255.0f);
    DrawBox& box = out_.emplace_back();
    box.x_px = static_cast<float>(at);
    box.width_px = 1;
    box.count = static_cast<std::uint32_t>(std::min<std::uint64_t>(count, UINT32_MAX));
    box.first = column.first;
    box.tint.busy = static_cast<std::uint8_t>(std::max(busy * (255.49f / 255), 1.0f));
    box.tint.colour = static_cast<std::uint8_t>(column.colour());
    if (count == 1 && may_read(row_.chunk_of(column.first))) {
      box.name = row_.name(column.first);
      box.flags = row_.flags(column.first);
    }
    covered_px_ += static_cast<double>(busy) * (1 / 255.0);
  }

  const SliceRow& row_;
  const Viewport& view_;
  const StringPool& names_;
  PixelColumns& columns_;
  std::vector<DrawBox>& out_;
  std::atomic<bool>* missing_;  // null: nothing is left out
  double px_per_ns_;
  std::uint64_t count_;
  double width_px_;
  int column_count_;
  PixelScale scale_;
  std::int64_t end_;  // of the view, as places are
  double covered_px_ = 0;
};

}  // namespace

double lay_out_row(const SliceRow& row, const Viewport& view, const StringPool& names,
                   std::vector<DrawBox>& out, std::atomic<bool>* missing) {
  if (row.chunks.empty()) return 0;
  return RowWalk(row, view, names, *SpareColumns().columns, out, missing).run();
}

}  // namespace cinderscope
