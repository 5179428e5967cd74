#include "app/window/controllers/flows.h"

#include <fmt/format.h>

#include <utility>

#include "app/commands/arguments.h"
#include "app/window/app_context.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/view.h"
#include "app/window/tab.h"
#include "ingest/model/flow_links.h"
#include "render/text/time_text.h"

namespace cinderscope {

Status FlowsController::follow(int direction) {
  const Session& session = *app_.tabs().shown()->session;
  const SliceRef selected = session.state().selected;
  if (!selected) return refused("Select a call first: its flows are followed.");
  const bool elsewhere = session_ != &session || generation_ != session.generation();
  const bool led_here = !elsewhere && !steps_.empty() && steps_.back().to == selected;
  const bool undone_here = !elsewhere && undone_ && undone_->from == selected;
  if (!led_here && !undone_here) {
    steps_.clear();
    undone_.reset();
  }
  session_ = &session;
  generation_ = session.generation();
  if (led_here && steps_.back().direction == -direction) {
    // The way back is the one that led here.
    undone_ = steps_.back();
    steps_.pop_back();
    app_.controllers().view->select(undone_->from, true);
    return ok();
  }
  if (undone_here && undone_->direction == direction) {
    return take(selected, direction, undone_->taken + 1);
  }
  const FlowLinks links = flow_links(session.timeline(), selected);
  const bool ends = direction > 0 ? links.out.empty() : links.in.empty();
  if (ends && led_here && steps_.back().direction == direction) {
    const Step last = steps_.back();
    steps_.pop_back();
    return take(last.from, direction, last.taken + 1);
  }
  return take(selected, direction, 0);
}

Status FlowsController::take(const SliceRef& from, int direction, std::size_t wanted) {
  const Timeline& timeline = app_.tabs().shown()->session->timeline();
  const FlowLinks links = flow_links(timeline, from);
  const std::vector<FlowLink>& ways = direction > 0 ? links.out : links.in;
  if (ways.empty()) {
    return refused(direction > 0 ? "No flow leads on from this call."
                                 : "No flow leads to this call.");
  }
  const std::size_t taken = wanted % ways.size();
  const FlowLink& link = ways[taken];
  const SliceRef to = timeline.flows->points.slice(direction > 0 ? link.to : link.from);
  undone_.reset();
  steps_.push_back({from, to, direction, taken});
  app_.controllers().view->select(to, true);
  if (ways.size() > 1) {
    app_.say_of_shown(fmt::format("flow {} of {}", count_text(taken + 1), count_text(ways.size())));
  } else if (wanted > 0) {
    app_.say_of_shown("The flow ends here.");
  }
  return ok();
}

namespace {

template <int kDirection>
Status follow(AppContext& app, const CommandArguments& /*arguments*/) {
  return app.controllers().flows->follow(kDirection);
}

constexpr Command kFlowsCommands[] = {
    {"follow-flow", "", "E", "Follow the flow to the next call", CommandGroup::selection,
     CommandNeeds::trace, follow<1>},
    {"follow-flow-back", "", "Q", "Follow the flow back", CommandGroup::selection,
     CommandNeeds::trace, follow<-1>},
};

}  // namespace

std::span<const Command> flow_commands() {
  return kFlowsCommands;
}

}  // namespace cinderscope
