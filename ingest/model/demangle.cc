#include "ingest/model/demangle.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace cinderscope {

namespace {

constexpr std::size_t kMaxSymbol = 2048;
// References to earlier parts of a symbol: two of them can double it.
constexpr int kMaxReferences = 30;

bool is_short(std::string_view symbol) {
  if (symbol.size() > kMaxSymbol) return false;
  int references = 0;
  for (std::size_t i = 0; i + 1 < symbol.size(); ++i) {
    const char next = symbol[i + 1];
    const bool numbered = (next >= '0' && next <= '9') || (next >= 'A' && next <= 'Z');
    if ((symbol[i] == 'S' || symbol[i] == 'T') && (next == '_' || numbered)) ++references;
  }
  return references <= kMaxReferences;
}

bool is_hex(std::string_view text) {
  return text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// Takes " [clone .part.0]" off the end.
void drop_clones(std::string& name) {
  const std::size_t clone = name.find(" [clone ");
  if (clone != std::string::npos) name.resize(clone);
}

// Takes the parameters off: the last group of brackets, where nothing but qualifiers follows it.
void drop_parameters(std::string& name) {
  std::size_t end = name.size();
  for (const std::string_view qualifier : {" &&", " &", " volatile", " const"}) {
    if (std::string_view(name).substr(0, end).ends_with(qualifier)) end -= qualifier.size();
  }
  if (end == 0 || name[end - 1] != ')') return;
  int depth = 0;
  for (std::size_t i = end; i-- > 0;) {
    if (name[i] == ')') ++depth;
    if (name[i] == '(' && --depth == 0) {
      // "operator()" and "(anonymous namespace)" are part of the name.
      const bool is_operator = std::string_view(name).substr(0, i).ends_with("operator");
      if (i > 0 && !is_operator && name[i - 1] != ':' && name[i - 1] != ' ') name.resize(i);
      return;
    }
  }
}

// Functions made from templates come with their return type.
void drop_return_type(std::string& name) {
  int depth = 0;
  for (std::size_t i = name.size(); i-- > 0;) {
    const char c = name[i];
    if (c == '>' || c == ')' || c == ']') {
      const bool arrow = c == '>' && i > 0 && (name[i - 1] == '-' || name[i - 1] == '=');
      if (!arrow) ++depth;
    }
    if (c == '<' || c == '(' || c == '[') --depth;
    if (depth < 0) return;  // "operator<": leave it as it is
    if (c != ' ' || depth != 0) continue;
    const std::string_view before = std::string_view(name).substr(0, i);
    // "operator new", "guard variable for x", "virtual thunk to x" are no types.
    for (const std::string_view part : {"operator", "for", "to", "non-virtual", "virtual"}) {
      if (before.ends_with(part)) return;
    }
    name.erase(0, i + 1);
    return;
  }
}

void drop_rust_hash(std::string& name) {
  constexpr std::size_t kHash = 19;  // "::h" and 16 digits
  if (name.size() <= kHash) return;
  const std::string_view end = std::string_view(name).substr(name.size() - kHash);
  if (end.starts_with("::h") && is_hex(end.substr(3))) name.resize(name.size() - kHash);
}

}  // namespace

std::optional<std::string> demangled_in_full(std::string_view symbol) {
  if (!looks_mangled(symbol)) return std::nullopt;
  if (symbol[1] == '_') symbol.remove_prefix(1);
  if (!is_short(symbol) || symbol.find('\0') != std::string_view::npos) return std::nullopt;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> readable(
      abi::__cxa_demangle(std::string(symbol).c_str(), nullptr, nullptr, &status), &std::free);
  if (status != 0 || readable == nullptr) return std::nullopt;
  return std::string(readable.get());
}

std::optional<std::string> demangled(std::string_view symbol) {
  std::optional<std::string> whole_name = demangled_in_full(symbol);
  if (!whole_name) return std::nullopt;
  std::string& name = *whole_name;
  drop_clones(name);
  const std::size_t whole = name.size();
  drop_parameters(name);
  if (name.size() != whole) drop_return_type(name);
  drop_rust_hash(name);
  if (name.empty()) return std::nullopt;
  return whole_name;
}

}  // namespace cinderscope
