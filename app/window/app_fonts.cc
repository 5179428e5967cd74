// The look of the window: its scale, its style, and the letters that its fonts need.
#include <algorithm>
#include <utility>

#include "app/window/app.h"
#include "app/window/imgui_style.h"

namespace cinderscope {

namespace {

constexpr std::uint32_t kNamesPerFrame = 50'000;  // looked at for missing glyphs, some ms

}  // namespace

void App::update_theme() {
  const float scale = window_.scale() * user_scale_;
  if (const Tab* tab = active(); tab != nullptr && tab->session->has_trace()) {
    note_characters(tab->session->timeline());
  }
  const bool scaled = scale != theme_.scale || theme_.words == nullptr;
  if (std::exchange(style_stale_, false) || scaled) {
    theme_.scale = scale;
    theme_.colours = theme_colours(theme_.kind);
    apply_style(theme_);
  }
  if (fonts_.update(theme_)) {
    shown_digest_.reset();
    draw_again();
  }
}

void App::note_characters(const Timeline& timeline) {
  if (noted_pool_ != timeline.strings.get()) {
    noted_pool_ = timeline.strings.get();
    noted_names_ = 0;
  }
  const std::uint32_t end = std::min(timeline.strings->size(), noted_names_ + kNamesPerFrame);
  for (; noted_names_ < end; ++noted_names_) {
    const std::string_view text = timeline.text(StringId{noted_names_});
    fonts_.note(text.substr(0, 512));
  }
  if (noted_names_ < timeline.strings->size()) draw_again(1);
}

// Names are noted as they come in; arguments and stacks only once they are shown.
void App::note_characters(Tab& tab, const SelectionFacts& facts) {
  if (tab.noted_facts == tab.details_view.facts_version()) return;
  tab.noted_facts = tab.details_view.facts_version();
  const auto note = [&](std::string_view text) { fonts_.note(text.substr(0, 4096)); };
  for (const ArgsNode& node : facts.record.args.nodes) {
    note(node.key);
    note(node.value);
  }
  for (const Fact& fact : facts.facts) note(fact.value);
  for (const std::string& call : facts.record.stack) note(call);
  if (fonts_.building()) draw_again();  // a frame has them begun
}

}  // namespace cinderscope
