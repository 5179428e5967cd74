#include "formats/lincheck/text/tidy.h"

#include <algorithm>
#include <string_view>

namespace cinderscope::lincheck {
namespace {

// IntelliJ's own and JaCoCo's.
bool is_coverage_name(std::string_view name) {
  constexpr std::string_view kOpening = "__$", kClosing = "$__";
  const bool idea = name.size() > kOpening.size() + kClosing.size() && name.starts_with(kOpening) &&
                    name.ends_with(kClosing);
  return idea || name.starts_with("$jacoco");
}

bool is_read(PointClass point) {
  return point == PointClass::field_read;
}

bool is_field_access(PointClass point) {
  return point == PointClass::field_read || point == PointClass::field_write;
}

// "Name" of "getName" as the property is called: "name". Empty where no capital follows.
std::string property_of(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix) || name.size() == prefix.size()) return {};
  std::string property(name.substr(prefix.size()));
  if (property[0] >= 'a' && property[0] <= 'z') return {};
  if (property[0] >= 'A' && property[0] <= 'Z') property[0] += 'a' - 'A';
  return property;
}

std::string_view without(std::string_view text, std::string_view suffix) {
  if (text.ends_with(suffix)) text.remove_suffix(suffix.size());
  return text;
}

}  // namespace

const Tidy::MethodNature& Tidy::nature_of(std::int32_t method) {
  const auto [found, is_new] = methods_.try_emplace(method);
  MethodNature& nature = found->second;
  if (!is_new) return nature;
  constexpr std::string_view kDefault = "$default", kAccess = "access$";
  nature.name = names_.method(method).name;
  std::string_view name = nature.name;
  nature.is_coverage = is_coverage_name(name);
  if (name.starts_with(kAccess)) {
    nature.is_synthetic_access = true;
    name.remove_prefix(kAccess.size());
    nature.merges_with = name;
    name = without(name, "$p");
  } else if (name.ends_with(kDefault)) {
    nature.merges_with = without(name, kDefault);
    return nature;
  }
  nature.reads_field = property_of(name, "get");
  nature.writes_field = property_of(name, "set");
  // Of a property that is called isOpen, the getter is called the same.
  if (!property_of(name, "is").empty()) nature.reads_field = name;
  return nature;
}

bool Tidy::is_coverage_field(std::int32_t field) {
  const auto [found, is_new] = fields_.try_emplace(field, false);
  if (is_new) found->second = is_coverage_name(names_.field(field).name);
  return found->second;
}

bool Tidy::is_coverage_variable(std::int32_t variable) {
  const auto [found, is_new] = variables_.try_emplace(variable, false);
  if (is_new) found->second = is_coverage_name(names_.variable(variable).name);
  return found->second;
}

bool Tidy::is_coverage_path(std::int32_t location) {
  const auto [found, is_new] = locations_.try_emplace(location, false);
  if (!is_new) return found->second;
  bool any = false;
  for (const PathElement& element : names_.path(names_.location(location).path)) {
    if (element.kind == PathElement::Kind::variable) any |= is_coverage_variable(element.operand);
    const bool is_field =
        element.kind == PathElement::Kind::field || element.kind == PathElement::Kind::static_field;
    if (is_field) any |= is_coverage_field(element.operand);
  }
  found->second = any;
  return any;
}

bool Tidy::drops_leaf(const WalkStep& leaf) {
  switch (leaf.head.point) {
    case PointClass::field_read:
    case PointClass::field_write:
      return is_coverage_field(leaf.first_id);
    case PointClass::variable_read:
    case PointClass::variable_write:
      return is_coverage_variable(leaf.first_id);
    case PointClass::array_read:
    case PointClass::array_write:
      return is_coverage_path(leaf.head.location);
    default:
      return false;
  }
}

void Tidy::leaf(const WalkStep& leaf) {
  if (open_.empty() || drops_leaf(leaf)) return;
  Open& around = open_.back();
  ++around.children;
  around.last = {leaf.head.point, leaf.head.diff_status, leaf.first_id, leaf.head.location};
  around.empty_iteration.reset();
}

void Tidy::begin(const WalkStep& container, std::size_t number) {
  const PointHead& head = container.head;
  open_.push_back({.self = {head.point, head.diff_status, container.first_id, head.location},
                   .number = number});
}

TidyDecision Tidy::end(bool ended) {
  Open inner = open_.back();
  open_.pop_back();
  TidyDecision decision;
  const PointClass point = inner.self.point;
  if (ended && point == PointClass::loop) {
    decision.dropped_child = inner.empty_iteration;
    inner.children -= decision.dropped_child ? 1 : 0;
    if (inner.children == 0) decision.container = Tidied::dropped;
  } else if (point == PointClass::call && nature_of(inner.self.first_id).is_coverage) {
    decision.container = Tidied::dropped;
  } else if (ended && point == PointClass::call && inner.children == 1 && merges(inner)) {
    decision.container = Tidied::merged;
  }
  decision.children = inner.children;
  if (open_.empty() || decision.container == Tidied::dropped) return decision;
  Open& around = open_.back();
  ++around.children;
  around.last = decision.container == Tidied::merged ? inner.last : inner.self;
  around.called = inner.self.first_id;
  around.empty_iteration.reset();
  if (ended && point == PointClass::iteration && inner.children == 0) {
    around.empty_iteration = inner.number;
  }
  return decision;
}

bool Tidy::merges(const Open& call) {
  const MethodNature& nature = nature_of(call.self.first_id);
  // What a diff says of the two may differ, and would be lost.
  if (call.last.diff_status != call.self.diff_status) return false;
  if (call.last.point == PointClass::call) {
    // access$f$default calls f$default, in whose place f may stand by now.
    const std::string& wanted = nature.merges_with;
    return !wanted.empty() &&
           (nature_of(call.last.first_id).name == wanted || nature_of(call.called).name == wanted);
  }
  return is_field_access(call.last.point) && is_accessor_of(nature, call.last);
}

bool Tidy::is_accessor_of(const MethodNature& accessor, const Point& access) {
  const std::string& property =
      is_read(access.point) ? accessor.reads_field : accessor.writes_field;
  if (property.empty()) return false;
  const std::string field = names_.field(access.first_id).name;
  // setOpen writes the property isOpen.
  const bool same =
      field == property || (!is_read(access.point) && property_of(field, "is") == property);
  if (!same) return false;
  // Java's are written by hand and stay.
  return accessor.is_synthetic_access || names_.location(access.location).file.ends_with(".kt");
}

}  // namespace cinderscope::lincheck
