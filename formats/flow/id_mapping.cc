#include "formats/flow/id_mapping.h"

#include <fmt/format.h>

#include <optional>
#include <unordered_set>

#include "ingest/base/ascii.h"
#include "ingest/base/number_text.h"

namespace cinderscope::flow {
namespace {

constexpr std::string_view kUnnamed = "method #";

struct Line {
  std::string_view key;
  std::optional<std::uint64_t> id;
};

// A negative id in a mapping made by hand is written as its unsigned pattern (section 1).
std::optional<std::uint64_t> id_from(std::string_view text) {
  if (const auto id = parse_number<std::uint64_t>(text)) return id;
  const auto negative = parse_number<std::int64_t>(text);
  if (!negative) return std::nullopt;
  return static_cast<std::uint64_t>(*negative);
}

Line parse_line(std::string_view line) {
  const std::size_t equals = line.rfind('=');
  if (equals == std::string_view::npos) return {line, std::nullopt};
  return {line.substr(0, equals), id_from(line.substr(equals + 1))};
}

std::string_view without_return(std::string_view line) {
  return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
}

}  // namespace

std::string unnamed_method(std::uint64_t id) {
  return fmt::format("{}{}", kUnnamed, id);
}

IdMapping parse_mapping(std::string_view text) {
  IdMapping out;
  std::unordered_set<std::string_view> keys;
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  std::size_t at = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = without_return(text.substr(at, end - at));
    const auto offset = static_cast<std::int64_t>(at);
    at = end + 1;
    if (is_blank(line)) continue;
    const Line parsed = parse_line(line);
    if (!parsed.id) {
      if (line.starts_with('#')) continue;
      out.diagnostics.count(diagnostic::kBadMapping, offset);
      continue;
    }
    const auto number = static_cast<std::uint32_t>(out.methods.size());
    if (!out.by_id.try_emplace(*parsed.id, number).second) {
      out.diagnostics.count(diagnostic::kDuplicateId, offset);
      continue;
    }
    std::string_view key = parsed.key;
    const bool is_new = keys.insert(key).second;
    // Nor may a key be taken for the stand-in of another id.
    if (!is_new || key.starts_with(kUnnamed)) {
      if (!is_new) {
        out.diagnostics.count(diagnostic::kDuplicateName, offset);
      }
      key = out.distinguished[*parsed.id] = fmt::format("{} (id {})", key, *parsed.id);
    }
    out.methods.push_back({*parsed.id, key});
  }
  return out;
}

bool looks_like_mapping(std::string_view head) {
  while (!head.empty()) {
    const std::size_t end = head.find('\n');
    const std::string_view line = without_return(head.substr(0, end));
    const bool comment = line.starts_with('#') && !parse_line(line).id;
    if (!is_blank(line) && !comment) {
      // A very long first line may go on behind the head.
      return line.find('#') != std::string_view::npos &&
             (end == std::string_view::npos || parse_line(line).id.has_value());
    }
    if (end == std::string_view::npos) return false;
    head.remove_prefix(end + 1);
  }
  return false;
}

}  // namespace cinderscope::flow
