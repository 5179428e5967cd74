// The records of versions 0 and 1: one flat stream; what lies at an offset, and how long it is.
#pragma once

#include <cstddef>
#include <cstdint>

#include "formats/spall/spall_wire.h"
#include "formats/spall/thread_load.h"
#include "ingest/input/input.h"

namespace cinderscope::spall {

enum class FlatKind : std::uint8_t {
  begin,
  end,
  complete,
  cached_begin,
  micro_begin,
  micro_end,
  skip,     // of version 1: see resolve_skip
  cut,      // the bytes end within the record
  unknown,  // no record of this layout
};

struct FlatRecord {
  FlatKind kind = FlatKind::unknown;
  std::uint64_t size_bytes = 0;
  ThreadKey thread;
};

// Where the parts of a begin, end or complete lie within their record.
template <const FlatLayout& L>
struct FlatPlaces {
  static constexpr std::size_t kEndPid = L.type_bytes;
  static constexpr std::size_t kBeginPid = L.type_bytes + (L.has_args ? 1 : 0);  // category
  static constexpr std::size_t kEndTime = kEndPid + 2 * L.id_bytes;
  static constexpr std::size_t kBeginTime = kBeginPid + 2 * L.id_bytes;
  static constexpr std::size_t kEndBytes = kEndTime + 8;
  static constexpr std::size_t kNameLength = kBeginTime + 8;
  static constexpr std::size_t kName = kNameLength + (L.has_args ? 2 : 1);
  static constexpr std::size_t kDuration = kEndTime + 8;  // of a complete
  static constexpr std::size_t kCompleteNameLength = kDuration + 8;
  static constexpr std::size_t kCompleteName = kCompleteNameLength + 1;
  static constexpr std::size_t kSlot = kEndTime + 8;  // of a cached begin
  static constexpr std::size_t kCachedBytes = kSlot + 2;
};

template <const FlatLayout& L>
ThreadKey flat_thread(const std::byte* ids) {
  if constexpr (L.id_bytes == 8)
    return {load_value<std::uint64_t>(ids), load_value<std::uint64_t>(ids + 8)};
  return {load_value<std::uint32_t>(ids), load_value<std::uint32_t>(ids + 4)};
}

// `left` bytes from `data` on are there (and 8 more can be read).
template <const FlatLayout& L>
FlatRecord flat_record(const std::byte* data, std::uint64_t left) {
  using Places = FlatPlaces<L>;
  constexpr FlatRecord kCut{FlatKind::cut, 0, {}};
  if (left < L.type_bytes) return kCut;
  if (L.type_bytes == 8 && load_value<std::uint64_t>(data) > 0xff) return {};
  const auto type = std::to_integer<std::uint8_t>(data[0]);
  if (type == L.end) {
    if (left < Places::kEndBytes) return kCut;
    return {FlatKind::end, Places::kEndBytes, flat_thread<L>(data + Places::kEndPid)};
  }
  if (type == L.begin) {
    if (left < Places::kName) return kCut;
    std::uint64_t size = Places::kName + std::to_integer<unsigned>(data[Places::kNameLength]);
    if (L.has_args) size += std::to_integer<unsigned>(data[Places::kNameLength + 1]);
    if (left < size) return kCut;
    return {FlatKind::begin, size, flat_thread<L>(data + Places::kBeginPid)};
  }
  if (L.complete != kNoType && type == L.complete) {
    if (left < Places::kCompleteName) return kCut;
    const std::uint64_t size =
        Places::kCompleteName + std::to_integer<unsigned>(data[Places::kCompleteNameLength]);
    if (left < size) return kCut;
    return {FlatKind::complete, size, flat_thread<L>(data + Places::kEndPid)};
  }
  if (L.cached_begin != kNoType && type == L.cached_begin) {
    if (left < Places::kCachedBytes) return kCut;
    return {FlatKind::cached_begin, Places::kCachedBytes, flat_thread<L>(data + Places::kEndPid)};
  }
  if (!L.has_args) return {};
  if (type == kPadSkip) {
    if (left < kPadSkipBytes) return kCut;
    return {FlatKind::skip, kPadSkipBytes, {}};
  }
  if (type == kFlatMicroEnd) {
    if (left < kFlatMicroEndBytes) return kCut;
    return {FlatKind::micro_end, kFlatMicroEndBytes, {0, load_value<std::uint32_t>(data + 1)}};
  }
  return {};
}

// Type 7 at `offset` of version 1 is Pad_Skip, whose size may or may not count its own 5 bytes, or
// a micro begin: the first reading of these that lands on records (section 2).
FlatRecord resolve_skip(const Input& input, std::uint64_t offset);

// How well a version 0 file reads in `layout`; looks at the first 16 MiB.
struct FlatTrial {
  std::uint64_t walked_bytes = 0;  // up to the first byte that is no record
  bool failed = false;             // there is such a byte; a record that is cut does not count
  bool whole = false;              // records, and nothing else, up to the end
};
FlatTrial try_flat_layout(const FlatLayout& layout, const Input& input);

}  // namespace cinderscope::spall
