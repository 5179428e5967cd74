#include "formats/lincheck/lookup.h"

#include <array>

#include "formats/lincheck/text/java_text.h"

namespace cinderscope::lincheck {
namespace {

constexpr std::int32_t kMostParts = 10000;  // of a list that is parsed into memory

std::string type_text(JavaReader& in) {
  static constexpr std::array kNames = {"boolean", "byte", "char", "double", "float",
                                        "int",     "long", "",     "short",  "void"};
  constexpr std::uint8_t kArray = 0, kObject = 8;
  std::size_t dimensions = 0;
  std::uint8_t type_tag = in.u8();
  for (; type_tag == kArray && !in.cut(); type_tag = in.u8()) ++dimensions;
  std::string text;
  if (type_tag == kObject) {
    text = java_text(in.utf());
  } else if (type_tag >= 1 && type_tag <= kNames.size()) {
    text = kNames[type_tag - 1u];
  } else {
    text = kUnknown;
  }
  constexpr std::size_t kMostDimensions = 255;
  for (; dimensions > 0 && dimensions <= kMostDimensions; --dimensions) text += "[]";
  return text;
}

std::vector<std::int32_t> ids(JavaReader& in, std::uint64_t also_skipped_bytes = 0) {
  std::vector<std::int32_t> list;
  const std::int32_t count = in.i32();
  for (std::int32_t i = 0; i < count && i < kMostParts && !in.cut(); ++i) list.push_back(in.i32());
  if (count > kMostParts) in.skip_all(count - kMostParts, 4);
  if (also_skipped_bytes != 0) in.skip_all(count, also_skipped_bytes);
  return list;
}

}  // namespace

Lookup::Found Lookup::find(Kind kind, std::int32_t id) const {
  const std::uint64_t at = map_.references[static_cast<std::size_t>(kind)].find(id);
  JavaReader in(data_, at);
  if (at == 0) return {false, in};
  // An index may be wrong: what is not there is as unknown as what was never written.
  const bool right_kind = layout_.kind_of_byte[in.u8()] == kind;
  if (kind == Kind::code_location && layout_.location_kind) in.skip(1);
  const bool right_id = in.i32() == id;
  return {right_kind && right_id && !in.cut(), in};
}

std::string Lookup::class_name(std::int32_t id) const {
  Found at = find(Kind::class_descriptor, id);
  return at.found ? java_text(at.in.utf()) : std::string(kUnknown);
}

std::string Lookup::string(std::int32_t id) const {
  Found at = find(Kind::string, id);
  return at.found ? java_text(at.in.utf()) : std::string(kUnknown);
}

std::string Lookup::thread_name(std::int32_t id) const {
  Found at = find(Kind::thread_name, id);
  return at.found ? java_text(at.in.utf()) : std::string();
}

Method Lookup::method(std::int32_t id) const {
  Found at = find(Kind::method, id);
  Method method{.class_name = std::string(kUnknown), .name = std::string(kUnknown)};
  if (!at.found) return method;
  method.known = true;
  method.class_name = class_name(at.in.i32());
  method.name = java_text(at.in.utf());
  method.result_type = type_text(at.in);
  const std::int32_t count = at.in.i32();
  for (std::int32_t i = 0; i < count && i < kMostParts && !at.in.cut(); ++i) {
    method.argument_types.push_back(type_text(at.in));
  }
  return method;
}

Field Lookup::field(std::int32_t id) const {
  Found at = find(Kind::field, id);
  Field field{.class_name = std::string(kUnknown), .name = std::string(kUnknown)};
  if (!at.found) return field;
  field.known = true;
  field.class_name = class_name(at.in.i32());
  field.name = java_text(at.in.utf());
  if (layout_.field_type) field.type = type_text(at.in);
  field.is_static = at.in.boolean();
  field.is_final = at.in.boolean();
  if (layout_.field_volatile) field.is_volatile = at.in.boolean();
  return field;
}

Variable Lookup::variable(std::int32_t id) const {
  Found at = find(Kind::variable, id);
  Variable variable{.name = std::string(kUnknown)};
  if (!at.found) return variable;
  variable.known = true;
  variable.name = java_text(at.in.utf());
  if (layout_.variable_type) variable.type = type_text(at.in);
  return variable;
}

std::vector<PathElement> Lookup::path(std::int32_t id) const {
  std::vector<PathElement> path;
  if (id < 0) return path;
  Found at = find(Kind::access_path, id);
  if (!at.found) return path;
  constexpr std::uint8_t kLastKind = 4;
  const std::int32_t count = at.in.i32();
  for (std::int32_t i = 0; i < count && i < kMostParts; ++i) {
    const std::uint8_t kind = at.in.u8();
    const std::int32_t operand = at.in.i32();
    if (at.in.cut()) break;
    if (kind <= kLastKind) path.push_back({static_cast<PathElement::Kind>(kind), operand});
  }
  return path;
}

CodeLocation Lookup::location(std::int32_t id) const {
  CodeLocation location;
  if (id < 0) return location;
  Found at = find(Kind::code_location, id);
  if (!at.found) return location;
  JavaReader& in = at.in;
  location.known = true;
  // The path is of use only where something is accessed or called, argument names for calls.
  constexpr std::uint8_t kLine = 0, kCall = 2;
  std::uint8_t kind = kCall;
  if (layout_.location_kind) {
    kind = JavaReader(data_,
                      map_.references[static_cast<std::size_t>(Kind::code_location)].find(id) + 1)
               .u8();
  }
  location.file = string(in.i32());
  location.class_name = string(in.i32());
  location.method = string(in.i32());
  location.line = in.i32();
  if (layout_.location_path) location.path = in.i32();
  if (layout_.location_arguments) location.argument_paths = ids(in);
  if (layout_.location_locals) location.locals = ids(in, layout_.local_kinds ? 4 : 0);
  if (kind == kLine) location.path = kNoId;
  if (kind != kCall) location.argument_paths.clear();
  return location;
}

}  // namespace cinderscope::lincheck
