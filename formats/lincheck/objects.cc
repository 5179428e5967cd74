#include "formats/lincheck/objects.h"

#include <string_view>
#include <vector>

namespace cinderscope::lincheck {
namespace {

constexpr std::string_view kUnfinishedMark = "<unfinished method>";

// A value without others inside: true. Of an object or array the counts are read, too.
struct ValueStart {
  bool known = true;
  bool is_array = false;
  std::uint32_t parts = 0;  // fields or elements that follow
};

ValueStart start_value(JavaReader& in, const Layout& layout, std::int32_t value_tag) {
  ValueStart start;
  switch (value_tag) {
    case tag::kNull:
    case tag::kVoid:
    case tag::kUnit:
      return start;
    case tag::kByte:
    case tag::kBoolean:
      in.skip(1);
      return start;
    case tag::kShort:
    case tag::kChar:
      in.skip(2);
      return start;
    case tag::kInt:
    case tag::kFloat:
      in.skip(4);
      return start;
    case tag::kLong:
    case tag::kDouble:
      in.skip(8);
      return start;
    case tag::kString:
    case tag::kRawText:
    case tag::kJavaClass:
    case tag::kKotlinClass:
      in.skip_utf();
      return start;
    case tag::kStringBuilder:
      in.skip(4);
      in.skip_utf();
      return start;
    default:
      break;
  }
  if (value_tag < 0) {
    start.known = false;
    return start;
  }
  in.skip(4);  // identity
  if (!layout.value_contents) return start;
  const std::int32_t count = in.i32();
  start.is_array = count < 0;
  start.parts = static_cast<std::uint32_t>(count < 0 ? -(count + 1) : count);
  return start;
}

// Where it may be missing, what follows is not taken for one: an object's kind is rarely a boolean,
// and text of Java holds no zero byte.
bool skip_trace_id(JavaReader& in, const Layout& layout) {
  const std::uint8_t has_one = in.u8();
  if (!has_alternative(layout.version)) {
    if (has_one != 0) in.skip_utf();
    return true;
  }
  if (has_one > 1) return false;
  return has_one == 0 || in.utf().find('\0') == std::string_view::npos;
}

}  // namespace

bool skip_type(JavaReader& in) {
  constexpr std::uint8_t kArray = 0, kObject = 8, kLast = 10;
  std::uint8_t type_tag = in.u8();
  while (type_tag == kArray && !in.cut()) type_tag = in.u8();
  if (type_tag == kObject) in.skip_utf();
  return type_tag <= kLast;
}

bool skip_value(JavaReader& in, const Layout& layout) {
  ValueStart start = start_value(in, layout, in.i32());
  if (!start.known) return false;
  if (start.parts == 0) {
    if (start.is_array) in.skip(4);
    return true;
  }
  std::vector<ValueStart> open = {start};
  while (!open.empty() && !in.cut()) {
    ValueStart& inner = open.back();
    if (inner.parts == 0) {
      if (inner.is_array) in.skip(4);
      open.pop_back();
      continue;
    }
    --inner.parts;
    if (!inner.is_array) in.skip_utf();
    start = start_value(in, layout, in.i32());
    if (in.cut()) return true;
    if (!start.known) return false;
    if (start.parts != 0 || start.is_array) open.push_back(start);
  }
  return true;
}

bool skip_reference(JavaReader& in, const Layout& layout, Kind kind, std::int32_t& id) {
  if (kind == Kind::code_location && layout.location_kind) in.skip(1);
  id = in.i32();
  switch (kind) {
    case Kind::thread_name:
    case Kind::class_descriptor:
    case Kind::string:
      in.skip_utf();
      return true;
    case Kind::method: {
      in.skip(4);
      in.skip_utf();
      if (!skip_type(in)) return false;
      for (std::int32_t left = in.i32(); left > 0 && !in.cut(); --left) {
        if (!skip_type(in)) return false;
      }
      return true;
    }
    case Kind::field:
      in.skip(4);
      in.skip_utf();
      if (layout.field_type && !skip_type(in)) return false;
      in.skip(layout.field_volatile ? 3 : 2);
      return true;
    case Kind::variable:
      in.skip_utf();
      return !layout.variable_type || skip_type(in);
    case Kind::access_path:
      in.skip_all(in.i32(), 5);
      return true;
    case Kind::code_location: {
      in.skip(16);
      if (layout.location_path) in.skip(4);
      if (layout.location_arguments) in.skip_all(in.i32(), 4);
      if (layout.location_locals) in.skip_all(in.i32(), layout.local_kinds ? 8 : 4);
      return true;
    }
    default:
      return false;
  }
}

bool read_head(JavaReader& in, const Layout& layout, PointHead& head) {
  const std::uint8_t point = in.u8();
  if (in.cut()) return true;
  if (!layout.has_point[point]) return false;
  head.point = static_cast<PointClass>(point);
  head.location = in.i32();
  head.thread = in.i32();
  head.event = in.i32();
  head.diff_status = -1;
  if (!layout.diff_status) return true;
  head.diff_status = in.i8();
  if (is_container(head.point)) in.skip(in.u8());
  return true;
}

bool skip_body(JavaReader& in, const Layout& layout, PointClass point, std::int32_t& first) {
  switch (point) {
    case PointClass::call: {
      first = in.i32();
      if (!skip_value(in, layout)) return false;
      for (std::int32_t left = in.i32(); left > 0 && !in.cut(); --left) {
        if (!skip_value(in, layout)) return false;
      }
      if (layout.call_flags) in.skip(2);
      return true;
    }
    case PointClass::array_read:
    case PointClass::array_write:
      if (!skip_value(in, layout)) return false;
      in.skip(4);
      return skip_value(in, layout);
    case PointClass::variable_read:
    case PointClass::variable_write:
      first = in.i32();
      return skip_value(in, layout);
    case PointClass::field_read:
    case PointClass::field_write:
      first = in.i32();
      return skip_value(in, layout) && skip_value(in, layout);
    case PointClass::loop:
      first = in.i32();
      return true;
    case PointClass::iteration:
      first = in.i32();
      in.skip(4);
      return true;
    case PointClass::snapshot: {
      if (layout.snapshot_uuid) in.skip(16);
      in.skip_all(in.i32(), 4);
      in.skip(8);
      for (std::int32_t left = in.i32(); left > 0 && !in.cut(); --left) {
        if (!skip_value(in, layout)) return false;
      }
      return !layout.snapshot_trace_id || skip_trace_id(in, layout);
    }
    case PointClass::throwing:
    case PointClass::catching:
      return skip_value(in, layout);
  }
  return false;
}

bool skip_footer(JavaReader& in, const Layout& layout, PointClass container, bool& unfinished) {
  unfinished = false;
  if (container == PointClass::iteration) return true;
  if (container == PointClass::loop) {
    in.skip(4);
    return true;
  }
  JavaReader result = in;
  if (!skip_value(in, layout)) return false;
  if (result.i32() == tag::kString) unfinished = result.utf() == kUnfinishedMark;
  in.skip_utf();
  return true;
}

}  // namespace cinderscope::lincheck
