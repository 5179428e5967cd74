#include "render/text/label.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "ingest/base/ascii.h"

namespace cinderscope {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

struct Decoded {
  std::uint32_t code = 0;
  std::size_t bytes = 0;  // 0: not UTF-8
};

// Table 3-7 of the Unicode standard: shortest forms only, no surrogates, up to U+10FFFF.
Decoded decode(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  const std::uint32_t first = byte(at);
  if (first < 0x80) return {first, 1};
  const std::size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4) return {};
  std::uint32_t code = first & (0x7Fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    const std::uint32_t next = byte(at + i);
    if ((next & 0xC0u) != 0x80) return {};
    code = code << 6 | (next & 0x3Fu);
  }
  const bool overlong = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
  if (overlong || (code >= 0xD800 && code < 0xE000) || code > 0x10FFFF) return {};
  return {code, bytes};
}

// Characters that would break the line or turn the direction of the text behind them.
bool is_control(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x061C ||
         (code >= 0x200B && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2060 && code <= 0x206F) || code == 0xFEFF;
}

bool is_word(char c) {
  return is_letter_or_digit(c) || c == '_' || c == '$' || static_cast<unsigned char>(c) >= 0x80;
}

bool opens(char c) {
  return c == '(' || c == '<' || c == '[' || c == '{';
}
bool closes(char c) {
  return c == ')' || c == '>' || c == ']' || c == '}';
}

// Calls `visit(i)` for every byte outside of brackets. "operator<" and "->" open nothing.
template <class Visit>
void for_each_outside_brackets(std::string_view name, Visit visit) {
  constexpr std::string_view kOperator = "operator";
  std::size_t depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool arrow = c == '>' && i > 0 && (name[i - 1] == '-' || name[i - 1] == '=');
    if (closes(c) && !arrow && depth > 0) {
      --depth;
    } else if (opens(c)) {
      const bool of_operator =
          c == '<' && i >= kOperator.size() && name.substr(0, i).ends_with(kOperator);
      if (of_operator) {
        while (i + 1 < name.size() &&
               (name[i + 1] == '<' || name[i + 1] == '=' || name[i + 1] == '>'))
          ++i;
      } else {
        ++depth;
      }
    } else if (depth == 0) {
      visit(i);
    }
  }
}

// Endings of source and program files; the last word of a package is seldom one of them.
bool is_file_ending(std::string_view word) {
  constexpr std::array<std::string_view, 30> kEndings = {
      "c",  "cc", "cpp",  "cxx", "h",  "hh",  "hpp", "hxx",  "inl",  "m",
      "mm", "cu", "py",   "js",  "ts", "jsx", "tsx", "mjs",  "rs",   "go",
      "cs", "kt", "java", "o",   "so", "dll", "exe", "json", "html", "css"};
  return std::ranges::find(kEndings, word) != kEndings.end();
}

}  // namespace

bool is_drawable(std::string_view text) {
  if (text.size() > kMaxLabelBytes) return false;
  for (std::size_t at = 0; at < text.size();) {
    const Decoded next = decode(text, at);
    if (next.bytes == 0 || is_control(next.code)) return false;
    at += next.bytes;
  }
  return true;
}

std::string drawable(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const Decoded next = decode(text, at);
    const std::size_t bytes = std::max<std::size_t>(next.bytes, 1);
    const std::string_view piece = next.bytes == 0         ? kReplacement
                                   : is_control(next.code) ? std::string_view(" ")
                                                           : text.substr(at, bytes);
    if (result.size() + piece.size() > kMaxLabelBytes) break;
    result += piece;
    at += bytes;
  }
  return result;
}

std::string drawable_name(std::string_view name) {
  constexpr std::size_t kLookedAtBytes = 64 << 10;
  if (name.size() <= kMaxLabelBytes) return drawable(name);
  const std::size_t telling = telling_begin(name.substr(0, kLookedAtBytes));
  return (telling > 0 ? "…" : "") + drawable(name.substr(telling));
}

std::string fact_title(std::string_view key) {
  if (key == "id2") return "Id";  // of Google JSON: an id that one process gave
  if (key == "sf") return "Stack frame";
  std::string title(key);
  if (!title.empty() && title[0] >= 'a' && title[0] <= 'z') {
    title[0] = static_cast<char>(title[0] - 'a' + 'A');
  }
  return title;
}

std::size_t character_bytes(std::string_view text, std::size_t at) {
  return std::max<std::size_t>(decode(text, at).bytes, 1);
}

std::size_t telling_begin(std::string_view name) {
  std::size_t scope = 0, path = 0, package = 0, before = 0;
  bool sentence = false;
  for_each_outside_brackets(name, [&](std::size_t i) {
    const bool last = i + 1 >= name.size();
    const char c = name[i];
    if (c == ' ') sentence = true;
    if (last || i == 0) return;
    if (c == ':' && name[i - 1] == ':') scope = i + 1;
    if (c == '/' || c == '\\') path = i + 1;
    if (c == '.' && is_word(name[i - 1]) && is_word(name[i + 1])) {
      before = package;
      package = i + 1;
    }
  });
  // The ending of a file's name tells least.
  if (package > 0 && is_file_ending(name.substr(package))) package = before;
  // A path's last component may hold dots and colons; words between blanks are no package.
  if (path > 0 && scope == 0) return path;
  if (scope > 0) return scope;
  return sentence ? 0 : package;
}

ShortLabel shortened(std::string_view name, std::size_t telling, std::string_view ellipsis,
                     double ellipsis_px, double width_px, const FitBytes& fit) {
  constexpr std::size_t kMinLetters = 3;
  if (fit(name, width_px) >= name.size()) return {{}, name, {}};
  const double room_px = width_px - ellipsis_px;
  if (room_px <= 0) return {};
  const std::string_view ending = name.substr(std::min(telling, name.size()));
  const std::size_t bytes = fit(ending, room_px);
  if (telling > 0 && bytes >= ending.size()) return {ellipsis, ending, {}};
  std::size_t letters = 0;
  for (std::size_t at = 0; at < bytes; at += character_bytes(ending, at)) ++letters;
  if (letters < kMinLetters) return {};
  return {{}, ending.substr(0, bytes), ellipsis};
}

}  // namespace cinderscope
