#include "ingest/model/slice_chunk.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "ingest/base/chunk_arena.h"
#include "ingest/model/columns/column_packing.h"
#include "ingest/model/string_pool.h"

namespace cinderscope {

namespace {

std::size_t summary_bytes(std::uint32_t slices) {
  const std::size_t groups = (slices + kLodFanout - 1) / kLodFanout;
  const std::size_t big_groups = (slices + kBigGroup - 1) / kBigGroup;
  return big_groups * (sizeof(std::uint32_t) + sizeof(PackedSummary)) +
         groups * sizeof(PackedSummary);
}

std::uint64_t distance(std::int64_t from_ns, std::int64_t to_ns) {
  return static_cast<std::uint64_t>(to_ns) - static_cast<std::uint64_t>(from_ns);
}

// Adds slices up to a LodSummary. It runs for every four slices of a trace, so it has no branch
// that the processor cannot predict.
class LodSum {
 public:
  LodSum() = default;
  LodSum(std::int64_t duration_ns, std::uint32_t colour)
      : busy_ns_(static_cast<double>(duration_ns)),
        // A zero-length slice still has a colour; it weighs next to nothing beside others.
        weight_(std::max(busy_ns_, 1e-3)),
        winner_(weight_),
        colour_(colour) {}
  LodSum(double busy_ns, double weight, double winner, std::uint32_t colour)
      : busy_ns_(busy_ns), weight_(weight), winner_(winner), colour_(colour) {}

  // The colour with most weight among the winners of four parts; the earlier one of equals.
  [[gnu::always_inline]] static LodSum of(LodSum a, LodSum b, LodSum c, LodSum d) {
    LodSum sum;
    sum.busy_ns_ = (a.busy_ns_ + b.busy_ns_) + (c.busy_ns_ + d.busy_ns_);
    sum.weight_ = (a.weight_ + b.weight_) + (c.weight_ + d.weight_);
    sum.winner_ = a.winner_ + b.with(a) + (c.with(a) + d.with(a));
    sum.colour_ = a.colour_;
    // Where an earlier part has the same colour it has this weight already.
    sum.take(b.winner_ + (c.with(b) + d.with(b)), b.colour_);
    sum.take(c.winner_ + d.with(c), c.colour_);
    sum.take(d.winner_, d.colour_);
    return sum;
  }

  // Call after one slice at least.
  LodSummary summary(std::int64_t begin_ns, std::int64_t end_ns) const {
    // A length beyond 2^63 comes out as no time at all.
    const auto span = static_cast<double>(static_cast<std::int64_t>(distance(begin_ns, end_ns)));
    const double share = span > 0 ? std::min(busy_ns_, span) / span : 1.0;
    const auto busy = static_cast<int>(share * 255 + 0.5);
    // Never 0: a run with slices must not vanish from afar.
    return {static_cast<std::uint8_t>(std::max(busy, 1)), static_cast<std::uint8_t>(colour_),
            static_cast<std::uint8_t>(winner_ / weight_ * 255 + 0.5)};
  }

  double busy_ns() const { return busy_ns_; }
  double weight() const { return weight_; }
  double winner() const { return winner_; }
  std::uint32_t colour() const { return colour_; }

 private:
  // What this part adds to the weight of the other's colour.
  double with(const LodSum& other) const {
    const std::uint64_t same = 0u - static_cast<std::uint64_t>(colour_ == other.colour_);
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(winner_) & same);
  }
  void take(double weight, std::uint32_t colour) {
    const bool more = weight > winner_;
    colour_ = more ? colour : colour_;
    winner_ = more ? weight : winner_;
  }

  double busy_ns_ = 0, weight_ = 0;
  double winner_ = 0;  // weight of the slices of `colour_`
  std::uint32_t colour_ = 0;
};

// The same of all parts of a chunk, counted colour by colour.
class ChunkSum {
 public:
  void add(const LodSum& part) {
    busy_ns_ += part.busy_ns();
    weight_ += part.weight();
    winners_[part.colour()] += part.winner();
  }
  LodSummary summary(std::int64_t begin_ns, std::int64_t end_ns) const {
    const auto most = std::max_element(winners_.begin(), winners_.end());
    const auto colour = static_cast<std::uint32_t>(most - winners_.begin());
    return LodSum(busy_ns_, weight_, *most, colour).summary(begin_ns, end_ns);
  }

 private:
  double busy_ns_ = 0, weight_ = 0;
  std::array<double, kColourCount> winners_{};
};

}  // namespace

std::shared_ptr<const SliceChunk> SliceChunk::seal(const ColumnsToPack& slices,
                                                   const StringPool* names,
                                                   const std::shared_ptr<ChunkArena>& arena) {
  auto chunk = std::make_shared<SliceChunk>();
  const std::size_t count = slices.begin_ns.size();
  chunk->count_ = static_cast<std::uint32_t>(count);

  // Begins are sorted, so signed order is kept by taking the first one as the base.
  const ColumnPacking<std::int64_t> begin{slices.begin_ns,
                                          static_cast<std::uint64_t>(slices.begin_ns.front()),
                                          static_cast<std::uint64_t>(slices.begin_ns.back())};
  const auto duration = ColumnPacking<std::int64_t>::of(slices.duration_ns);
  const auto name = ColumnPacking<StringId>::of(slices.name);
  const auto record = ColumnPacking<RecordOffset>::of(slices.record);
  const auto flags = ColumnPacking<std::uint8_t>::of(slices.flags);
  static_assert(PackedEndRecords::kMostSlices == kChunkSlices);
  const PackedEndRecords ends(slices.end_record);
  std::int64_t last_end = INT64_MIN;
  for (std::size_t i = 0; i < count; ++i) {
    last_end = std::max(last_end, slices.begin_ns[i] + slices.duration_ns[i]);
  }
  chunk->last_end_ns_ = last_end;

  const std::size_t lod_bytes = names == nullptr ? 0 : chunk->lod_bytes();
  const std::uint8_t begin_width = begin.width(kNarrowTimes);
  // Those that are not drawn are read once more and go: no time is spent on them.
  const PackedColumn duration_form =
      names != nullptr ? form_of_durations(duration) : duration.form(kNarrowTimes);
  const PackedColumn record_form =
      names != nullptr ? record.form_in_bits(kNarrowRecords) : record.form(kNarrowRecords);
  const PackedColumn flags_form =
      names != nullptr ? flags.form_in_bits(kNeverNarrow) : flags.form(kNeverNarrow);
  const std::uint8_t name_width = name.width(kNeverNarrow);
  const std::size_t storage_bytes = lod_bytes + (std::size_t{begin_width} + name_width) * count +
                                    duration_form.byte_count(count) +
                                    record_form.byte_count(count) + flags_form.byte_count(count) +
                                    SparseColumn::byte_count(ends.count, ends.width(), count);
  chunk->storage_bytes_ = static_cast<std::uint32_t>(storage_bytes);
  chunk->storage_ = std::make_unique_for_overwrite<std::byte[]>(storage_bytes);

  std::byte* out = chunk->storage_.get() + lod_bytes;
  chunk->begin_ = begin.pack(begin_width, out);
  chunk->duration_ = pack_durations(duration, duration_form, out);
  chunk->name_ = name.pack(name_width, out);
  chunk->record_ = record.pack(record_form, out);
  chunk->end_record_ =
      SparseColumn(out, static_cast<std::uint32_t>(ends.count), ends.width(), chunk->count_);
  if (ends.count != count) {
    ColumnPacking<std::uint16_t>{std::span(ends.slice).first(ends.count)}.pack(2, out);
  }
  ends.packing().pack(ends.width(), out);
  chunk->flags_ = flags.pack(flags_form, out);
  if (names != nullptr) chunk->sum_up(slices, *names);
  const std::shared_ptr<ChunkArena>& into =
      arena == nullptr && names != nullptr ? names->arena() : arena;
  if (into == nullptr) return chunk;
  if (const std::byte* kept = into->keep(chunk->bytes())) {
    *chunk = over(chunk->head(), kept, into, into->pages());
  }
  return chunk;
}

std::shared_ptr<const SliceChunk> SliceChunk::seal(std::span<const Slice> slices,
                                                   const StringPool* names,
                                                   const std::shared_ptr<ChunkArena>& arena) {
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
              names, arena);
}

void SliceChunk::sum_up(const ColumnsToPack& slices, const StringPool& names) {
  const std::uint32_t groups = group_count(), big_groups = big_group_count();
  auto* storage = storage_.get();
  auto* const begins_out = new (storage) std::uint32_t[big_groups];
  storage += big_groups * sizeof(std::uint32_t);
  auto* const big_out = new (storage) PackedSummary[big_groups];
  auto* const groups_out = new (storage + big_groups * sizeof(PackedSummary)) PackedSummary[groups];
  big_begins_ = begins_out;
  const std::int64_t first_ns = slices.begin_ns.front();
  const int excess = static_cast<int>(std::bit_width(distance(first_ns, last_end_ns_))) - 32;
  unit_shift_ = static_cast<std::uint8_t>(std::max(excess, 0));
  // The group ends where slice `next` begins.
  const auto end_ns = [&](std::uint32_t next) {
    return next < count_ ? slices.begin_ns[next] : last_end_ns_;
  };
  const auto sum_of = [&](std::uint32_t i) {
    return LodSum(slices.duration_ns[i], names.colour(slices.name[i]));
  };
  ChunkSum whole;
  for (std::uint32_t big = 0; big < big_groups; ++big) {
    std::array<LodSum, kLodFanout> parts;
    const std::uint32_t last_group = std::min(groups, (big + 1) * kLodFanout);
    for (std::uint32_t g = big * kLodFanout; g < last_group; ++g) {
      const std::uint32_t first = g * kLodFanout, last = std::min(count_, first + kLodFanout);
      LodSum sum;
      if (last - first == kLodFanout) {
        sum = LodSum::of(sum_of(first), sum_of(first + 1), sum_of(first + 2), sum_of(first + 3));
      } else {
        const auto some = [&](std::uint32_t i) { return i < last ? sum_of(i) : LodSum(); };
        sum = LodSum::of(sum_of(first), some(first + 1), some(first + 2), LodSum());
      }
      groups_out[g] = PackedSummary(sum.summary(slices.begin_ns[first], end_ns(last)));
      parts[g - big * kLodFanout] = sum;
    }
    const LodSum big_sum = LodSum::of(parts[0], parts[1], parts[2], parts[3]);
    const std::uint32_t first = big * kBigGroup, last = std::min(count_, first + kBigGroup);
    const std::int64_t begin_ns = slices.begin_ns[first];
    begins_out[big] = static_cast<std::uint32_t>(distance(first_ns, begin_ns) >> unit_shift_);
    big_out[big] = PackedSummary(big_sum.summary(begin_ns, end_ns(last)));
    whole.add(big_sum);
  }
  whole_ = whole.summary(slices.begin_ns.front(), last_end_ns_);
}

std::optional<std::size_t> ChunkHead::byte_count() const {
  if (count == 0 || count > kChunkSlices || unit_shift > 32 || has_summaries > 1) return {};
  if (whole.colour >= kColourCount) return {};
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < kColumns; ++i) {
    const std::uint8_t each = width[i];
    if (i == kDurationColumn && each >= PackedColumn::kFar) {
      const bool has_list = far_count != 0 && far_count <= count && far_width != 0;
      if (each <= PackedColumn::kFar || each > PackedColumn::kFar + 6) return {};
      if (!has_list || !PackedColumn::is_width(far_width)) return {};
    } else if ((i == kRecordColumn || i == kFlagsColumn) && each >= PackedColumn::kBits) {
      // Whole words are read of it.
      if (each > PackedColumn::kBits + PackedColumn::kMostBits) return {};
      if (column(i).byte_count(count) < sizeof(std::uint64_t)) return {};
    } else {
      const bool is_narrow = i != kNameColumn && i != kFlagsColumn;
      if (!PackedColumn::is_width(each) || (!is_narrow && (each & (each - 1)) != 0)) return {};
    }
    if (i != kEndRecordColumn) bytes += column(i).byte_count(count);
  }
  const bool is_far = width[kDurationColumn] >= PackedColumn::kFar;
  if (!is_far && (far_count != 0 || far_width != 0)) return {};
  if (base[kEndRecordColumn] > count) return {};
  bytes += SparseColumn::byte_count(base[kEndRecordColumn], width[kEndRecordColumn], count);
  return bytes + (has_summaries != 0 ? summary_bytes(count) : 0);
}

PackedColumn ChunkHead::column(std::size_t i) const {
  PackedColumn column{nullptr, base[i], width[i], 0, 0, 0};
  if (width[i] >= PackedColumn::kBits) {
    column.value_bytes = static_cast<std::uint32_t>(column.byte_count(count));
  } else if (width[i] >= PackedColumn::kFar) {
    column.far_width = far_width;
    column.far_count = far_count;
    column.value_bytes = (width[i] - std::uint32_t{PackedColumn::kFar}) * count;
  }
  return column;
}

SliceChunk SliceChunk::over(const ChunkHead& head, const std::byte* bytes,
                            std::shared_ptr<const void> owner, const ChunkPages* pages) {
  SliceChunk chunk;
  chunk.pages_ = pages;
  chunk.owner_ = std::move(owner);
  chunk.count_ = head.count;
  chunk.last_end_ns_ = head.last_end_ns;
  chunk.whole_ = head.whole;
  chunk.unit_shift_ = head.unit_shift;
  chunk.storage_bytes_ = static_cast<std::uint32_t>(*head.byte_count());
  if (head.has_summaries != 0) {
    chunk.big_begins_ = reinterpret_cast<const std::uint32_t*>(bytes);
    bytes += chunk.lod_bytes();
  }
  PackedColumn* const columns[] = {&chunk.begin_,  &chunk.duration_, &chunk.name_,
                                   &chunk.record_, nullptr,          &chunk.flags_};
  for (std::size_t i = 0; i < ChunkHead::kColumns; ++i) {
    if (i == ChunkHead::kEndRecordColumn) {
      const auto ends = static_cast<std::uint32_t>(head.base[i]);
      chunk.end_record_ = SparseColumn(bytes, ends, head.width[i], head.count);
      bytes += SparseColumn::byte_count(ends, head.width[i], head.count);
      continue;
    }
    *columns[i] = head.column(i);
    columns[i]->data = bytes;
    bytes += columns[i]->byte_count(head.count);
  }
  return chunk;
}

bool SliceChunk::are_at_hand() const {
  return pages_->at_hand(bytes());
}

ChunkHead SliceChunk::head() const {
  ChunkHead head;
  head.count = static_cast<std::uint16_t>(count_);
  head.far_count = duration_.far_count;
  head.far_width = duration_.far_width;
  head.unit_shift = unit_shift_;
  head.has_summaries = big_begins_ != nullptr ? 1 : 0;
  head.whole = whole_;
  head.last_end_ns = last_end_ns_;
  const PackedColumn* const columns[] = {&begin_, &duration_, &name_, &record_, nullptr, &flags_};
  for (std::size_t i = 0; i < ChunkHead::kColumns; ++i) {
    if (columns[i] == nullptr) continue;
    head.width[i] = columns[i]->width;
    head.base[i] = columns[i]->base;
  }
  head.width[ChunkHead::kEndRecordColumn] = end_record_.width();
  head.base[ChunkHead::kEndRecordColumn] = end_record_.count();
  return head;
}

std::span<const std::byte> SliceChunk::bytes() const {
  const auto* begin =
      big_begins_ != nullptr ? reinterpret_cast<const std::byte*>(big_begins_) : begin_.data;
  return {begin, storage_bytes_};
}

Slice SliceChunk::slice(std::uint32_t i) const {
  return {begin_ns(i), duration_ns(i), name(i), record(i), end_record(i), flags(i)};
}

std::size_t SliceChunk::lod_bytes() const {
  return summary_bytes(count_);
}

std::size_t SliceChunk::kept_bytes() const {
  constexpr std::size_t kControlBlock = 16, kAllocation = 16;  // make_shared's; malloc's header
  return sizeof(SliceChunk) + kControlBlock + 2 * kAllocation + storage_bytes_;
}

}  // namespace cinderscope
