#include "formats/flow/method_key.h"

#include <algorithm>

#include "ingest/base/ascii.h"

namespace cinderscope::flow {
namespace {

// Behind the last $ that begins a name: anonymous classes keep what they are in ("Worker$1").
std::string_view innermost(std::string_view simple) {
  for (std::size_t at = simple.rfind('$'); at != std::string_view::npos && at > 0;
       at = simple.rfind('$', at - 1)) {
    if (at + 1 < simple.size() && !is_digit(simple[at + 1]) && simple[at + 1] != '$') {
      return simple.substr(at + 1);
    }
  }
  return simple;
}

std::string_view primitive(char c) {
  switch (c) {
    case 'B':
      return "byte";
    case 'C':
      return "char";
    case 'D':
      return "double";
    case 'F':
      return "float";
    case 'I':
      return "int";
    case 'J':
      return "long";
    case 'S':
      return "short";
    case 'Z':
      return "boolean";
    case 'V':
      return "void";
    default:
      return {};
  }
}

// Appends the type that `rest` begins with and drops it there; false if there is none.
bool append_type(std::string_view& rest, std::string& out) {
  constexpr std::size_t kMaxDimensions = 255;  // of the JVM
  const std::size_t dimensions = std::min(rest.find_first_not_of('['), rest.size());
  if (dimensions == rest.size() || dimensions > kMaxDimensions) return false;
  rest.remove_prefix(dimensions);
  if (rest.front() == 'L') {
    const std::size_t end = rest.find(';');
    if (end == std::string_view::npos) return false;
    const std::string_view path = rest.substr(1, end - 1);
    std::string name(path.substr(path.rfind('/') + 1));
    std::replace(name.begin(), name.end(), '$', '.');
    out += name;
    rest.remove_prefix(end + 1);
  } else {
    const std::string_view name = primitive(rest.front());
    if (name.empty()) return false;
    out += name;
    rest.remove_prefix(1);
  }
  for (std::size_t i = 0; i < dimensions; ++i) out += "[]";
  return true;
}

}  // namespace

MethodKey method_key(std::string_view key) {
  const std::size_t parenthesis = std::min(key.find('('), key.size());
  const std::string_view name = key.substr(0, parenthesis);
  const std::size_t hash = name.rfind('#');
  if (hash == std::string_view::npos) return {{}, name, key.substr(parenthesis)};
  return {name.substr(0, hash), name.substr(hash + 1), key.substr(parenthesis)};
}

std::string short_label(std::string_view key) {
  const MethodKey parts = method_key(key);
  if (parts.class_name.empty() || parts.method.empty()) return std::string(key);
  const std::string_view simple = parts.class_name.substr(parts.class_name.rfind('.') + 1);
  std::string label(innermost(simple));
  if (!label.empty()) label += '.';
  return label.append(parts.method);
}

std::string_view package_of(std::string_view class_name) {
  const std::size_t point = class_name.rfind('.');
  return point == std::string_view::npos ? std::string_view() : class_name.substr(0, point);
}

std::string signature_text(std::string_view descriptor) {
  if (!descriptor.starts_with('(')) return std::string(descriptor);
  std::string_view rest = descriptor.substr(1);
  std::string out = "(";
  while (!rest.empty() && rest.front() != ')') {
    if (out.size() > 1) out += ", ";
    if (!append_type(rest, out)) return std::string(descriptor);
  }
  out += ')';
  if (rest.empty()) return out;  // older layouts leave the end away
  rest.remove_prefix(1);
  if (rest.empty()) return out;
  out += " → ";
  if (!append_type(rest, out) || !rest.empty()) return std::string(descriptor);
  return out;
}

}  // namespace cinderscope::flow
