#include "formats/flow/flow_files.h"

#include <algorithm>
#include <array>

#include "formats/flow/event_reader.h"
#include "formats/flow/flow_wire.h"
#include "ingest/base/ascii.h"
#include "ingest/base/number_text.h"
#include "ingest/base/utf8.h"

namespace cinderscope::flow {
namespace {

// Files are opened to look at their first bytes: of many in a foreign folder only some.
constexpr std::size_t kMostLooks = 64;

std::string_view without_packing(std::string_view name) {
  for (const std::string_view ending : {".gz", ".zst", ".lz4"}) {
    if (name.ends_with(ending)) return name.substr(0, name.size() - ending.size());
  }
  return name;
}

bool is_single_file(const Input& folder, const std::string& name) {
  const Result<Input> file = folder.companion(name);
  if (!file || file->is_folder()) return false;
  return looks_old(file->head()) || looks_json(file->head());
}

}  // namespace

std::string_view tid_of_name(std::string_view name) {
  constexpr std::string_view kPrefix = "thread-";
  name = without_packing(name);
  if (!name.starts_with(kPrefix)) return {};
  const std::size_t point = name.find('.');
  if (point == std::string_view::npos) return {};
  const std::string_view ending = name.substr(point);
  if (ending != ".flow" && ending != ".jsonl") return {};
  const std::string_view number = name.substr(kPrefix.size(), point - kPrefix.size());
  return is_number(number) ? number : std::string_view();
}

bool is_flow_name(std::string_view name) {
  return !tid_of_name(name).empty() || without_packing(name).ends_with(".flow");
}

std::vector<ThreadFile> thread_files(const Input& folder) {
  std::vector<ThreadFile> found;
  const std::vector<std::string> names = folder.files();
  for (const std::string& name : names) {
    const std::string_view tid = tid_of_name(name);
    if (tid.empty()) continue;
    found.push_back({name, std::string(tid), parse_number<double>(tid).value_or(0)});
  }
  std::ranges::stable_sort(found, {}, &ThreadFile::order);
  if (!found.empty()) return found;
  std::size_t looks = 0;
  for (const std::string& name : names) {
    const bool may_be = is_flow_name(name) || name.find('.') == std::string::npos;
    if (!may_be || ++looks > kMostLooks || !is_single_file(folder, name)) continue;
    found.push_back({name, "-", 0});
  }
  return found;
}

bool looks_binary(std::span<const std::byte> head) {
  if (layout_of_head(head) != Layout::binary) return false;
  const std::byte* at = head.data();
  const std::byte* const end = at + head.size();
  std::uint64_t depth = 0;
  bool after_exit = true;
  while (at != end) {
    const auto first = static_cast<std::uint8_t>(*at++);
    std::uint64_t value = first & kLowBits;
    if ((first & kMoreBit) != 0) {
      const ReadState state = read_leb(at, end, 6, value);
      if (state == ReadState::bad) return false;
      if (state == ReadState::cut) return true;
    }
    const bool enter = (first & kEnterBit) != 0;
    if (!enter && (after_exit || value >= depth)) return false;
    depth = enter ? depth + 1 : depth - value - 1;
    after_exit = !enter;
  }
  return true;
}

bool looks_old(std::span<const std::byte> head) {
  if (layout_of_head(head) != Layout::name_ids) return false;
  const std::byte* at = head.data() + 2;
  const std::byte* const end = head.data() + head.size();
  std::uint64_t size = 0;
  if (read_leb(at, end, 0, size) != ReadState::whole) return false;
  const auto there = std::min<std::uint64_t>(size, static_cast<std::uint64_t>(end - at));
  const std::string_view name(reinterpret_cast<const char*>(at), there);
  return there < size || name.find('#') != std::string_view::npos;
}

bool looks_json(std::span<const std::byte> head) {
  const std::string_view text = text_of_bytes(head);
  constexpr std::array<std::string_view, 2> kBegins = {R"({"e":"enter",)", R"({"e":"exit")"};
  return std::ranges::any_of(kBegins,
                             [text](std::string_view begin) { return text.starts_with(begin); });
}

}  // namespace cinderscope::flow
