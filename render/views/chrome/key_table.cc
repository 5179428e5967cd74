#include "render/views/chrome/key_table.h"

#include <algorithm>

namespace cinderscope {
namespace {

constexpr float kLinePx = 22, kGapPx = 8;

}  // namespace

std::vector<KeyGroup> key_groups(const std::vector<KeyHelp>& keys) {
  std::vector<KeyGroup> groups;
  for (std::size_t i = 0; i < keys.size();) {
    std::size_t end = i + 1;
    while (end < keys.size() && keys[end].group == keys[i].group) ++end;
    groups.push_back(KeyGroup(keys).subspan(i, end - i));
    i = end;
  }
  return groups;
}

float key_group_height(const Pen& pen, KeyGroup group) {
  return pen.px(kLinePx) * static_cast<float>(group.size() + 1);
}

void draw_key_group(const Pen& pen, KeyGroup group, const Rect& area, const KeyGroupLook& look) {
  const float line = pen.px(kLinePx);
  float y = area.y + line / 2;
  // Keys that are cut cannot be pressed.
  float keys_px = look.keys_px;
  for (const KeyHelp& key : group) {
    keys_px = std::max(keys_px, text_width(pen.numbers, key.keys) + pen.px(kGapPx));
  }
  keys_px = std::min(keys_px, std::max(look.keys_px, area.width / 2));
  draw_cut_text(pen.list, pen.heads, area.x, y, area.width, look.head, group.front().group);
  for (const KeyHelp& key : group) {
    y += line;
    draw_cut_text(pen.list, pen.numbers, area.x, y, keys_px, look.keys, key.keys);
    draw_cut_text(pen.list, pen.words, area.x + keys_px, y, area.width - keys_px, look.words,
                  key.help);
  }
}

}  // namespace cinderscope
