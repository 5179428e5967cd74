#include "formats/lincheck/text/value_text.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "formats/lincheck/objects.h"
#include "formats/lincheck/text/java_text.h"
#include "formats/lincheck/text/short_names.h"

namespace cinderscope::lincheck {
namespace {

constexpr int kMostPathLevels = 8;  // of indices that are paths themselves
constexpr std::size_t kMostPathBytes = 4096;

void append_escaped(std::string& out, std::string_view text) {
  for (const char c : java_text(text)) {
    switch (c) {
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        out += c;
    }
  }
}

void append_path(std::string& out, std::int32_t path, const Lookup& names, bool drop_this,
                 int levels_left) {
  using Kind = PathElement::Kind;
  for (const PathElement& element : names.path(path)) {
    if (out.size() > kMostPathBytes) return;
    switch (element.kind) {
      case Kind::variable: {
        const Variable variable = names.variable(element.operand);
        if (drop_this && is_this_name(variable.name)) break;
        if (!out.empty()) out += '.';
        out += short_variable(variable.name);
        break;
      }
      case Kind::static_field: {
        const Field field = names.field(element.operand);
        if (!out.empty()) out += '.';
        append(out, "{}.{}", short_class(field.class_name), short_field(field.name));
        break;
      }
      case Kind::field: {
        const Field field = names.field(element.operand);
        if (drop_this && is_this_name(field.name)) break;
        if (field.name == "element" && is_kotlin_box(field.class_name)) break;
        if (!out.empty()) out += '.';
        out += short_field(field.name);
        break;
      }
      case Kind::index:
        append(out, "[{}]", element.operand);
        break;
      case Kind::index_path: {
        std::string inner;
        if (levels_left > 0) append_path(inner, element.operand, names, false, levels_left - 1);
        append(out, "[{}]", inner);
        break;
      }
    }
  }
}

}  // namespace

void append_value(std::string& out, JavaReader& in, const Lookup& names) {
  JavaReader whole = in;
  skip_value(in, names.layout());
  const std::int32_t value_tag = whole.i32();
  switch (value_tag) {
    case tag::kNull:
      out += "null";
      return;
    case tag::kVoid:
      out += "void";
      return;
    case tag::kUnit:
      out += "Unit";
      return;
    case tag::kByte:
      append(out, "{}", int{whole.i8()});
      return;
    case tag::kShort:
      append(out, "{}", whole.i16());
      return;
    case tag::kInt:
      append(out, "{}", whole.i32());
      return;
    case tag::kLong:
      append(out, "{}", whole.i64());
      return;
    case tag::kFloat:
      append_java_number(out, whole.f32());
      return;
    case tag::kDouble:
      append_java_number(out, whole.f64());
      return;
    case tag::kChar:
      out += '\'';
      append_utf16_unit(out, static_cast<char16_t>(whole.u16()));
      out += '\'';
      return;
    case tag::kString:
      out += '"';
      append_escaped(out, whole.utf());
      out += '"';
      return;
    case tag::kRawText:
    case tag::kJavaClass:
    case tag::kKotlinClass:
      append_java_text(out, whole.utf());
      return;
    case tag::kBoolean:
      out += whole.boolean() ? "true" : "false";
      return;
    case tag::kStringBuilder:
      append(out, "StringBuilder@{}(\"", whole.i32());
      append_escaped(out, whole.utf());
      out += "\")";
      return;
    default:
      append(out, "{}@{}", short_class(names.class_name(value_tag)), whole.i32());
  }
}

std::string path_text(std::int32_t path, const Lookup& names, bool drop_this) {
  std::string text;
  if (path >= 0) append_path(text, path, names, drop_this, kMostPathLevels);
  return text;
}

std::string singleton_class(std::int32_t path, const Lookup& names) {
  const std::vector<PathElement> elements = names.path(path);
  if (elements.size() != 1 || elements.front().kind != PathElement::Kind::static_field) return {};
  const Field field = names.field(elements.front().operand);
  const bool singleton = field.is_final && (field.name == "INSTANCE" || field.name == "Companion");
  return singleton ? short_class(field.class_name) : std::string();
}

}  // namespace cinderscope::lincheck
