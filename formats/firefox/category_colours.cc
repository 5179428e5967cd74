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
// The ring has neither orange, which is the accent's, nor grey: these are the hues beside them.
constexpr std::array<CategoryColour, 14> kCategoryColours = {{{"transparent", 13 + kLighter},
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
                                                              {"darkgrey", 9 + kDarker},
                                                              {"grey", 9 + kMiddle},
                                                              {"gray", 9 + kMiddle}}};
constexpr std::uint32_t kOtherColour = 9 + kMiddle;

}  // namespace

std::uint32_t colour_of_category(std::string_view word) {
  const auto* known = std::ranges::find(kCategoryColours, word, &CategoryColour::word);
  return known == kCategoryColours.end() ? kOtherColour : known->colour;
}

}  // namespace cinderscope::firefox
