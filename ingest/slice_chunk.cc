#include "ingest/slice_chunk.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "ingest/string_pool.h"

namespace cinderscope {

namespace {

// How many bytes each value of a column needs, and what they are relative to.
struct Packing {
  std::uint64_t base = ~std::uint64_t{0};
  std::uint64_t largest = 0;

  void add(std::uint64_t value) {
    base = std::min(base, value);
    largest = std::max(largest, value);
  }
  std::uint8_t width() const {
    const std::uint64_t range = largest - base;
    if (range == 0) return 0;
    if (range <= 0xff) return 1;
    if (range <= 0xffff) return 2;
    return range <= 0xffffffff ? 4 : 8;
  }
};

template <class T, class Get>
void pack(std::span<const Slice> slices, std::uint64_t base, std::byte* out, const Get& get) {
  for (const Slice& slice : slices) {
    const auto value = static_cast<T>(get(slice) - base);
    std::memcpy(out, &value, sizeof(T));
    out += sizeof(T);
  }
}

template <class Get>
PackedColumn pack_column(std::span<const Slice> slices, const Packing& packing, std::byte*& out,
                         const Get& get) {
  const PackedColumn column{out, packing.base, packing.width()};
  switch (column.width) {
    case 1:
      pack<std::uint8_t>(slices, packing.base, out, get);
      break;
    case 2:
      pack<std::uint16_t>(slices, packing.base, out, get);
      break;
    case 4:
      pack<std::uint32_t>(slices, packing.base, out, get);
      break;
    case 8:
      pack<std::uint64_t>(slices, packing.base, out, get);
      break;
    default:
      break;
  }
  out += slices.size() * column.width;
  return column;
}

// Signed times as unsigned so that order is kept within a chunk; at() turns them back.
constexpr auto kBeginOf = [](const Slice& s) { return static_cast<std::uint64_t>(s.begin_ns); };
constexpr auto kDurationOf = [](const Slice& s) {
  return static_cast<std::uint64_t>(s.duration_ns);
};
constexpr auto kNameOf = [](const Slice& s) { return std::uint64_t{index(s.name)}; };
constexpr auto kRecordOf = [](const Slice& s) { return s.record; };
constexpr auto kEndRecordOf = [](const Slice& s) { return s.end_record + 1; };
constexpr auto kFlagsOf = [](const Slice& s) { return std::uint64_t{s.flags}; };

// Adds up what a LodSummary keeps.
struct LodSum {
  double busy_ns = 0, x = 0, y = 0;
  void add(const Slice& slice, const std::array<float, 2>& direction) {
    // A zero-length slice still has a colour; it weighs next to nothing beside others.
    const double weight = slice.duration_ns > 0 ? static_cast<double>(slice.duration_ns) : 1e-3;
    busy_ns += static_cast<double>(slice.duration_ns);
    x += weight * direction[0];
    y += weight * direction[1];
    weight_ += weight;
  }
  void add(const LodSum& other) {
    busy_ns += other.busy_ns;
    x += other.x;
    y += other.y;
    weight_ += other.weight_;
  }
  LodSummary summary(std::int64_t begin_ns, std::int64_t end_ns) const {
    const double span = static_cast<double>(end_ns) - static_cast<double>(begin_ns);
    LodSummary result;
    const double share = span > 0 ? std::min(1.0, busy_ns / span) : 1.0;
    // Never 0: what has slices must not vanish from afar.
    result.busy = static_cast<std::uint8_t>(std::max(1.0, share * 255 + 0.5));
    if (weight_ > 0) {
      const double scale = 127 / weight_;
      result.hue_x = rounded(x * scale);
      result.hue_y = rounded(y * scale);
    }
    return result;
  }

 private:
  // There is a summary for every four slices: the library's rounding would be felt.
  static std::int8_t rounded(double value) {
    return static_cast<std::int8_t>(value + (value < 0 ? -0.5 : 0.5));
  }

  double weight_ = 0;
};

const std::array<std::array<float, 2>, kHueCount>& hue_directions() {
  static const auto directions = [] {
    std::array<std::array<float, 2>, kHueCount> made{};
    for (std::uint32_t hue = 0; hue < kHueCount; ++hue) {
      const double angle = 2 * 3.14159265358979323846 * hue / kHueCount;
      made[hue] = {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))};
    }
    return made;
  }();
  return directions;
}

std::uint64_t distance(std::int64_t from_ns, std::int64_t to_ns) {
  return static_cast<std::uint64_t>(to_ns) - static_cast<std::uint64_t>(from_ns);
}

}  // namespace

GroupSpan::GroupSpan(std::uint32_t begin, std::uint64_t length, PackedSummary summary)
    : begin_(begin), summary_(summary) {
  constexpr int kBits = 12;  // that are kept of a length, the first of which is not written
  const int excess = std::max(static_cast<int>(std::bit_width(length)) - kBits, 0);
  std::uint64_t kept = (length + (std::uint64_t{1} << excess) - 1) >> excess;
  int exponent = length < 1u << (kBits - 1) ? 0 : excess + 1;
  if (kept == 1u << kBits) {  // rounded up to the next power of two
    kept >>= 1;
    ++exponent;
  }
  length_ = static_cast<std::uint16_t>(exponent << (kBits - 1) | static_cast<int>(kept & 2047));
}

std::shared_ptr<const SliceChunk> SliceChunk::seal(std::span<const Slice> slices,
                                                   const StringPool* names) {
  auto chunk = std::make_shared<SliceChunk>();
  const auto count = static_cast<std::uint32_t>(slices.size());
  chunk->count_ = count;

  // Begins are sorted, so signed order is kept by taking the first one as the base.
  Packing begin, duration, name, record, end_record, flags;
  begin.base = kBeginOf(slices.front());
  begin.largest = kBeginOf(slices.back());
  std::int64_t last_end = INT64_MIN;
  for (const Slice& slice : slices) {
    duration.add(kDurationOf(slice));
    name.add(kNameOf(slice));
    record.add(kRecordOf(slice));
    end_record.add(kEndRecordOf(slice));
    flags.add(kFlagsOf(slice));
    last_end = std::max(last_end, slice.end_ns());
  }
  chunk->last_end_ns_ = last_end;

  const std::uint32_t groups = names == nullptr ? 0 : chunk->group_count();
  const std::uint32_t big_groups = (groups + kLodFanout - 1) / kLodFanout;
  const std::size_t lod_bytes = big_groups * sizeof(GroupSpan) + groups * sizeof(PackedSummary);
  const std::size_t value_bytes = std::size_t{begin.width()} + duration.width() + name.width() +
                                  record.width() + end_record.width() + flags.width();
  chunk->storage_bytes_ = lod_bytes + value_bytes * count;
  chunk->storage_ = std::make_unique_for_overwrite<std::byte[]>(chunk->storage_bytes_);

  std::byte* out = chunk->storage_.get() + lod_bytes;
  chunk->begin_ = pack_column(slices, begin, out, kBeginOf);
  chunk->duration_ = pack_column(slices, duration, out, kDurationOf);
  chunk->name_ = pack_column(slices, name, out, kNameOf);
  chunk->record_ = pack_column(slices, record, out, kRecordOf);
  chunk->end_record_ = pack_column(slices, end_record, out, kEndRecordOf);
  chunk->flags_ = pack_column(slices, flags, out, kFlagsOf);

  if (names == nullptr) return chunk;
  auto* big_lod = new (chunk->storage_.get()) GroupSpan[big_groups];
  auto* lod = new (chunk->storage_.get() + big_groups * sizeof(GroupSpan)) PackedSummary[groups];
  chunk->big_groups_ = big_lod;
  chunk->groups_ = lod;
  const std::int64_t first_ns = slices.front().begin_ns;
  const std::uint64_t length_ns = distance(first_ns, last_end);
  const int excess = static_cast<int>(std::bit_width(length_ns)) - 32;
  chunk->unit_shift_ = static_cast<std::uint8_t>(std::max(excess, 0));
  const auto units = [shift = chunk->unit_shift_](std::uint64_t ns) { return ns >> shift; };
  const auto& directions = hue_directions();
  LodSum whole;
  for (std::uint32_t big = 0; big < big_groups; ++big) {
    LodSum big_sum;
    const std::uint32_t last_group = std::min(groups, (big + 1) * kLodFanout);
    for (std::uint32_t g = big * kLodFanout; g < last_group; ++g) {
      LodSum sum;
      const std::uint32_t first = g * kLodFanout, last = std::min(count, first + kLodFanout);
      for (std::uint32_t i = first; i < last; ++i) {
        sum.add(slices[i], directions[hue_from_hash(names->hash(slices[i].name))]);
      }
      lod[g] = PackedSummary(sum.summary(slices[first].begin_ns, slices[last - 1].end_ns()));
      big_sum.add(sum);
    }
    const std::uint32_t first = big * kBigGroup;
    const std::uint32_t last = std::min(count, first + kBigGroup);
    const std::int64_t begin_ns = slices[first].begin_ns, end_ns = slices[last - 1].end_ns();
    const std::uint64_t begin_units = units(distance(first_ns, begin_ns));
    // Up to the next unit, so that the end is within.
    std::uint64_t length = units(distance(first_ns, end_ns)) - begin_units;
    length += chunk->unit_shift_ > 0 ? 1 : 0;
    big_lod[big] = GroupSpan(static_cast<std::uint32_t>(begin_units), length,
                             PackedSummary(big_sum.summary(begin_ns, end_ns)));
    whole.add(big_sum);
  }
  chunk->whole_ = whole.summary(slices.front().begin_ns, last_end);
  return chunk;
}

Slice SliceChunk::slice(std::uint32_t i) const {
  return {begin_ns(i), duration_ns(i), name(i), record(i), end_record(i), flags(i)};
}

std::size_t SliceChunk::lod_bytes() const {
  const std::uint32_t groups = group_count();
  const std::uint32_t big_groups = (groups + kLodFanout - 1) / kLodFanout;
  return big_groups * sizeof(GroupSpan) + groups * sizeof(PackedSummary);
}

std::size_t SliceChunk::kept_bytes() const {
  constexpr std::size_t kControlBlock = 16, kAllocation = 16;  // of make_shared; of each malloc
  return sizeof(SliceChunk) + kControlBlock + 2 * kAllocation + storage_bytes_;
}

}  // namespace cinderscope
