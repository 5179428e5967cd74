#include "render/views/panels/slices_choice.h"

#include <array>

#include "render/text/time_text.h"
#include "render/views/widgets/choice.h"

namespace cinderscope {

float draw_slices_choice(const Pen& pen, const SlicesChoice& choice, float x, float y, float end_x,
                         Actions& actions) {
  if (!choice.shown) return x;
  using Choices = std::array<Choice, 3>;
  const Choices choices =
      choice.searches
          ? Choices{Choice{"Calls", "Search what was recorded: calls, events, instants"},
                    Choice{"Samples",
                           "Search calls that were sampled, which have their own tracks"},
                    Choice{"Both", "Search what was recorded and what was sampled"}}
          : Choices{Choice{"Calls", "Measure recorded calls"},
                    Choice{"Samples",
                           "Measure calls that were sampled, which have tracks of their own"},
                    Choice{"Both", "Measure recorded and sampled calls together"}};
  const float width = choices_width(pen, choices);
  if (x + width > end_x) return x;
  const auto asked =
      draw_choices(pen, "slices", x, y, choices, static_cast<std::size_t>(choice.slices));
  if (asked) {
    actions.push_back(RunCommand{choice.searches ? "search-slices" : "slices",
                                 std::string(word_of(static_cast<SlicesOf>(*asked)))});
  }
  return x + width + pen.px(12);
}

std::string counted_text(std::uint64_t count, SlicesOf slices, bool of_runs) {
  const char* word = of_runs || slices == SlicesOf::samples ? "run" : "call";
  return count_text(count) + " " + word + (count == 1 ? "" : "s");
}

}  // namespace cinderscope
