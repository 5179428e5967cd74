#include "render/row_layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include "render/pixel_scale.h"
#include "render/run_tint.h"

namespace cinderscope {
namespace {

// What falls into one column of pixels so far. The loops keep it in registers: as a member of the
// walk each sum would go through memory for each node.
struct Column {
  static constexpr int kNone = -2;
  int at = kNone;
  float busy = 0, weight = 0, hue_x = 0, hue_y = 0;  // sums, in 255ths of a pixel
  std::uint64_t first = 0, after = 0;                // slices that it stands for

  void sum_up(std::int64_t length, const Tint& tint) {
    const float busy_px = static_cast<float>(static_cast<int>(length)) * (tint.busy * 0x1p-24f);
    // What has no length still has a colour.
    const float share = busy_px + 1e-7f;
    busy += busy_px;
    weight += share;
    hue_x += share * tint.hue_x;
    hue_y += share * tint.hue_y;
  }
};

// Some neighbours of a chunk: a loop over a packed column costs less than asking it for each of its
// values.
struct NearSlices {
  std::array<std::int64_t, kBigGroup + 1> begin_ns;  // the last one: of the slice after them
  std::array<std::int64_t, kBigGroup> duration_ns;
  bool read = false;

  void read_once(const SliceChunk& chunk, std::uint32_t first, std::uint32_t count) {
    if (std::exchange(read, true)) return;
    chunk.read_begins(first, std::span(begin_ns).first(count));
    chunk.read_durations(first, std::span(duration_ns).first(count));
    const std::uint32_t after = first + count;
    begin_ns[count] = after == chunk.count() ? INT64_MAX : chunk.begin_ns(after);
  }
};

// Walks a row from left to right, by the coarsest summaries that are thinner than a pixel, and adds
// up what falls into one column.
class RowWalk {
 public:
  RowWalk(const SliceRow& row, const Viewport& view, const StringPool& names,
          std::vector<DrawBox>& out)
      : row_(row),
        view_(view),
        names_(names),
        out_(out),
        px_per_ns_(1 / view.ns_per_px),
        count_(row.count()),
        width_px_(static_cast<double>(view.width_px)),
        columns_(static_cast<unsigned>(std::ceil(view.width_px))),
        scale_(view),
        end_(static_cast<std::int64_t>(std::ceil(view.width_px)) << PixelScale::kBits) {}

  double run() {
    for (std::uint64_t i = first_span() * kUpperSlices; i < count_; i += kUpperSlices) {
      i = take_upper(i);
      if (i >= count_ || !take_span(i)) break;
    }
    write(column_);
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
    Column column = column_;
    std::size_t level = 0;
    std::uint64_t at = i / kUpperSlices;
    std::int64_t family = INT64_MIN;  // where the nodes of one parent begin, if all of them are met
    for (;;) {
      const std::vector<LodSpan>& spans = row_.upper[level];
      const LodSpan& span = spans[at];
      const std::int64_t left = scale_.place(span.begin_ns);
      if (left >= end_) break;
      if (!scale_.is_thin(span.length_ns)) {
        if (level == 0) {
          column_ = column;
          return at * kUpperSlices;
        }
        --level;
        at *= kUpperFanout;
        continue;
      }
      const std::int64_t length = scale_.length(static_cast<std::uint64_t>(span.length_ns));
      const std::uint64_t first = at * kUpperSlices << (2 * level);
      add(column, left, length, first, kUpperSlices << (2 * level), tint_of(span.summary));
      if (at % kUpperFanout == 0) family = left;
      if (++at == spans.size()) break;
      // Where a parent would have been thin enough the next one is tried first.
      if (at % kUpperFanout != 0) continue;
      if (family != INT64_MIN && left + length - family < PixelScale::kPixel &&
          level + 1 < row_.upper.size()) {
        ++level;
        at /= kUpperFanout;
      }
      family = INT64_MIN;
    }
    column_ = column;
    return count_;
  }

  // The slices of one span of the lowest summaries, by groups where these are thin. False once it
  // is out of view.
  bool take_span(std::uint64_t i) {
    const SliceChunk& chunk = row_.chunk_of(i);
    const std::uint32_t begin = SliceRow::in_chunk(i);
    const std::uint32_t end = std::min(begin + kUpperSlices, chunk.count());
    const std::uint32_t shift = chunk.unit_shift();
    bool in_view = true;
    Column column = column_;
    for (std::uint32_t k = begin; k < end; k += kBigGroup) {
      const std::uint32_t after = std::min(k + kBigGroup, end);
      const GroupSpan& span = chunk.big_group(k / kBigGroup);
      const std::int64_t begin_ns = begin_of(chunk, k);
      const std::int64_t left = scale_.place(begin_ns);
      if (left >= end_) {
        in_view = false;
        break;
      }
      const std::uint64_t first = i + (k - begin);
      const std::uint64_t length_ns = span.length() << shift;
      if (scale_.is_thin(length_ns)) {
        add(column, left, scale_.length(length_ns), first, after - k, tint_of(span.summary()));
      } else if (!ends_before(begin_ns, length_ns)) {
        take_groups(column, chunk, k, after, end_of(chunk, k, begin_ns, length_ns), first);
      }
    }
    column_ = column;
    return in_view;
  }

  // Of the big group that begins with slice k: lengths are rounded up, but the next one is not.
  static std::int64_t end_of(const SliceChunk& chunk, std::uint32_t k, std::int64_t begin_ns,
                             std::uint64_t length_ns) {
    const std::uint32_t next = k + kBigGroup;
    const std::int64_t last_ns = next < chunk.count() ? begin_of(chunk, next) : chunk.last_end_ns();
    const std::uint64_t most_ns = distance_ns(begin_ns, last_ns);
    // Both may be longer than a signed time reaches, their sum is not.
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(begin_ns) +
                                     std::min(length_ns, most_ns));
  }
  static std::int64_t begin_of(const SliceChunk& chunk, std::uint32_t k) {
    const std::uint64_t units = chunk.big_group(k / kBigGroup).begin();
    return chunk.first_begin_ns() + static_cast<std::int64_t>(units << chunk.unit_shift());
  }

  // Slices [k, end) of the chunk, of which the first is `first` in the row: by the groups of a few
  // that are thin. Of these only the begins are looked at, since what is far from each other in
  // memory costs more here than what is reckoned.
  [[gnu::always_inline]] void take_groups(Column& column, const SliceChunk& chunk, std::uint32_t k,
                                          std::uint32_t end, std::int64_t end_ns,
                                          std::uint64_t first) {
    std::array<std::int64_t, kLodFanout + 1> begin_ns;  // the last one: where all end
    const std::uint32_t size = end - k;
    const std::uint32_t groups = (size + kLodFanout - 1) / kLodFanout;
    if (groups == kLodFanout) {
      chunk.read_group_begins(k, std::span(begin_ns).first<kLodFanout>());
    } else {
      for (std::uint32_t g = 0; g < groups; ++g) begin_ns[g] = chunk.begin_ns(k + g * kLodFanout);
    }
    begin_ns[groups] = end_ns;
    NearSlices slices;
    std::int64_t left = scale_.place(begin_ns[0]), right = 0;
    for (std::uint32_t g = 0; g < groups; ++g, left = right) {
      const std::uint32_t at = g * kLodFanout, after = std::min(at + kLodFanout, size);
      const std::uint64_t length_ns = distance_ns(begin_ns[g], begin_ns[g + 1]);
      right = scale_.place(begin_ns[g + 1]);
      if (scale_.is_thin(length_ns)) {
        const PackedSummary summary = chunk.group(k / kLodFanout + g);
        add(column, left, right - left, first + at, after - at, tint_of(summary));
        continue;
      }
      if (left >= end_ || ends_before(begin_ns[g], length_ns)) continue;
      slices.read_once(chunk, k, size);
      for (std::uint32_t j = at; j < after; ++j) {
        const std::int64_t begin_j_ns = slices.begin_ns[j];
        const std::int64_t end_j_ns =
            std::min(begin_j_ns + slices.duration_ns[j], slices.begin_ns[j + 1]);
        take_slice(column, begin_j_ns, end_j_ns, chunk, k + j, first + j);
      }
    }
  }

  bool ends_before(std::int64_t begin_ns, std::uint64_t length_ns) const {
    std::int64_t end_ns = 0;
    return !__builtin_add_overflow(begin_ns, length_ns, &end_ns) && end_ns < view_.begin_ns;
  }

  [[gnu::always_inline]] void take_slice(Column& column, std::int64_t begin_ns, std::int64_t end_ns,
                                         const SliceChunk& chunk, std::uint32_t k,
                                         std::uint64_t i) {
    const std::uint64_t length_ns = distance_ns(begin_ns, end_ns);
    if (scale_.is_thin(length_ns)) {
      const Tint& tint = hues_[hue_from_hash(names_.hash(chunk.name(k)))];
      add(column, scale_.place(begin_ns), scale_.length(length_ns), i, 1, tint);
      return;
    }
    write(column);
    column.at = Column::kNone;
    add_wide(px(begin_ns), px(end_ns), chunk, k, i);
  }

  void add_wide(double begin_px, double end_px, const SliceChunk& chunk, std::uint32_t k,
                std::uint64_t i) {
    const double left_px = std::max(begin_px, -2.0);
    const double right_px = std::min(end_px, width_px_ + 2);
    if (right_px <= 0 || left_px >= width_px_) return;
    DrawBox& box = out_.emplace_back();
    box.x_px = static_cast<float>(left_px);
    box.width_px = static_cast<float>(right_px - left_px);
    box.name = chunk.name(k);
    box.first = i;
    box.flags = chunk.flags(k);
    covered_px_ += std::min(right_px, width_px_) - std::max(left_px, 0.0);
  }

  // Slices [first, first + count), thinner than a pixel: in one column or in two neighbours.
  [[gnu::always_inline]] void add(Column& column, std::int64_t left, std::int64_t length,
                                  std::uint64_t first, std::uint64_t count, const Tint& tint) {
    // Rounds down. What is out of view goes to the columns beside it, which write() leaves out.
    const int at = static_cast<int>(left >> PixelScale::kBits);
    const std::int64_t to_border = PixelScale::kPixel - (left & (PixelScale::kPixel - 1));
    if (at != column.at) {
      write(column);
      column = {.at = at, .first = first};
    }
    if (length > to_border) {
      column.sum_up(to_border, tint);
      column.after = first + count;
      write(column);
      column = {.at = at + 1, .first = first};
      length -= to_border;
    }
    column.sum_up(length, tint);
    column.after = first + count;
  }

  // Appends the column's box, field by field: one that is put together elsewhere and copied waits
  // for its single bytes to get to the cache.
  [[gnu::always_inline]] void write(const Column& column) {
    if (static_cast<unsigned>(column.at) >= columns_) return;
    const std::uint64_t count = std::min(column.after, count_) - column.first;
    // Casts cut off, which is finer than the eye; the functions that round cost more than the rest.
    const float busy = std::min(column.busy, 255.0f);
    const float mean = 1 / column.weight;
    DrawBox& box = out_.emplace_back();
    box.x_px = static_cast<float>(column.at);
    box.width_px = 1;
    box.count = static_cast<std::uint32_t>(std::min<std::uint64_t>(count, UINT32_MAX));
    box.first = column.first;
    box.tint.busy = static_cast<std::uint8_t>(std::max(busy * (255.49f / 255), 1.0f));
    box.tint.hue_x = static_cast<std::int8_t>(column.hue_x * mean);
    box.tint.hue_y = static_cast<std::int8_t>(column.hue_y * mean);
    if (count == 1) {
      box.name = row_.name(column.first);
      box.flags = row_.flags(column.first);
    }
    covered_px_ += static_cast<double>(busy) * (1 / 255.0);
  }

  const SliceRow& row_;
  const Viewport& view_;
  const StringPool& names_;
  const std::array<Tint, kHueCount>& hues_ = hue_tints();
  std::vector<DrawBox>& out_;
  double px_per_ns_;
  std::uint64_t count_;
  double width_px_;
  unsigned columns_;
  PixelScale scale_;
  std::int64_t end_;  // of the view, as places are
  double covered_px_ = 0;
  Column column_;
};

}  // namespace

double lay_out_row(const SliceRow& row, const Viewport& view, const StringPool& names,
                   std::vector<DrawBox>& out) {
  if (row.chunks.empty()) return 0;
  return RowWalk(row, view, names, out).run();
}

}  // namespace cinderscope
