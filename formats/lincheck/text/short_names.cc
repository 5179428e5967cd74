#include "formats/lincheck/text/short_names.h"

#include <algorithm>

#include "ingest/base/ascii.h"

namespace cinderscope::lincheck {
namespace {

constexpr std::string_view kKotlinBox = "kotlin.jvm.internal.Ref$";

void drop_prefix(std::string_view& name, std::string_view prefix) {
  if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
}
void drop_suffix(std::string_view& name, std::string_view suffix) {
  if (name.ends_with(suffix)) name.remove_suffix(suffix.size());
}
void cut_at_last(std::string_view& name, char separator) {
  const std::size_t at = name.rfind(separator);
  if (at != std::string_view::npos) name = name.substr(0, at);
}
bool is_capital(char c) {
  return c >= 'A' && c <= 'Z';
}
}  // namespace

std::string short_class(std::string_view name) {
  drop_prefix(name, kKotlinBox);
  name = name.substr(name.rfind('.') + 1);
  if (name.find("$$Lambda") != std::string_view::npos) {
    cut_at_last(name, '/');
    cut_at_last(name, '$');
  }
  std::string out;
  std::size_t part = 0;  // where the part before the next $ begins
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] != '$') {
      out += name[i];
      continue;
    }
    const bool joins_capitals =
        part < i && is_capital(name[part]) && i + 1 < name.size() && is_capital(name[i + 1]);
    out += joins_capitals ? '.' : '$';
    part = i + 1;
  }
  return out;
}

std::string_view short_method(std::string_view name) {
  drop_suffix(name, "$kotlinx_coroutines_core");
  return name;
}

std::string_view short_field(std::string_view name) {
  drop_suffix(name, "$volatile$FU");
  drop_prefix(name, "$");
  return name;
}

std::string_view short_variable(std::string_view name) {
  drop_suffix(name, "$iv");
  if (name != "$this") drop_prefix(name, "$this");
  drop_prefix(name, "$");
  return name;
}

bool is_this_name(std::string_view name) {
  if (name == "this" || name == "$this" || name.starts_with("this_$iv")) return true;
  if (name.starts_with("$this$") && name.ends_with("$iv")) return true;
  if (!name.starts_with("this$")) return false;
  name.remove_prefix(5);
  return is_number(name);
}

bool is_kotlin_box(std::string_view class_name) {
  return class_name.starts_with(kKotlinBox);
}

bool is_same_class(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, [](char x, char y) { return (x == '/' ? '.' : x) == (y == '/' ? '.' : y); });
}

}  // namespace cinderscope::lincheck
