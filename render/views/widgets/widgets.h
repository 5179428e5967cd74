// Widgets of the views around the timeline: pens, press areas, buttons, columns.
#pragma once

#include <imgui.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "render/base/actions.h"
#include "render/views/widgets/draw.h"

namespace cinderscope {

// Draw list, fonts and colours of the current ImGui window. Valid until the window ends.
struct Pen {
  const Theme& theme;
  const ThemeColours& colours;
  ImDrawList& list;
  const ImFont &words, &heads, &title, &numbers, &icons, &code, &code_bold;

  float px(float at_scale_1) const { return theme.px(at_scale_1); }
};
Pen pen_of(const Theme& theme);

// Icons of Fork Awesome.
namespace icon {
inline constexpr std::string_view kOpen = "\uf07c", kBack = "\uf060", kForward = "\uf061",
                                  kFit = "\uf065", kClock = "\uf017", kTheme = "\uf042",
                                  kHelp = "\uf128", kClose = "\uf00d", kCopy = "\uf0c5",
                                  kSave = "\uf0c7", kWarning = "\uf071", kFolded = "\uf0da",
                                  kUnfolded = "\uf0d7", kLeft = "\uf104", kRight = "\uf105",
                                  kTicked = "\uf046", kUnticked = "\uf096";
}  // namespace icon

inline Rect inset(const Rect& rect, float dx, float dy) {
  return {rect.x + dx, rect.y + dy, rect.width - 2 * dx, rect.height - 2 * dy};
}

// The pointer on an area of the current window. Clicks count when the button is released over the
// area that it was pressed on.
struct Press {
  bool hovered = false, clicked = false, right_clicked = false, middle_clicked = false;
};
// `id` tells areas of one window apart, as ImGui's ids do.
Press press_area(const char* id, const Rect& rect);
Press press_area(std::size_t id, const Rect& rect);

// A wrapped tooltip; takes any text of a trace.
void hint(const Pen& pen, std::string_view text);

// A tooltip with a name that is cut, because `room_px` is too little for it.
void whole_name_hint(const Pen& pen, std::string_view name, float room_px);

// A button with an icon. True when clicked. A disabled one is faint and takes no clicks; a `held`
// one stays lit.
struct IconButton {
  std::string_view icon;
  std::string_view help;  // with the key, for the tooltip
  bool enabled = true, held = false;
};
bool icon_button(const Pen& pen, const char* id, const Rect& rect, const IconButton& button);

// A framed button with words; `x` is its left edge. True when clicked.
float text_button_width(const Pen& pen, std::string_view label);
bool text_button(const Pen& pen, const char* id, float x, float y, std::string_view label);

// A field to type a filter into; the whole text once it is edited.
std::optional<std::string> filter_field(const Pen& pen, const char* id, const char* example,
                                        const Rect& rect, std::string_view text);

// A value that lights up under the pointer and is copied by a click. `shown` is cut to fit, a name
// so that its telling part stays; `copied` goes to the clipboard as it is.
void copyable(const Pen& pen, const char* id, const Rect& rect, const ImFont& font, Rgba colour,
              std::string_view shown, std::string_view copied, Actions& actions,
              bool is_name = false);

// Draws wrapped text of a trace from `y` downwards; returns its height.
float draw_wrapped(const Pen& pen, const ImFont& font, float x, float y, float width_px,
                   Rgba colour, std::string_view text);

float wrapped_height(const ImFont& font, float width_px, std::string_view text);

// A row that lights up under the pointer and can be clicked.
Press lit_row(const Pen& pen, const char* id, const Rect& row);
Press lit_row(const Pen& pen, std::size_t id, const Rect& row);

// A column of rows that scrolls if its rows need more room than it has.
class Column {
 public:
  // Sizes in window pixels; `pad_px` stays free at the left and right. If `content_px` is wider
  // than the column, it scrolls to the right as well.
  // `flags` are ImGuiWindowFlags besides the usual ones.
  Column(const Theme& theme, const char* id, const Rect& area, float pad_px, float content_px = 0,
         int flags = 0);
  ~Column();
  Column(const Column&) = delete;
  Column& operator=(const Column&) = delete;

  const Pen& pen() const { return pen_; }
  // The area of the next row, visible or not.
  Rect row(float height_px);
  void gap(float height_px) { row(height_px); }

  // Many rows of one height: calls `draw(i, rect)` for the visible ones.
  template <class Draw>
  void rows(std::size_t count, float height_px, Draw draw) {
    const Rect all = row(height_px * static_cast<float>(count));
    const auto [first, last] = visible_rows(all, count, height_px);
    for (std::size_t i = first; i < last; ++i) {
      draw(i, Rect{all.x, all.y + height_px * static_cast<float>(i), all.width, height_px});
    }
  }

 private:
  struct Span {
    std::size_t first, last;
  };
  Span visible_rows(const Rect& all, std::size_t count, float height_px) const;
  static Pen begin(const Theme& theme, const char* id, const Rect& area, int flags);

  Pen pen_;
  float x_, width_, next_y_;
};

}  // namespace cinderscope
