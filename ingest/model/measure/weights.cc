#include "ingest/model/measure/weights.h"

#include <algorithm>
#include <array>

#include "ingest/base/number_text.h"

namespace cinderscope {

std::span<const Weight> usual_weights() {
  static const std::array<Weight, 2> kUsual = {Weight{"time", "nanoseconds"},
                                               Weight{"calls", "calls"}};
  return kUsual;
}

std::optional<std::size_t> find_weight(std::span<const Weight> weights, std::string_view wanted) {
  if (wanted.empty()) return std::nullopt;
  const auto named = std::ranges::find(weights, wanted, &Weight::name);
  if (named != weights.end()) return static_cast<std::size_t>(named - weights.begin());
  const auto number = parse_number<std::size_t>(wanted);
  if (number && *number < weights.size()) return *number;
  return std::nullopt;
}

std::string weight_names(std::span<const Weight> weights) {
  std::string list;
  for (const Weight& weight : weights) list += (list.empty() ? "" : ", ") + weight.name;
  return list;
}

}  // namespace cinderscope
