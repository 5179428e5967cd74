#include "render/views/panels/args_tree.h"

#include <algorithm>
#include <optional>
#include <string>

#include "render/text/label.h"

namespace cinderscope {
namespace {

constexpr float kRowPx = 19;
constexpr float kIndentPx = 15;
constexpr float kArrowPx = 15;
constexpr float kCopyPx = 20;

// True if the node is to be folded or unfolded.
bool draw_node(const Pen& pen, const ArgsTree& tree, const ArgsFolds& folds, std::size_t node_index,
               const Rect& row, Actions& actions) {
  const ArgsNode& node = tree.nodes[node_index];
  const bool folds_here = node.child_count > 0;
  const Rect copy{right_of(row) - pen.px(kCopyPx), row.y, pen.px(kCopyPx), row.height};
  ImGui::PushID(static_cast<int>(node_index));
  const Press press = press_area("node", {row.x, row.y, row.width - copy.width, row.height});
  const Press copy_press = press_area("copy", copy);
  ImGui::PopID();
  if (press.hovered || copy_press.hovered) {
    pen.list.AddRectFilled({row.x - pen.px(4), row.y}, {right_of(row), bottom_of(row)},
                           with_alpha(pen.colours.dim, 40), pen.px(3));
    draw_text(pen.list, pen.icons, copy.x + pen.px(3), middle_y(copy),
              copy_press.hovered ? pen.colours.text : pen.colours.dim, icon::kCopy);
  }
  if (copy_press.hovered) hint(pen, "Copy (right click)");

  // Deep nodes would leave the column; from some depth on they stay where they are.
  const float steps = static_cast<float>(std::min<std::uint32_t>(folds.indent(node), 24));
  float x = row.x + steps * pen.px(kIndentPx);
  const float y = middle_y(row);
  if (folds_here) {
    draw_text(pen.list, pen.icons, x, y, pen.colours.dim,
              folds.unfolded(node_index) ? icon::kUnfolded : icon::kFolded);
  }
  x += pen.px(kArrowPx);
  const float end_x = copy.x - pen.px(4);
  const std::string key = drawable(node.key);
  if (!key.empty() && end_x > x) {
    draw_cut_text(pen.list, pen.numbers, x, y, end_x - x, pen.colours.text, key);
    x += text_width(pen.numbers, key) + pen.px(8);
  }
  const std::string value = args_value_text(node);
  if (end_x > x) {
    draw_cut_text(pen.list, pen.numbers, x, y, end_x - x, pen.colours.dim, value);
  }
  if (press.hovered && !folds_here && x + text_width(pen.numbers, value) > end_x) {
    hint(pen, args_hint_text(node));
  }
  if (press.right_clicked || copy_press.clicked || (press.clicked && !folds_here)) {
    actions.push_back(CopyText{args_copy_text(tree, node_index)});
  }
  return press.clicked && folds_here;
}

}  // namespace

void draw_args(Column& column, const ArgsTree& tree, ArgsFolds& folds, Actions& actions) {
  const Pen& pen = column.pen();
  std::optional<std::size_t> toggled;
  const std::vector<std::uint32_t>& visible = folds.visible();
  column.rows(visible.size(), pen.px(kRowPx), [&](std::size_t i, const Rect& row) {
    if (draw_node(pen, tree, folds, visible[i], row, actions)) toggled = visible[i];
  });
  if (tree.cut) {
    const Rect row = column.row(pen.px(kRowPx));
    draw_cut_text(pen.list, pen.words, row.x, middle_y(row), row.width, pen.colours.dim,
                  "There is more than is shown; it was left out.");
  }
  if (toggled) folds.toggle(tree, *toggled);
}

}  // namespace cinderscope
