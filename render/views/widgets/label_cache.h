// The labels of slices as they are drawn: safe text and its width, kept from frame to frame.
#pragma once

#include <imgui.h>

#include <string>
#include <string_view>
#include <unordered_map>

#include "ingest/model/timeline.h"

namespace cinderscope {

class LabelCache {
 public:
  struct Label {
    std::string made_safe;  // empty if the name itself can be drawn
    std::string_view text;
    std::string visual;  // in the order of drawing; empty if that is the same
    float width_px = 0;
    std::size_t telling = 0;  // where the telling part begins
  };
  // Keeps views of names, which live as long as the pool; call reset() when pool, font or its size
  // changes.
  const Label& of(const Timeline& timeline, StringId name, const ImFont& font);
  void reset() { labels_.clear(); }

 private:
  std::unordered_map<StringId, Label> labels_;
};

}  // namespace cinderscope
