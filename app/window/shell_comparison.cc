// Where things stand in the tab of a comparison.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "app/window/comparison/compare_controller.h"
#include "app/window/comparison/compare_page.h"
#include "app/window/controllers/bookmarks.h"
#include "app/window/controllers/export/packs.h"
#include "app/window/controllers/panels.h"
#include "app/window/controllers/threads.h"
#include "app/window/shell.h"
#include "app/window/tab.h"
#include "render/views/chrome/error_page.h"
#include "render/views/compare/compare_head.h"
#include "render/views/compare/link_strip.h"
#include "render/views/widgets/draw.h"

namespace cinderscope {

namespace {

constexpr float kRulerPx = 26;       // above the first lane, whose part it is
constexpr float kNoTimelinePx = 34;  // of a lane without calls: a sentence

// What a lane asks for without the user: it must not become the one that leads.
bool by_itself(const Action& action) {
  return std::holds_alternative<LoadChildrenOf>(action) || std::holds_alternative<ScrollTo>(action);
}

}  // namespace

void Shell::draw_lane(ComparePage& page, Side side, const Rect& area, bool interactive) {
  Tab& lane = page.lane(side);
  Session& session = *lane.session;
  session.set_width(std::max(1.0F, area.width - theme().px(session.state().gutter_px)));
  session.note_visible();
  session.restore_selection();
  if (page.answers.numbers_only(side)) {
    const Pen pen = pen_of(theme());
    fill(pen.list, area, pen.colours.background);
    draw_cut_text(pen.list, pen.words, area.x + pen.px(16), middle_y(area),
                  std::max(area.width - pen.px(32), 1.0F), pen.colours.dim,
                  fmt::format("{}: {}", side == side_a ? "A" : "B", session.error().text));
    horizontal_line(pen.list, area.x, right_of(area), bottom_of(area) - 1, pen.colours.line);
    return;
  }
  if (session.phase() == SessionPhase::failed) {
    draw_error({.theme = theme(), .area = area, .path = session.path(), .error = session.error()},
               actions_);
    return;
  }
  const std::size_t before = actions_.size();
  ImGui::PushID(side == side_a ? "lane a" : "lane b");
  draw_timeline(lane, area, interactive);
  ImGui::PopID();
  if (actions_.size() == before) return;
  const auto begin = actions_.begin() + static_cast<std::ptrdiff_t>(before);
  const bool pointed = interactive && contains(area, ImGui::GetIO().MousePos);
  const bool leads = pointed ? std::any_of(begin, actions_.end(),
                                           [](const Action& action) {
                                             return !std::holds_alternative<LoadChildrenOf>(action);
                                           })
                             : !std::all_of(begin, actions_.end(), by_itself);
  const Side leader = leads ? side : page.used();
  actions_.insert(begin, ActOnLane{side == side_b, leads});
  actions_.push_back(ActOnLane{leader == side_b, true});
}

void Shell::draw_comparison(Tab& tab, const Rect& whole) {
  ComparePage& page = *tab.comparison;
  const float head_px = std::round(theme().px(kCompareHeadPx));
  const Rect head{whole.x, whole.y, whole.width, std::min(head_px, whole.height)};
  Rect area{whole.x, whole.y + head.height, whole.width, whole.height - head.height};
  controllers_->compare->draw_head(page, head, actions_);
  area = controllers_->compare->draw_notes(page, area, actions_);
  PanelsController& panels = *controllers_->panels;
  PacksController& packs = *controllers_->packs;
  const float panel_px = packs.height_px(area, panels.height_px(area));
  const Rect panel{area.x, area.y + area.height - panel_px, area.width, panel_px};
  const float lanes_px = std::max(0.0F, area.height - panel_px);
  const bool no_a = page.answers.numbers_only(side_a), no_b = page.answers.numbers_only(side_b);
  const float strip_px =
      no_a || no_b ? 0.0F : std::min(std::round(theme().px(kLinkStripPx)), lanes_px);
  const float ruler_px = std::round(theme().px(kRulerPx));
  const float sentence_px = std::min(std::round(theme().px(kNoTimelinePx)), lanes_px);
  const float each_px = std::max(0.0F, std::floor((lanes_px - strip_px - ruler_px) / 2));
  const float a_px = no_a   ? sentence_px
                     : no_b ? lanes_px - sentence_px
                            : std::min(ruler_px + each_px, lanes_px);
  const Rect a{area.x, area.y, area.width, a_px};
  const Rect strip{area.x, a.y + a.height, area.width, strip_px};
  const Rect b{area.x, strip.y + strip.height, area.width,
               std::max(0.0F, area.y + lanes_px - strip.y - strip.height)};
  const bool over_border = panels.drag_border(area, panel);
  const bool interactive = timeline_has_mouse(over_border);
  page.follow();
  draw_lane(page, side_a, a, interactive);
  if (strip_px > 0) controllers_->compare->draw_strip(page, strip);
  draw_lane(page, side_b, b, interactive);
  if (strip_px > 0) controllers_->compare->draw_zero(page, a, b);
  controllers_->threads->draw_filter(tab, no_a ? b : a, actions_);
  const bool on_b = page.used() == side_b;
  controllers_->bookmarks->draw_note(page.lane(page.used()), on_b ? b : a);
  if (packs.open()) return packs.draw(panel, actions_);
  panels.draw(tab, panel, actions_);
}

}  // namespace cinderscope
