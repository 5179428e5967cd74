// Up to 1024 neighbouring slices in packed columns, with their summaries; immutable once sealed.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>

#include "ingest/model/columns/packed_column.h"
#include "ingest/model/hue.h"
#include "ingest/model/ids.h"

namespace cinderscope {

class ChunkArena;
class ChunkPages;
class StringPool;

// Bits of Slice::flags.
inline constexpr std::uint8_t kUnfinished = 1;   // no end was recorded; lasts to its thread's end
inline constexpr std::uint8_t kOverlapping = 2;  // partly overlaps an earlier one; moved deeper
inline constexpr std::uint8_t kCutBegin = 4;     // of a part of a trace: it began before
inline constexpr std::uint8_t kCutEnd = 8;       // it went on

// One slice in full width: what chunks are packed from, and what is read from them.
struct Slice {
  std::int64_t begin_ns = 0;
  std::int64_t duration_ns = 0;  // never negative
  StringId name = kEmptyString;
  RecordOffset record = kNoRecord;      // its begin event in the input
  RecordOffset end_record = kNoRecord;  // its end event, if that has args of its own
  std::uint8_t flags = 0;

  std::int64_t end_ns() const { return begin_ns + duration_ns; }
};

// Slices as columns, ready to be packed. All of the same length; the last two may be empty instead.
struct ColumnsToPack {
  std::span<const std::int64_t> begin_ns, duration_ns;
  std::span<const StringId> name;
  std::span<const RecordOffset> record;
  std::span<const RecordOffset> end_record;  // empty: kNoRecord for all
  std::span<const std::uint8_t> flags;       // empty: 0 for all
};

// What a run of neighbouring slices looks like from afar.
struct LodSummary {
  std::uint8_t busy = 0;  // share of the run's time covered by slices, 255 = all of it
  // The colour that most of the slices' time has (hue.h), and how much of it has, 255 = all. Of a
  // run of runs it is the winner of a vote of their winners, weighted by these shares: colours that
  // won none of them do not count.
  std::uint8_t colour = 0, agreement = 0;
};

// A LodSummary in two bytes, for the many small runs: 63 steps of `busy`, all colours, and 15 steps
// of `agreement`, which is never 0 so that each run has a say.
class PackedSummary {
 public:
  static_assert(kColourCount <= 64);
  PackedSummary() = default;
  explicit PackedSummary(const LodSummary& summary)
      : bits_(static_cast<std::uint16_t>(std::max((summary.busy * 63 + 127) / 255, 1) << 10 |
                                         summary.colour << 4 |
                                         std::max((summary.agreement * 15 + 127) / 255, 1))) {}

  LodSummary unpacked() const {
    return {static_cast<std::uint8_t>(busy_step() * 255 / 63), static_cast<std::uint8_t>(colour()),
            static_cast<std::uint8_t>(agreement_step() * 255 / 15)};
  }
  std::uint32_t busy_step() const { return bits_ >> 10u; }
  std::uint32_t colour() const { return bits_ >> 4u & 63u; }
  std::uint32_t agreement_step() const { return bits_ & 15u; }

 private:
  std::uint16_t bits_ = 0;
};

inline constexpr std::uint32_t kChunkSlices = 1024;
inline constexpr std::uint32_t kLodFanout = 4;  // slices per group, groups per big group
inline constexpr std::uint32_t kBigGroup = kLodFanout * kLodFanout;  // slices

// All of a chunk but its bytes, which lie elsewhere in the same file: how a chunk is written down.
// Plain data of one size on every machine; `bytes_at` is for whoever writes the file.
struct ChunkHead {
  // Begin, duration, name, record, end record, flags. Of end records, which few slices have, `base`
  // is how many there are.
  static constexpr std::size_t kColumns = 6;
  static constexpr std::size_t kDurationColumn = 1, kNameColumn = 2, kRecordColumn = 3,
                               kEndRecordColumn = 4, kFlagsColumn = 5;

  std::uint16_t count = 0;
  std::uint16_t far_count = 0;  // durations that are kept apart, and their width
  std::uint8_t far_width = 0;
  std::uint8_t unit_shift = 0;
  std::uint8_t width[kColumns] = {};
  std::uint8_t has_summaries = 0;  // 0 or 1
  LodSummary whole;
  std::int64_t last_end_ns = 0;
  std::uint64_t base[kColumns] = {};
  std::uint64_t bytes_at = 0;

  // How many bytes the chunk has; none if no chunk has such a head.
  std::optional<std::size_t> byte_count() const;
  // As it is told here, without its place; not of end records.
  PackedColumn column(std::size_t i) const;
};
static_assert(sizeof(ChunkHead) == 80);

// Where the bytes of chunks that lie in a file have to begin.
inline constexpr std::size_t kChunkAlignment = alignof(std::uint32_t);

class SliceChunk {
 public:
  // Packs 1 to kChunkSlices slices, sorted by begin_ns. `names` gives colours for the summaries;
  // null: no summaries, for chunks that are never drawn. The bytes go into the arena, if there is
  // one that has room: by default that of the names (StringPool::arena()).
  static std::shared_ptr<const SliceChunk> seal(const ColumnsToPack& slices,
                                                const StringPool* names,
                                                const std::shared_ptr<ChunkArena>& arena = nullptr);
  static std::shared_ptr<const SliceChunk> seal(std::span<const Slice> slices,
                                                const StringPool* names,
                                                const std::shared_ptr<ChunkArena>& arena = nullptr);

  // A chunk whose bytes lie elsewhere, in a mapped file: as many as the head says, which must have
  // a byte_count(), aligned to kChunkAlignment. They stay as long as `owner`, or outlive the chunk,
  // as `pages` does, which knows whether they can be read at once; null: always.
  static SliceChunk over(const ChunkHead& head, const std::byte* bytes,
                         std::shared_ptr<const void> owner = nullptr,
                         const ChunkPages* pages = nullptr);
  // False: who reads columns or summaries of parts of the chunk may have to wait. Its count, its
  // times and whole() are always there.
  bool at_hand() const { return pages_ == nullptr || are_at_hand(); }
  ChunkHead head() const;
  std::span<const std::byte> bytes() const;

  std::uint32_t count() const { return count_; }
  std::int64_t begin_ns(std::uint32_t i) const { return static_cast<std::int64_t>(begin_.at(i)); }
  std::int64_t duration_ns(std::uint32_t i) const {
    return static_cast<std::int64_t>(duration_.at(i));
  }
  std::int64_t end_ns(std::uint32_t i) const { return begin_ns(i) + duration_ns(i); }
  StringId name(std::uint32_t i) const { return StringId(static_cast<std::uint32_t>(name_.at(i))); }
  RecordOffset record(std::uint32_t i) const { return record_.at(i); }
  RecordOffset end_record(std::uint32_t i) const { return end_record_.at(i) - 1; }  // kept plus 1
  const PackedColumn& names() const { return name_; }  // for loops over all names of the chunk
  std::uint8_t flags(std::uint32_t i) const { return static_cast<std::uint8_t>(flags_.at(i)); }
  Slice slice(std::uint32_t i) const;

  // Fill `out` with the values from slice `first` on: for loops over all slices of the chunk.
  void read_begins(std::uint32_t first, std::span<std::int64_t> out) const {
    begin_.read(first, out);
  }
  void read_durations(std::uint32_t first, std::span<std::int64_t> out) const {
    duration_.read(first, out);
  }
  void read_names(std::uint32_t first, std::span<std::uint32_t> out) const {
    name_.read(first, out);
  }
  // Begins of slice `first` and of each fourth slice after it: where groups begin.
  void read_group_begins(std::uint32_t first, std::span<std::int64_t, kLodFanout> out) const {
    begin_.read<kLodFanout>(first, out);
  }
  // All that drawing asks of a group of a few that another slice follows, and where that begins.
  struct Group {
    std::array<std::int64_t, kLodFanout + 1> begin_ns;
    std::array<std::int64_t, kLodFanout> duration_ns;
    std::array<std::uint64_t, kLodFanout> name;
  };
  void read_group(std::uint32_t first, Group& out) const {
    begin_.read(first, std::span(out.begin_ns));
    duration_.read(first, std::span(out.duration_ns));
    name_.read(first, std::span(out.name));
  }
  // False if no slice has any flag.
  bool has_flags() const { return flags_.width != 0 || flags_.base != 0; }

  std::int64_t first_begin_ns() const { return static_cast<std::int64_t>(begin_.base); }
  std::int64_t last_end_ns() const { return last_end_ns_; }  // largest end in the chunk

  // Summary of slices [4 g, 4 g + 4), over the time until the next group begins; the last group
  // ends with its slices.
  PackedSummary group(std::uint32_t g) const { return *groups(g); }
  // From g on. They lie behind big_begins_ and the summaries of big groups.
  const PackedSummary* groups(std::uint32_t g) const {
    return big_groups() + big_group_count() + g;
  }
  // Summary of slices [16 g, 16 g + 16), and their begin: at most unit_ns() too early. Begins lie
  // sixteen to a cache line, so that a view from afar does not touch the slices.
  PackedSummary big_group(std::uint32_t g) const { return big_groups()[g]; }
  std::int64_t big_begin_ns(std::uint32_t g) const {
    return first_begin_ns() +
           static_cast<std::int64_t>(std::uint64_t{big_begins_[g]} << unit_shift_);
  }
  // 1; more where the chunk lasts longer than 2^32 ns.
  std::int64_t unit_ns() const { return std::int64_t{1} << unit_shift_; }
  const LodSummary& whole() const { return whole_; }  // of the whole chunk
  std::uint32_t group_count() const { return (count_ + kLodFanout - 1) / kLodFanout; }
  std::uint32_t big_group_count() const { return (count_ + kBigGroup - 1) / kBigGroup; }

  // Ask the processor for what drawing reads first, so that a walk over a row does not wait for it:
  // for the head of the chunk; and, once that has come, for the summaries and begins of some 64
  // slices from `first` on, which may be none.
  void fetch_head() const {
    const auto* const at = reinterpret_cast<const std::byte*>(this);
    for (std::size_t i = 0; i < sizeof(SliceChunk); i += kCacheLine) __builtin_prefetch(at + i);
  }
  void fetch_slices(std::uint32_t first) const {
    if (first >= count_) return;
    __builtin_prefetch(big_begins_ + first / kBigGroup);
    __builtin_prefetch(big_groups() + first / kBigGroup);
    __builtin_prefetch(groups(first / kLodFanout));
    // As many lines as 64 begins of three bytes have, which few need more than.
    const std::byte* const begins =
        begin_.data + std::size_t{first} * (begin_.width % PackedColumn::kFar);
    for (std::size_t line = 0; line < 3; ++line) __builtin_prefetch(begins + line * kCacheLine);
  }

  std::size_t kept_bytes() const;  // columns and summaries, wherever they lie
  std::size_t lod_bytes() const;   // summaries alone

 private:
  void sum_up(const ColumnsToPack& slices, const StringPool& names);
  static constexpr std::size_t kCacheLine = 64;
  bool are_at_hand() const;
  const PackedSummary* big_groups() const {
    return reinterpret_cast<const PackedSummary*>(big_begins_ + big_group_count());
  }

  std::uint32_t count_ = 0;
  std::uint32_t storage_bytes_ = 0;
  std::int64_t last_end_ns_ = 0;
  PackedColumn begin_, duration_, name_, record_, flags_;
  SparseColumn end_record_;
  LodSummary whole_;
  std::uint8_t unit_shift_ = 0;  // the smallest with which 32 bits reach over the chunk
  // In unit_ns(), counted from first_begin_ns(). Summaries come behind that, then the columns.
  const std::uint32_t* big_begins_ = nullptr;
  std::unique_ptr<std::byte[]> storage_;  // null: the bytes are another's
  std::shared_ptr<const void> owner_;     // of these; may be null
  const ChunkPages* pages_ = nullptr;     // of these; null: they are always at hand
};

}  // namespace cinderscope
