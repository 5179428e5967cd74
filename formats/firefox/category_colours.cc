#include "formats/firefox/category_colours.h"

#include <algorithm>
#include <array>

#include "ingest/model/hue.h"

namespace cinderscope::firefox {
namespace {

// Steps of lightness.
constexpr std::uint32_t kDarker = 0, kMiddle = kHueCount, kLighter = 2 * kHueCount;

struct CategoryColour {
  std::string_view word;
  std::uint32_t colour;
};
// The ring has no orange, which is the accent's: these are the hues beside it.
constexpr std::array<CategoryColour, 14> kCategoryColours = {{{"transparent", kMutedColour},
                                                              {"purple", 14 + kMiddle},
                                                              {"green", 4 + kMiddle},
                                                              {"orange", 0 + kMiddle},
                                                              {"yellow", 1 + kLighter},
                                                              {"lightblue", 8 + kLighter},
                                                              {"blue", 11 + kMiddle},
                                                              {"brown", 0 + kDarker},
                                                              {"magenta", 16 + kMiddle},
                                                              {"red", 19 + kMiddle},
                                                              {"lightred", 19 + kLighter},
                                                              {"darkgrey", kMutedColour},
                                                              {"grey", kMutedColour},
                                                              {"gray", kMutedColour}}};

}  // namespace

std::uint32_t colour_of_category(std::string_view word) {
  const auto* known = std::ranges::find(kCategoryColours, word, &CategoryColour::word);
  return known == kCategoryColours.end() ? kMutedColour : known->colour;
}

}  // namespace cinderscope::firefox
