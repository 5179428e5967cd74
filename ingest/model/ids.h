// Indices into the tables of a Timeline; one enum each, so that two kinds never mix by accident.
#pragma once

#include <cstdint>

namespace cinderscope {

enum class StringId : std::uint32_t {};
enum class ProcessId : std::uint32_t {};
enum class ThreadId : std::uint32_t {};
enum class TrackId : std::uint32_t {};
enum class BlockId : std::uint32_t {};

inline constexpr StringId kEmptyString{0};       // ""; a slice named so is shown as "(no name)"
inline constexpr StringId kNoName{0xffffffffu};  // an E event that carries no name at all
inline constexpr ThreadId kNoThread{0xffffffffu};
inline constexpr TrackId kNoTrack{0xffffffffu};

// Where in the input a slice or instant is recorded. Only its TraceSource reads the number, usually
// a byte offset.
using RecordOffset = std::uint64_t;
inline constexpr RecordOffset kNoRecord = ~std::uint64_t{0};

template <class Id>
constexpr std::uint32_t index(Id id) {
  return static_cast<std::uint32_t>(id);
}

// Names a slice for hover, selection and search. Stays valid while blocks come and go; its block
// may have been evicted (Track::blocks[block] is null), then only its parent chain is known.
struct SliceRef {
  TrackId track = kNoTrack;
  BlockId block{};
  std::uint32_t row = 0;  // relative to the block
  std::uint64_t slice = 0;

  bool operator==(const SliceRef&) const = default;
  explicit operator bool() const { return track != kNoTrack; }
};

}  // namespace cinderscope
