#include "render/base/change_colours.h"

#include <gtest/gtest.h>

#include "tests/support/seen_colours.h"

namespace cinderscope {
namespace {

constexpr ThemeKind kKinds[] = {ThemeKind::dark, ThemeKind::light};

TEST(ChangeColours, TextCanBeReadOnAnyFill) {
  for (const ThemeKind kind : kKinds) {
    const ChangeColours& colours = change_colours(kind);
    for (int step = -3; step <= 3; ++step) {
      EXPECT_GE(contrast(linear_of(colours.on_fill), linear_of(colours.fill(step))), 4.5) << step;
    }
    for (const bool is_more : {false, true}) {
      const Linear panel = linear_of(theme_colours(kind).panel);
      EXPECT_GE(contrast(linear_of(colours.text(is_more)), panel), 4.5);
    }
  }
}

TEST(ChangeColours, MoreAndLessStayApartForTheColourBlind) {
  for (const ThemeKind kind : kKinds) {
    const ChangeColours& colours = change_colours(kind);
    for (const auto seen : {seen_by_protanope, seen_by_deuteranope, seen_by_tritanope}) {
      for (int step = 1; step <= 3; ++step) {
        const Linear more = seen(linear_of(colours.fill(step)));
        const Linear less = seen(linear_of(colours.fill(-step)));
        EXPECT_GT(distance(more, less), 0.0585) << step;  // 6 hundredths, rounded
      }
    }
  }
}

TEST(ChangeColours, EachStepIsFurtherFromNoChange) {
  for (const ThemeKind kind : kKinds) {
    const ChangeColours& colours = change_colours(kind);
    const auto apart = [&](int step) {
      return distance(linear_of(colours.fill(step)), linear_of(colours.same));
    };
    for (const int side : {-1, 1}) {
      EXPECT_GT(apart(2 * side), apart(side));
      EXPECT_GT(apart(3 * side), apart(2 * side));
    }
  }
}

}  // namespace
}  // namespace cinderscope
