#include "render/views/widgets/label_cache.h"

#include "render/text/label.h"
#include "render/text/visual_text.h"
#include "render/views/widgets/draw.h"

namespace cinderscope {

const LabelCache::Label& LabelCache::of(const Timeline& timeline, StringId name,
                                        const ImFont& font) {
  // A trace may have millions of names; only those of some screens are kept.
  constexpr std::size_t kMaxLabels = 100'000;
  if (const auto found = labels_.find(name); found != labels_.end()) return found->second;
  if (labels_.size() >= kMaxLabels) labels_.clear();
  Label& label = labels_[name];
  label.text = display_label(timeline, name);
  if (!is_drawable(label.text)) {
    label.made_safe = drawable(label.text);
    label.text = label.made_safe;
  }
  if (needs_visual(label.text)) label.visual = visual(label.text);
  label.width_px = text_width(font, label.text);
  label.telling = telling_begin(label.text);
  return label;
}

}  // namespace cinderscope
