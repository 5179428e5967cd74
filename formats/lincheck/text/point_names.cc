#include "formats/lincheck/text/point_names.h"

#include <fmt/format.h>

#include "formats/lincheck/text/diff_names.h"
#include "formats/lincheck/text/short_names.h"

namespace cinderscope::lincheck {
namespace {

constexpr std::int8_t kKept = 0;  // of a diff

}  // namespace

PointNames::PointNames(const Lookup& lookup, StringPool& pool)
    : lookup_(lookup),
      pool_(pool),
      array_read_(intern("read array element", kKept)),
      array_write_(intern("write array element", kKept)),
      snapshot_(intern("breakpoint", kKept)) {
  const References& references = lookup.map().references;
  const auto each = [&](Kind kind, auto visit) {
    references[static_cast<std::size_t>(kind)].for_each(
        [&](std::int32_t id, std::uint64_t) { visit(id); });
  };
  each(Kind::method, [&](std::int32_t id) {
    const Method method = lookup.method(id);
    methods_.set(id, intern(method.class_name + "." + method.name, kKept));
  });
  each(Kind::field, [&](std::int32_t id) {
    const Field field = lookup.field(id);
    const std::string name = short_class(field.class_name) + "." + field.name;
    field_reads_.set(id, intern("read " + name, kKept));
    field_writes_.set(id, intern("write " + name, kKept));
  });
  each(Kind::variable, [&](std::int32_t id) {
    const Variable variable = lookup.variable(id);
    variable_reads_.set(id, intern("read " + variable.name, kKept));
    variable_writes_.set(id, intern("write " + variable.name, kKept));
  });
}

StringId PointNames::intern(std::string_view text, std::int8_t status) const {
  if (!lookup_.map().is_diff) return pool_.intern(text);
  const std::uint32_t colour = diff_colour(status, text);
  const std::string_view mark = diff_mark(status);
  const std::string marked = fmt::format("{}{}", mark, text);
  return pool_.intern(marked, marked, colour);
}

StringId PointNamer::name(const PointHead& head, std::int32_t first_id, JavaReader body) {
  const StringId name = plain_name(head, first_id, body);
  if (diff_mark(head.diff_status).empty()) return name;
  const auto status = static_cast<std::uint8_t>(head.diff_status);
  const auto [found, is_new] =
      marked_.try_emplace(std::uint64_t{index(name)} << 8 | status, kNoName);
  if (is_new) found->second = names_.intern(names_.pool().text(name), head.diff_status);
  return found->second;
}

StringId PointNamer::plain_name(const PointHead& head, std::int32_t first_id, JavaReader body) {
  switch (head.point) {
    case PointClass::call:
      return known(names_.method(first_id), "method", first_id);
    case PointClass::variable_read:
      return known(names_.variable_read(first_id), "variable", first_id);
    case PointClass::variable_write:
      return known(names_.variable_write(first_id), "variable", first_id);
    case PointClass::field_read:
      return known(names_.field_read(first_id), "field", first_id);
    case PointClass::field_write:
      return known(names_.field_write(first_id), "field", first_id);
    case PointClass::array_read:
      return names_.array_read();
    case PointClass::array_write:
      return names_.array_write();
    case PointClass::loop:
    case PointClass::iteration:
      return loop_name(head);
    case PointClass::snapshot:
      return names_.snapshot();
    case PointClass::throwing:
    case PointClass::catching:
      break;
  }
  const bool throwing = head.point == PointClass::throwing;
  const std::int32_t class_id = body.i32();
  const auto [found, is_new] = exceptions_.try_emplace(
      std::uint64_t{static_cast<std::uint32_t>(class_id)} << 1 | (throwing ? 1u : 0u), kNoName);
  if (is_new) {
    const std::string class_name =
        class_id < 0 ? "exception" : short_class(names_.lookup().class_name(class_id));
    met_unknown_ = met_unknown_ || class_name == kUnknown;
    found->second =
        names_.intern(fmt::format("{} {}", throwing ? "throw" : "catch", class_name), kKept);
  }
  return found->second;
}

StringId PointNamer::known(StringId name, const char* what, std::int32_t id) {
  if (name != kNoName) return name;
  ++unknown_count_;
  met_unknown_ = true;
  return names_.intern(fmt::format("(unknown {} {})", what, id), kKept);
}

StringId PointNamer::loop_name(const PointHead& head) {
  const bool loop = head.point == PointClass::loop;
  const auto [found, is_new] = loops_.try_emplace(
      std::uint64_t{static_cast<std::uint32_t>(head.location)} << 1 | (loop ? 1u : 0u), kNoName);
  if (is_new) {
    const CodeLocation place = names_.lookup().location(head.location);
    met_unknown_ = met_unknown_ || (!place.known && head.location >= 0) || place.file == kUnknown;
    const std::string_view what = loop ? "loop" : "iteration";
    found->second = names_.intern(
        place.known ? fmt::format("{} {}:{}", what, place.file, place.line) : std::string(what),
        kKept);
  }
  return found->second;
}

}  // namespace cinderscope::lincheck
