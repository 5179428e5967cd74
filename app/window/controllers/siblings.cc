#include "app/window/controllers/siblings.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <future>

#include "app/commands/arguments.h"
#include "app/window/app_context.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/tabs.h"
#include "app/window/tab.h"
#include "app/window/window.h"
#include "ingest/base/parallel.h"
#include "ingest/format/capabilities.h"
#include "render/views/chrome/notice.h"

namespace cinderscope {

void SiblingsController::poll() {
  for (const auto& tab : app_.tabs().all) poll(*tab);
}

void SiblingsController::poll(Tab& tab) {
  const Session& session = *tab.session;
  if (is_lane(tab)) return;
  if (!tab.looked_beside && session.phase() == SessionPhase::ready) {
    tab.looked_beside = true;
    if (session.source()->siblings() == nullptr) return;
    tab.looks_beside = in_background([source = session.shared_source()] {
      const std::size_t count = source->siblings()->thread_count();
      Window::wake();
      return count;
    });
  }
  const bool is_there =
      tab.looks_beside.valid() &&
      tab.looks_beside.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  if (!is_there) return;
  const std::size_t count = tab.looks_beside.get();
  if (count > 1) tab.offered_threads = count;
  app_.draw_again();
}

Status SiblingsController::answer(bool open_all) {
  Tab& tab = *app_.tabs().shown();
  if (tab.offered_threads == 0) {
    return refused("This trace is not one thread of a recording in several files.");
  }
  tab.offered_threads = 0;
  const TraceSource* source = tab.session->source();
  if (open_all && source != nullptr && source->siblings() != nullptr) {
    app_.controllers().tabs->open(source->siblings()->recording_path());
  }
  return ok();
}

std::string SiblingsController::offer_text(const Tab& tab) {
  if (tab.offered_threads == 0) return {};
  return fmt::format("This is one thread of a trace: its folder has {}.", tab.offered_threads);
}

Rect SiblingsController::draw_offer(const Tab& tab, const Rect& area, Actions& actions) {
  if (tab.offered_threads == 0) return area;
  const float height = std::round(app_.theme().px(kNoticePx));
  const std::string text = offer_text(tab);
  draw_notice({.theme = app_.theme(),
               .area = {area.x, area.y, area.width, height},
               .text = text,
               .answers = {{"Open all threads", {"all-threads", ""}},
                           {"Only this one", {"all-threads", "keep"}}}},
              actions);
  return {area.x, area.y + height, area.width, std::max(0.0F, area.height - height)};
}

namespace {

Status all_threads(AppContext& app, const CommandArguments& arguments) {
  return app.controllers().siblings->answer(!arguments.is("keep"));
}

constexpr Command kSiblingsCommands[] = {
    {"all-threads", "[keep]", "", "Open all threads of the folder of this one", CommandGroup::file,
     CommandNeeds::trace, all_threads},
};

}  // namespace

std::span<const Command> sibling_commands() {
  return kSiblingsCommands;
}

}  // namespace cinderscope
