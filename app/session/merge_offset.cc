#include "app/session/merge_offset.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

namespace cinderscope {
namespace {

struct Unit {
  std::string_view name;
  std::int64_t ns;
};
constexpr std::array kUnits = {Unit{"", 1},
                               Unit{"ns", 1},
                               Unit{"us", 1'000},
                               Unit{"µs", 1'000},
                               Unit{"ms", 1'000'000},
                               Unit{"s", 1'000'000'000},
                               Unit{"min", 60'000'000'000},
                               Unit{"h", 3'600'000'000'000}};

}  // namespace

std::string shown_file_name(const std::string& path) {
  std::filesystem::path name = std::filesystem::path(path).filename();
  if (name.empty()) name = std::filesystem::path(path).parent_path().filename();
  return name.empty() ? path : name.string();
}

std::optional<MergeOffset> merge_offset_from(std::string_view text) {
  if (text == "start") return MergeOffset{Alignment::starts, 0};
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const auto number = text.substr(0, text.find_first_not_of("0123456789."));
  const auto unit = std::ranges::find(kUnits, text.substr(number.size()), &Unit::name);
  const auto point = std::min(number.find('.'), number.size());
  if (unit == kUnits.end() || number.size() - (point < number.size() ? 1 : 0) == 0) {
    return std::nullopt;
  }
  // Digit by digit, so that none is lost: each digit counts its power of ten times the unit.
  std::int64_t ns = 0;
  for (const char c : number.substr(0, point)) {
    std::int64_t worth = 0;
    if (__builtin_mul_overflow(ns, 10, &ns) || __builtin_mul_overflow(c - '0', unit->ns, &worth) ||
        __builtin_add_overflow(ns, worth, &ns)) {
      return std::nullopt;
    }
  }
  constexpr std::int64_t kMostNs = std::int64_t{1} << 62;
  if (ns > kMostNs) return std::nullopt;
  std::int64_t place_ns = unit->ns;
  for (const char c : number.substr(std::min(point + 1, number.size()))) {
    if (c == '.') return std::nullopt;
    place_ns /= 10;
    ns += (c - '0') * place_ns;
  }
  if (ns > kMostNs) return std::nullopt;
  return MergeOffset{Alignment::by_offset, negative ? -ns : ns};
}

MergeFile merge_file_from(std::string_view text, char separator) {
  std::error_code ignored;
  const auto at = text.rfind(separator);
  if (at == std::string_view::npos || at == 0 || std::filesystem::exists(text, ignored)) {
    return {std::string(text), {}};
  }
  const auto offset = merge_offset_from(text.substr(at + 1));
  if (!offset) return {std::string(text), {}};
  text = text.substr(0, at);
  while (separator == ' ' && text.ends_with(' ')) text.remove_suffix(1);
  return {std::string(text), *offset};
}

std::string merged_title(const std::vector<MergeFile>& files) {
  constexpr std::size_t kMostNames = 3;
  if (files.size() > kMostNames) {
    return fmt::format("{} + {} more", shown_file_name(files.front().path), files.size() - 1);
  }
  std::string title;
  for (const MergeFile& file : files) {
    title += (title.empty() ? "" : " + ") + shown_file_name(file.path);
  }
  return title;
}

}  // namespace cinderscope
