#include "formats/spall/cut_mark.h"

#include <cstddef>

#include "ingest/base/decimal_time.h"

namespace cinderscope::spall {
namespace {

constexpr std::string_view kMark = "{\"cut\":{\"ts\":", kDuration = ",\"dur\":";

}  // namespace

std::optional<CutFrom> cut_mark_of(std::string_view args) {
  if (!args.starts_with(kMark)) return std::nullopt;
  args.remove_prefix(kMark.size());
  const std::size_t between = args.find(kDuration);
  if (between == std::string_view::npos) return std::nullopt;
  const std::size_t end = args.find('}', between);
  if (end == std::string_view::npos) return std::nullopt;
  const std::size_t duration_at = between + kDuration.size();
  const auto begin = time_from_decimal(args.substr(0, between));
  const auto duration = time_from_decimal(args.substr(duration_at, end - duration_at));
  if (!begin || !duration) return std::nullopt;
  return CutFrom{begin->ns, duration->ns};
}

void remove_cut_mark(ArgsTree& args) {
  // The object, then the mark with its two members.
  constexpr std::size_t kMarkNodes = 3;
  if (args.nodes.size() <= kMarkNodes) {
    args = {};
    return;
  }
  args.nodes.erase(args.nodes.begin() + 1, args.nodes.begin() + 1 + kMarkNodes);
  if (args.nodes.front().child_count > 0) --args.nodes.front().child_count;
  if (args.nodes.size() == 1) args = {};
}

}  // namespace cinderscope::spall
