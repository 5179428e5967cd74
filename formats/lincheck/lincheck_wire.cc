#include "formats/lincheck/lincheck_wire.h"

namespace cinderscope::lincheck {

Layout layout_of(std::int64_t version, bool alternative) {
  Layout layout;
  layout.version = version;
  layout.kind_of_byte.fill(Kind::unknown);
  layout.byte_of_kind.fill(kNoKindByte);
  std::uint8_t byte = 0;
  for (std::size_t i = 0; i < kKinds; ++i) {
    const auto kind = static_cast<Kind>(i);
    if (kind == Kind::thread_name && version < 10) continue;
    if (kind == Kind::access_path && version < 9) continue;
    layout.kind_of_byte[byte] = kind;
    layout.byte_of_kind[i] = byte++;
  }
  const auto points = [&](PointClass first, PointClass last, bool there) {
    for (auto i = static_cast<std::size_t>(first); i <= static_cast<std::size_t>(last); ++i) {
      layout.has_point[i] = there;
    }
  };
  points(PointClass::call, PointClass::field_write, true);
  points(PointClass::loop, PointClass::iteration, version >= 13);
  points(PointClass::snapshot, PointClass::snapshot, version >= 14);
  points(PointClass::throwing, PointClass::catching, version >= 18);
  layout.diff_status = version >= 14;
  layout.call_flags = version >= 11;
  layout.location_kind = version >= 20;
  layout.location_path = version >= 9;
  layout.location_arguments = version >= 12;
  layout.location_locals = version >= (alternative && version == 14 ? 15 : 14);
  layout.local_kinds = version >= 19;
  layout.field_type = version >= 15;
  layout.field_volatile = version >= 21;
  layout.variable_type = version >= 16;
  layout.value_contents = version >= 19;
  layout.snapshot_uuid = version >= 22;
  layout.snapshot_trace_id = version >= (alternative && version == 18 ? 19 : 18);
  return layout;
}

bool has_alternative(std::int64_t version) {
  return version == 14 || version == 18;
}

}  // namespace cinderscope::lincheck
