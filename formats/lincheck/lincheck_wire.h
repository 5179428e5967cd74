// What the bytes of a Lincheck trace mean: kinds, classes of trace points, tags, and their
// versions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace cinderscope::lincheck {

inline constexpr std::uint64_t kMagic = 0x706E547124EE5F70;
inline constexpr std::uint64_t kIndexMagic = ~kMagic;
inline constexpr std::uint64_t kHeaderBytes = 16;      // magic and version, of both files
inline constexpr std::uint64_t kBlockStartBytes = 5;   // kind and thread
inline constexpr std::uint64_t kIndexFooterBytes = 8;  // the magic again
inline constexpr std::uint64_t kCellBytes = 21;
inline constexpr std::int64_t kOldestVersion = 8, kNewestVersion = 22;

// As version 10 and later write them.
enum class Kind : std::uint8_t {
  thread_name,
  class_descriptor,
  method,
  field,
  variable,
  string,
  access_path,
  code_location,
  trace_point,
  footer,
  block_start,
  block_end,
  eof,
  unknown,
};
inline constexpr std::size_t kReferenceKinds = 8;  // the first ones; of no thread
inline constexpr std::size_t kKinds = 13;
inline constexpr std::uint8_t kNoKindByte = 0xff;  // of a kind that a version does not have

constexpr bool is_reference(Kind kind) {
  return static_cast<std::size_t>(kind) < kReferenceKinds;
}

enum class PointClass : std::uint8_t {
  call,
  array_read,
  variable_read,
  field_read,
  array_write,
  variable_write,
  field_write,
  loop,
  iteration,
  snapshot,
  throwing,
  catching,
};
inline constexpr std::size_t kPointClasses = 12;

constexpr bool is_container(PointClass point) {
  return point == PointClass::call || point == PointClass::loop || point == PointClass::iteration;
}

// "None", as the id of a location, a path or a string.
inline constexpr std::int32_t kNoId = -1;

// Bit 0 of a call's flags.
inline constexpr std::int16_t kBeganBeforeRecording = 1;

namespace tag {
inline constexpr std::int32_t kNull = -1, kVoid = -2, kByte = -3, kShort = -4, kInt = -5,
                              kLong = -6, kFloat = -7, kDouble = -8, kChar = -9, kString = -10,
                              kUnit = -11, kRawText = -12, kBoolean = -13, kJavaClass = -14,
                              kKotlinClass = -15, kStringBuilder = -16;
}  // namespace tag

// What a version writes, where versions differ (section 9 of the format document).
struct Layout {
  std::int64_t version = kNewestVersion;
  std::array<Kind, 256> kind_of_byte{};
  std::array<std::uint8_t, kKinds> byte_of_kind{};  // or kNoKindByte
  std::array<bool, 256> has_point{};
  bool diff_status = true;
  bool call_flags = true;
  bool location_kind = true, location_path = true, location_arguments = true;
  bool location_locals = true, local_kinds = true;
  bool field_type = true, field_volatile = true, variable_type = true;
  bool value_contents = true;  // objects with fields, arrays with elements
  bool snapshot_uuid = true, snapshot_trace_id = true;
};

// Some versions were written in two layouts. `alternative` picks the rarer one.
Layout layout_of(std::int64_t version, bool alternative = false);
bool has_alternative(std::int64_t version);

}  // namespace cinderscope::lincheck
