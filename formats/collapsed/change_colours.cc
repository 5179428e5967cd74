#include "formats/collapsed/change_colours.h"

#include <algorithm>

#include "ingest/base/saturating.h"
#include "ingest/model/hue.h"

namespace cinderscope::collapsed {
namespace {

// The palette for the colour-blind shows these apart as well.
constexpr std::uint32_t kMoreHue = 19, kLessHue = 11;

std::uint64_t amount(std::int64_t change) {
  return static_cast<std::uint64_t>(change < 0 ? saturating_difference(0, change) : change);
}

}  // namespace

std::vector<std::uint32_t> colours_of_changes(std::span<const std::int64_t> changes) {
  std::uint64_t most = 0;
  for (const std::int64_t change : changes) most = std::max(most, amount(change));
  std::vector<std::uint32_t> colours;
  colours.reserve(changes.size());
  for (const std::int64_t change : changes) {
    if (change == 0) {
      colours.push_back(kMutedColour);
      continue;
    }
    const std::uint64_t step = std::min<std::uint64_t>(
        amount(change) / std::max<std::uint64_t>(most / kLightnessSteps, 1), kLightnessSteps - 1);
    colours.push_back((change > 0 ? kMoreHue : kLessHue) +
                      kHueCount * static_cast<std::uint32_t>(step));
  }
  return colours;
}

std::vector<LegendEntry> legend_of_changes() {
  constexpr std::uint32_t kMiddle = kHueCount;  // of the three steps of lightness
  return {{"more", kMoreHue + kMiddle, {}},
          {"less", kLessHue + kMiddle, {}},
          {"as before", kMutedColour, {}}};
}

}  // namespace cinderscope::collapsed
