// What stands above, between and over the lanes of a comparison.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/window/app_context.h"
#include "app/window/comparison/compare_controller.h"
#include "app/window/comparison/compare_page.h"
#include "app/window/controllers/chrome/keys.h"
#include "app/window/controllers/controllers.h"
#include "app/window/tab.h"
#include "render/tables/change_text.h"
#include "render/text/file_name.h"
#include "render/text/time_text.h"
#include "render/views/chrome/notice.h"
#include "render/views/compare/compare_head.h"
#include "render/views/compare/link_strip.h"
#include "render/views/widgets/widgets.h"

namespace cinderscope {

std::string words_of(const ComparedPart& part) {
  std::string text;
  if (part.from || part.to) {
    text = fmt::format("{} .. {}", part.from ? part.from->text : "start",
                       part.to ? part.to->text : "end");
  }
  for (const TypedThread& thread : part.threads) text += (text.empty() ? "" : ", ") + thread.text;
  return text;
}

namespace {

std::string runs_text(std::size_t runs) {
  return runs < 2 ? std::string() : fmt::format("{} runs", count_text(runs));
}

std::string part_text(const ComparePage& page) {
  std::string text;
  for (const Side side : {side_a, side_b}) {
    const CompareSource& source = page.answers.sources()[side];
    std::string part = source.part_text.empty() ? words_of(source.part) : source.part_text;
    if (part.empty()) part = "all";
    if (side == side_a) text = part;
    if (side == side_b && part != text) text += " ↔ " + part;
  }
  return text;
}

std::string scale_text(const ComparisonOptions& options) {
  switch (options.scale) {
    case Scale::per:
      return "per call of " + options.per;
    case Scale::share:
      return "share";
    case Scale::recorded:
      break;
  }
  return "as recorded";
}

std::string rules_text(const NameRules& rules, std::size_t ignored) {
  std::string text = name_rules_text(rules);
  if (text == "usual") text = "usual rules";
  if (!rules.renames.empty()) {
    text += fmt::format(", {} renamed", count_text(rules.renames.size()));
  }
  if (ignored > 0) text += fmt::format(", {} ignored", count_text(ignored));
  return text;
}

}  // namespace

void CompareController::draw_head(ComparePage& page, const Rect& area, Actions& actions) {
  CompareHeadFrame frame{.theme = app_.theme(), .area = area};
  const CompareAnswers& answers = page.answers;
  for (const Side side : {side_a, side_b}) {
    const Session& session = page.session(side);
    const std::size_t runs = answers.sides() != nullptr ? answers.sides()->run_count(side)
                                                        : answers.sources()[side].runs.size();
    frame.sides[side] = {session.title(), session.path(), runs_text(runs)};
  }
  frame.menus = {
      {"Part", part_text(page), "compare-part", "What of each run counts"},
      {"Scale", scale_text(answers.options()), "compare-scale",
       "As recorded, for each call of a name, or as a share of the run"},
      {"Names", rules_text(answers.rules(), answers.ignored().size()), "compare-names",
       "Which names are the same"},
      {"Line up", page.line_up_text(), "compare-line-up", "What stands below each other"}};
  frame.keys_of = [this](std::string_view name) {
    return app_.controllers().keys->map().all(name);
  };
  if (const Comparison* comparison = answers.comparison()) {
    const ValueUnit unit = value_unit(*comparison, answers.sides()->axis());
    frame.difference = difference_text(comparison->difference.value, unit);
    if (comparison->change) frame.change = change_text(*comparison->change);
    const double difference = comparison->difference.value;
    frame.direction = difference > 0 ? 1 : difference < 0 ? -1 : 0;
  } else {
    frame.note = answers.problem().empty() ? "comparing…" : answers.problem();
  }
  draw_compare_head(frame, actions);
}

Rect CompareController::draw_question(const Rect& area, Actions& actions) {
  const TabList& tabs = app_.tabs();
  if (too_large_) {
    const float height = std::min(std::round(app_.theme().px(kNoticePx)), area.height);
    draw_notice({.theme = app_.theme(),
                 .area = {area.x, area.y, area.width, height},
                 .text = too_large_->text,
                 .answers = {{"Compare without timelines", {"answer-compare", "numbers"}},
                             {"Load both anyway", {"answer-compare", "anyway"}},
                             {"Cancel", {"answer-compare", "cancel"}}}},
                actions);
    return {area.x, area.y + height, area.width, area.height - height};
  }
  if (measuring() && measured_.runs > 0) {
    const float height = std::min(std::round(app_.theme().px(kNoticePx)), area.height);
    draw_notice(
        {.theme = app_.theme(),
         .area = {area.x, area.y, area.width, height},
         .text = fmt::format("To compare without timelines {} is read, {} of {} traces.",
                             shown_file_name(measured_.path), measured_.run, measured_.runs),
         .answers = {{"Cancel", {"cancel", ""}}}},
        actions);
    return {area.x, area.y + height, area.width, area.height - height};
  }
  const bool can_compare = kept_range_ && tabs.page() != nullptr && !is_lane(*tabs.page()) &&
                           tabs.page()->session->state().range &&
                           tabs.page()->session->state().range != kept_range_->range_here;
  if (!asked_to_close_ && can_compare) {
    const float height = std::min(std::round(app_.theme().px(kNoticePx)), area.height);
    draw_notice({.theme = app_.theme(),
                 .area = {area.x, area.y, area.width, height},
                 .text = "A range waits to be compared with this one.",
                 .answers = {{"Compare as B", {"compare-range", "as-b"}},
                             {"Forget it", {"compare-range", "none"}}}},
                actions);
    return {area.x, area.y + height, area.width, area.height - height};
  }
  if (!asked_to_close_) return area;
  if (*asked_to_close_ >= tabs.all.size() || *asked_to_close_ != tabs.shown_index) {
    asked_to_close_.reset();
    return area;
  }
  const std::size_t users = users_of(*tabs.page()->session);
  const std::string text =
      users == 1 ? std::string("A comparison uses this trace. Close both?")
                 : fmt::format("{} comparisons use this trace. Close all?", count_text(users));
  const float height = std::min(std::round(app_.theme().px(kNoticePx)), area.height);
  draw_notice({.theme = app_.theme(),
               .area = {area.x, area.y, area.width, height},
               .text = text,
               .answers = {{"Close all", {"close", ""}}, {"Keep", {"clear", ""}}}},
              actions);
  return {area.x, area.y + height, area.width, area.height - height};
}

void CompareController::draw_strip(ComparePage& page, const Rect& area) {
  const TimelineState &a = page.session(side_a).state(), &b = page.session(side_b).state();
  const PairedCalls* calls = page.banded_calls();
  LinkStripFrame frame{.theme = app_.theme(),
                       .area = area,
                       .gutter_px = timeline_parts(a, app_.theme(), area).gutter.width,
                       .view_a = a.view,
                       .view_b = b.view,
                       .axis = page.axis(),
                       .label = "same call in both"};
  if (calls == nullptr) frame.label = "select a name to see its pairs";
  if (page.answers.numbers_only(side_a) || page.answers.numbers_only(side_b)) frame.label = "";
  const double thinnest_ns = std::min(a.view.ns_per_px, b.view.ns_per_px) * 2;
  if (calls != nullptr) {
    frame.bands = [&, outermost =
                          page.only_outermost()](const std::function<void(const LinkBand&)>& draw) {
      const std::int64_t a_end_ns = a.view.end_ns(), b_end_ns = b.view.end_ns();
      for (std::size_t s = 0; s < calls->spans.size(); ++s) {
        const PairSpan& span = calls->spans[s];
        const bool in_a = span.a_begin_ns < a_end_ns && span.a_end_ns > a.view.begin_ns;
        const bool in_b = span.b_begin_ns < b_end_ns && span.b_end_ns > b.view.begin_ns;
        if ((!in_a && !in_b) || static_cast<double>(span.longest_ns) < thinnest_ns) continue;
        const std::size_t end = std::min((s + 1) * PairedCalls::kSpanPairs, calls->pairs.size());
        for (std::size_t i = s * PairedCalls::kSpanPairs; i < end; ++i) {
          const CallPair& pair = calls->pairs[i];
          if (outermost && (!pair.a.outermost || !pair.b.outermost)) continue;
          draw({pair.a.begin_ns, pair.a.end_ns, pair.b.begin_ns, pair.b.end_ns});
        }
      }
    };
  }
  draw_link_strip(frame);
}

// A hairline through both lanes where they line up, with a triangle on the ruler.
void CompareController::draw_zero(ComparePage& page, const Rect& a, const Rect& b) {
  const TimelineState& state = page.session(side_a).state();
  const TimelineParts parts = timeline_parts(state, app_.theme(), a);
  const double x_px = state.view.px_from_ns(page.line_up().a_ns);
  if (x_px < 0 || x_px >= static_cast<double>(parts.tracks.width)) return;
  const Pen pen = pen_of(app_.theme());
  const float x = std::floor(parts.tracks.x + static_cast<float>(x_px));
  const float side = pen.px(5), top = parts.ruler.y + pen.px(6);
  vertical_line(pen.list, x, top, b.y + b.height, with_alpha(pen.colours.text, 190));
  pen.list.AddTriangleFilled({x - side, top}, {x + side + 1, top}, {x + 0.5F, top + pen.px(7)},
                             pen.colours.text);
}

void CompareController::fill(StatusFrame& status, const ComparePage& page) const {
  const CompareAnswers& answers = page.answers;
  status.facts.push_back(page.line_up().how == LineUpHow::hand
                             ? std::string("lined up by hand")
                             : "lined up on " + page.line_up_text());
  const OfSides<ShownRun>& runs = answers.shown_runs();
  if (runs[side_a].measured != nullptr && runs[side_b].measured != nullptr) {
    status.facts.push_back(fmt::format("A {} calls   B {} calls",
                                       count_text(runs[side_a].measured->calls),
                                       count_text(runs[side_b].measured->calls)));
  }
  if (const Comparison* comparison = answers.comparison()) {
    const std::string counts = counts_sentence(*comparison);
    status.facts.push_back(counts.substr(0, counts.find(';')));
  }
  if (answers.more_runs_to_come()) {
    status.right = "reading further runs";
  } else if (answers.busy()) {
    status.right = "comparing";
  } else if (answers.ready_ms() > 0) {
    status.right = "compared in " + duration_text(answers.ready_ms() * 1e6);
  }
}

}  // namespace cinderscope
