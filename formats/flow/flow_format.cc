#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "formats/flow/flow_source.h"
#include "formats/flow/id_mapping.h"
#include "ingest/base/utf8.h"
#include "ingest/format/format.h"

namespace cinderscope {
namespace {

// Threads without a byte look like anything: of many some of the others tell.
constexpr std::size_t kMostLooks = 64;

bool looks_like_flow(std::span<const std::byte> head) {
  return flow::looks_binary(head) || flow::looks_json(head) || flow::looks_old(head);
}

Match probe_folder(const Input& folder) {
  const std::vector<flow::ThreadFile> files = flow::thread_files(folder);
  if (files.empty()) {
    return std::ranges::count(folder.files(), flow::kMappingName) != 0 ? Match::maybe : Match::no;
  }
  Match match = Match::no;
  for (std::size_t i = 0; i < std::min(files.size(), kMostLooks); ++i) {
    const Result<Input> file = folder.companion(files[i].name);
    if (!file) continue;
    if (looks_like_flow(file->head())) return Match::certain;
    if (flow::layout_of_head(file->head())) match = Match::maybe;  // empty, or damaged
  }
  return match;
}

bool is_mapping(const Input& input) {
  const std::span<const std::byte> head = input.head();
  return input.name() == flow::kMappingName && !input.path().empty() &&
         flow::looks_like_mapping(text_of_bytes(head));
}

class FlowFormat : public Format {
 public:
  std::string_view name() const override { return "flow"; }
  std::string_view description() const override { return "Flow"; }
  std::vector<std::string_view> name_endings() const override { return {".flow", ".jsonl"}; }

  bool can_load_prefix() const override { return true; }
  // The current layout has no signature: there the name must say it, too.
  Match probe(const Input& input) const override {
    if (input.is_folder()) return probe_folder(input);
    const std::span<const std::byte> head = input.head();
    const bool of_thread = !flow::tid_of_name(input.name()).empty();
    if (head.empty()) return of_thread ? Match::certain : Match::no;
    if (flow::looks_json(head) || flow::looks_old(head)) return Match::certain;
    if (is_mapping(input)) return Match::maybe;
    if (!flow::is_flow_name(input.name())) return Match::no;
    if (flow::looks_binary(head)) return Match::certain;
    const bool may_be = of_thread && flow::layout_of_head(head).has_value();
    return may_be ? Match::maybe : Match::no;  // damaged
  }

  Result<std::unique_ptr<TraceSource>> open(Input input) const override {
    if (!input.is_folder() && is_mapping(input)) {
      Result<Input> folder = Input::from_path(input.path().parent_path() / "");
      if (!folder) return folder.error();
      input = std::move(*folder);
    }
    std::vector<flow::ThreadFile> files;
    if (input.is_folder()) {
      files = flow::thread_files(input);
      if (files.empty()) {
        return Error{ErrorCode::damaged,
                     "The folder has a mapping but no thread files: nothing was called.",
                     "Expected files thread-NUMBER.flow or thread-NUMBER.jsonl."};
      }
    } else {
      if (!flow::layout_of_head(input.head())) {
        return Error{ErrorCode::damaged, "This is not a Flow trace.",
                     "Expected the first event of a thread.", 0};
      }
      const std::string_view tid = flow::tid_of_name(input.name());
      files.push_back({std::string(input.name()), tid.empty() ? "-" : std::string(tid), 0});
    }
    return std::unique_ptr<TraceSource>(
        std::make_unique<flow::FlowSource>(std::move(input), std::move(files)));
  }
};

}  // namespace

const Format& flow_format() {
  static const FlowFormat format;
  return format;
}

}  // namespace cinderscope
