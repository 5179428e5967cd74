// How a prepared copy lies on disk: a header, a table of sections, the sections on borders of
// pages.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "ingest/model/slice_row.h"
#include "ingest/model/timeline.h"

namespace cinderscope::prepared {

inline constexpr std::array<char, 8> kMagic = {'C', 'I', 'N', 'D', 'E', 'R', 'P', 'C'};
inline constexpr std::uint32_t kLayoutVersion = 5;  // raised whenever anything here changes
inline constexpr std::uint64_t kSectionBorder = 4096;

// Every one is there, in this order.
enum class Section : std::uint32_t {
  key,             // what the trace was like; see trace_key.h
  about,           // for people: the trace's path, when it was written
  state,           // of the trace's input and its source
  model,           // all of the timeline that is small, and how long everything else is
  name_records,    // NameRecord for each name, by id
  letters,         // of all names and labels, one behind the other
  flows,           // FlowRecord
  flow_points,     // PointRecord
  point_flow,      // std::uint32_t
  by_slice,        // std::uint64_t
  counter_times,   // std::int64_t, of one series after the other
  counter_values,  // double
  upper,           // LodSpan, of one row after the other, from the lowest level up
  heads,           // ChunkHead, of one row after the other; bytes_at counts in `columns`
  column_hashes,   // std::uint64_t for each kHeadsToHash heads
  columns,         // bytes of the chunks; the one section that is not hashed as a whole
  totals,          // what statistics prepare, piece by piece: write_totals()
};
inline constexpr std::size_t kSections = 17;

struct SectionEntry {
  std::uint64_t offset = 0, bytes = 0;
  std::uint64_t hash = 0;  // XXH3 of the bytes; of `columns` 0
};

struct Header {
  std::array<char, 8> magic = kMagic;
  std::uint32_t version = kLayoutVersion;
  std::uint32_t sections = kSections;
  std::uint64_t file_bytes = 0;
  std::uint64_t hash = 0;  // XXH3 of the header and its table, with 0 here
  std::array<SectionEntry, kSections> table;
};
static_assert(sizeof(Header) <= kSectionBorder);
static_assert(std::has_unique_object_representations_v<Header>);

// The bytes of so many chunks that follow each other have one hash, padding between them included:
// a few megabytes, for threads to share.
inline constexpr std::size_t kHeadsToHash = 256;

struct NameRecord {
  static constexpr std::uint32_t kNoLabel = UINT32_MAX;
  std::uint32_t text_bytes = 0, hash = 0, label_bytes = kNoLabel, colour = 0;
};

struct FlowRecord {
  std::uint64_t first_point = 0;
  std::uint32_t point_count = 0, name = 0;
  std::uint64_t by_bind_id = 0;
};

struct PointRecord {  // a FlowPoint
  std::uint64_t slice = 0;
  std::int64_t time_ns = 0;
  std::int64_t slice_begin_ns = 0;
  std::uint32_t track = 0, row = 0;
};

static_assert(std::has_unique_object_representations_v<ChunkHead>);
static_assert(std::has_unique_object_representations_v<NameRecord>);
static_assert(std::has_unique_object_representations_v<FlowRecord>);
static_assert(std::has_unique_object_representations_v<PointRecord>);
static_assert(sizeof(LodSpan) == 16 && std::is_trivially_copyable_v<LodSpan>);

inline constexpr std::uint64_t rounded_up_to(std::uint64_t border, std::uint64_t bytes) {
  return (bytes + border - 1) / border * border;
}

}  // namespace cinderscope::prepared
