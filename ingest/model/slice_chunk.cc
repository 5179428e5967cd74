#include "ingest/model/slice_chunk.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "ingest/model/string_pool.h"

namespace cinderscope {

namespace {

// A column being packed: the bytes that each value needs and the base that values are relative to.
template <class Value>
struct Packing {
  std::span<const Value> values;
  std::uint64_t base = 0;
  std::uint64_t largest = 0;

  // Order does not matter, so signed times are taken as unsigned; at() turns them back.
  static std::uint64_t bits(Value value) { return static_cast<std::uint64_t>(value); }
  static Packing of(std::span<const Value> values) {
    Packing packing{values, ~std::uint64_t{0}, 0};
    if (values.empty()) packing.base = 0;
    for (const Value value : values) {
      packing.base = std::min(packing.base, bits(value));
      packing.largest = std::max(packing.largest, bits(value));
    }
    return packing;
  }
  std::uint8_t width() const {
    const std::uint64_t range = largest - base;
    if (range == 0) return 0;
    if (range <= 0xff) return 1;
    if (range <= 0xffff) return 2;
    return range <= 0xffffffff ? 4 : 8;
  }
  PackedColumn pack(std::byte*& out) const {
    const PackedColumn column{out, base, width()};
    if (column.width == 1) pack_as<std::uint8_t>(out);
    if (column.width == 2) pack_as<std::uint16_t>(out);
    if (column.width == 4) pack_as<std::uint32_t>(out);
    if (column.width == 8) pack_as<std::uint64_t>(out);
    out += values.size() * column.width;
    return column;
  }

 private:
  template <class Narrow>
  void pack_as(std::byte* out) const {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto narrow = static_cast<Narrow>(bits(values[i]) - base);
      std::memcpy(out + i * sizeof(Narrow), &narrow, sizeof(Narrow));
    }
  }
};

std::uint64_t distance(std::int64_t from_ns, std::int64_t to_ns) {
  return static_cast<std::uint64_t>(to_ns) - static_cast<std::uint64_t>(from_ns);
}

// Two numbers in one SIMD register.
using Pair = double __attribute__((vector_size(16)));

// The point of each hue on the ring.
const std::array<Pair, kHueCount>& hue_directions() {
  static const auto directions = [] {
    std::array<Pair, kHueCount> made{};
    for (std::uint32_t hue = 0; hue < kHueCount; ++hue) {
      const double angle = 2 * 3.14159265358979323846 * hue / kHueCount;
      made[hue] = Pair{std::cos(angle), std::sin(angle)};
    }
    return made;
  }();
  return directions;
}

// Adds slices up to a LodSummary. It runs for every four slices of a trace, so it has no branch
// that the processor cannot predict.
class LodSum {
 public:
  void add(std::int64_t duration_ns, Pair direction) {
    const auto busy_ns = static_cast<double>(duration_ns);
    // A zero-length slice still has a colour; it weighs next to nothing beside others.
    const double weight = std::max(busy_ns, 1e-3);
    busy_and_weight_ += Pair{busy_ns, weight};
    colour_ += Pair{weight, weight} * direction;
  }
  void add(const LodSum& other) {
    busy_and_weight_ += other.busy_and_weight_;
    colour_ += other.colour_;
  }
  // Call after one slice at least.
  LodSummary summary(std::int64_t begin_ns, std::int64_t end_ns) const {
    // A length beyond 2^63 comes out as no time at all.
    const auto span = static_cast<double>(static_cast<std::int64_t>(distance(begin_ns, end_ns)));
    const double share = span > 0 ? std::min(busy_and_weight_[0], span) / span : 1.0;
    const auto busy = static_cast<int>(share * 255 + 0.5);
    const double scale = 127 / busy_and_weight_[1];
    // Never 0: a run with slices must not vanish from afar.
    return {static_cast<std::uint8_t>(std::max(busy, 1)), rounded(colour_[0] * scale),
            rounded(colour_[1] * scale)};
  }

 private:
  // std::round would take a measurable part of sealing.
  static std::int8_t rounded(double value) {
    return static_cast<std::int8_t>(static_cast<int>(value + std::copysign(0.5, value)));
  }

  Pair busy_and_weight_{}, colour_{};
};

}  // namespace

std::shared_ptr<const SliceChunk> SliceChunk::seal(const ColumnsToPack& slices,
                                                   const StringPool* names) {
  auto chunk = std::make_shared<SliceChunk>();
  const std::size_t count = slices.begin_ns.size();
  chunk->count_ = static_cast<std::uint32_t>(count);

  // Begins are sorted, so signed order is kept by taking the first one as the base.
  const Packing<std::int64_t> begin{slices.begin_ns,
                                    static_cast<std::uint64_t>(slices.begin_ns.front()),
                                    static_cast<std::uint64_t>(slices.begin_ns.back())};
  const auto duration = Packing<std::int64_t>::of(slices.duration_ns);
  const auto name = Packing<StringId>::of(slices.name);
  const auto record = Packing<RecordOffset>::of(slices.record);
  const auto flags = Packing<std::uint8_t>::of(slices.flags);
  std::array<RecordOffset, kChunkSlices> end_records;  // 0 stands for none
  std::transform(slices.end_record.begin(), slices.end_record.end(), end_records.begin(),
                 [](RecordOffset end_record) { return end_record + 1; });
  const auto end_record = Packing<RecordOffset>::of({end_records.data(), slices.end_record.size()});
  std::int64_t last_end = INT64_MIN;
  for (std::size_t i = 0; i < count; ++i) {
    last_end = std::max(last_end, slices.begin_ns[i] + slices.duration_ns[i]);
  }
  chunk->last_end_ns_ = last_end;

  const std::size_t lod_bytes = names == nullptr ? 0 : chunk->lod_bytes();
  const std::size_t value_bytes = std::size_t{begin.width()} + duration.width() + name.width() +
                                  record.width() + end_record.width() + flags.width();
  chunk->storage_bytes_ = lod_bytes + value_bytes * count;
  chunk->storage_ = std::make_unique_for_overwrite<std::byte[]>(chunk->storage_bytes_);

  std::byte* out = chunk->storage_.get() + lod_bytes;
  chunk->begin_ = begin.pack(out);
  chunk->duration_ = duration.pack(out);
  chunk->name_ = name.pack(out);
  chunk->record_ = record.pack(out);
  chunk->end_record_ = end_record.pack(out);
  chunk->flags_ = flags.pack(out);
  if (names != nullptr) chunk->sum_up(slices, *names);
  return chunk;
}

std::shared_ptr<const SliceChunk> SliceChunk::seal(std::span<const Slice> slices,
                                                   const StringPool* names) {
  std::array<std::int64_t, kChunkSlices> begin_ns, duration_ns;
  std::array<StringId, kChunkSlices> name;
  std::array<RecordOffset, kChunkSlices> record, end_record;
  std::array<std::uint8_t, kChunkSlices> flags;
  const std::size_t count = slices.size();
  for (std::size_t i = 0; i < count; ++i) {
    begin_ns[i] = slices[i].begin_ns;
    duration_ns[i] = slices[i].duration_ns;
    name[i] = slices[i].name;
    record[i] = slices[i].record;
    end_record[i] = slices[i].end_record;
    flags[i] = slices[i].flags;
  }
  return seal({{begin_ns.data(), count},
               {duration_ns.data(), count},
               {name.data(), count},
               {record.data(), count},
               {end_record.data(), count},
               {flags.data(), count}},
              names);
}

void SliceChunk::sum_up(const ColumnsToPack& slices, const StringPool& names) {
  const std::uint32_t groups = group_count(), big_groups = big_group_count();
  auto* storage = storage_.get();
  big_begins_ = new (storage) std::uint32_t[big_groups];
  storage += big_groups * sizeof(std::uint32_t);
  big_groups_ = new (storage) PackedSummary[big_groups];
  groups_ = new (storage + big_groups * sizeof(PackedSummary)) PackedSummary[groups];
  const std::int64_t first_ns = slices.begin_ns.front();
  const int excess = static_cast<int>(std::bit_width(distance(first_ns, last_end_ns_))) - 32;
  unit_shift_ = static_cast<std::uint8_t>(std::max(excess, 0));
  const auto& directions = hue_directions();
  // The group ends where slice `next` begins.
  const auto end_ns = [&](std::uint32_t next) {
    return next < count_ ? slices.begin_ns[next] : last_end_ns_;
  };
  const auto sum_of = [&](std::uint32_t first, std::uint32_t count) {
    LodSum sum;
    for (std::uint32_t i = first; i < first + count; ++i) {
      sum.add(slices.duration_ns[i], directions[names.hue(slices.name[i])]);
    }
    return sum;
  };
  LodSum whole;
  for (std::uint32_t big = 0; big < big_groups; ++big) {
    LodSum big_sum;
    const std::uint32_t last_group = std::min(groups, (big + 1) * kLodFanout);
    for (std::uint32_t g = big * kLodFanout; g < last_group; ++g) {
      const std::uint32_t first = g * kLodFanout, last = std::min(count_, first + kLodFanout);
      // Nearly all groups are full; their loop is unrolled.
      const bool full = last - first == kLodFanout;
      const LodSum sum = full ? sum_of(first, kLodFanout) : sum_of(first, last - first);
      groups_[g] = PackedSummary(sum.summary(slices.begin_ns[first], end_ns(last)));
      big_sum.add(sum);
    }
    const std::uint32_t first = big * kBigGroup, last = std::min(count_, first + kBigGroup);
    const std::int64_t begin_ns = slices.begin_ns[first];
    big_begins_[big] = static_cast<std::uint32_t>(distance(first_ns, begin_ns) >> unit_shift_);
    big_groups_[big] = PackedSummary(big_sum.summary(begin_ns, end_ns(last)));
    whole.add(big_sum);
  }
  whole_ = whole.summary(slices.begin_ns.front(), last_end_ns_);
}

Slice SliceChunk::slice(std::uint32_t i) const {
  return {begin_ns(i), duration_ns(i), name(i), record(i), end_record(i), flags(i)};
}

std::size_t SliceChunk::lod_bytes() const {
  return big_group_count() * (sizeof(std::uint32_t) + sizeof(PackedSummary)) +
         group_count() * sizeof(PackedSummary);
}

std::size_t SliceChunk::kept_bytes() const {
  constexpr std::size_t kControlBlock = 16, kAllocation = 16;  // make_shared's; malloc's header
  return sizeof(SliceChunk) + kControlBlock + 2 * kAllocation + storage_bytes_;
}

}  // namespace cinderscope
