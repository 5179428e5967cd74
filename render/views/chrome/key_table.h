// The keys of all commands as columns of text, for the start page and the key help.
#pragma once

#include <span>
#include <vector>

#include "render/text/key_help.h"
#include "render/views/widgets/widgets.h"

namespace cinderscope {

// Neighbouring keys of one group, with the group's name above them.
using KeyGroup = std::span<const KeyHelp>;
std::vector<KeyGroup> key_groups(const std::vector<KeyHelp>& keys);

// Sizes in window pixels.
float key_group_height(const Pen& pen, KeyGroup group);
struct KeyGroupLook {
  float keys_px = 0;  // room for the keys, before the words
  Rgba head, keys, words;
};
void draw_key_group(const Pen& pen, KeyGroup group, const Rect& area, const KeyGroupLook& look);

}  // namespace cinderscope
