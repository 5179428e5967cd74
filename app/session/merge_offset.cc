#include "app/session/merge_offset.h"

#include <fmt/format.h>

#include <filesystem>

#include "ingest/base/path_text.h"
#include "ingest/model/typed_time.h"
#include "render/text/file_name.h"

namespace cinderscope {
namespace {

constexpr std::int64_t kMostNs = std::int64_t{1} << 62;

}  // namespace

std::string shown_file_name(const std::string& path) {
  std::string name = path == "-" ? "standard input" : telling_name(path);
  return name.empty() ? path : name;
}

std::optional<MergeOffset> merge_offset_from(std::string_view text) {
  if (text == "start") return MergeOffset{Alignment::starts, 0};
  if (text == "same") return MergeOffset{};
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const Result<std::int64_t> length_ns = typed_duration(text);
  if (!length_ns || *length_ns > kMostNs) return std::nullopt;
  return MergeOffset{Alignment::by_offset, negative ? -*length_ns : *length_ns};
}

MergeFile merge_file_from(std::string_view text) {
  std::error_code ignored;
  const auto at = text.rfind('@');
  if (at == std::string_view::npos || at == 0 || std::filesystem::exists(path_of(text), ignored)) {
    return {std::string(text), {}};
  }
  const auto offset = merge_offset_from(text.substr(at + 1));
  if (!offset) return {std::string(text), {}};
  return {std::string(text.substr(0, at)), *offset};
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
