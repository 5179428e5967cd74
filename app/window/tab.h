// One open trace in the window: its session and all that shows it.
#pragma once

#include <cstdint>
#include <memory>

#include "app/all_of_name.h"
#include "app/session.h"
#include "app/window/flame_graph_panel.h"
#include "app/window/measure_scope.h"
#include "app/window/search_panel.h"
#include "app/window/statistics_panel.h"
#include "app/window/window.h"
#include "render/details_view.h"
#include "render/timeline_view.h"

namespace cinderscope {

struct Tab {
  std::unique_ptr<Session> session;
  TimelineView timeline_view;
  DetailsView details_view;
  AllOfName all_of_name{[] { Window::wake(); }};  // shown in Details
  SearchPanel search;
  MeasureScope measure_scope;  // lent to the two that follow
  StatisticsPanel statistics{measure_scope};
  FlameGraphPanel flame_graph{measure_scope};
  bool told_error = false;
  std::uint64_t noted_facts = 0;                 // whose characters the fonts have
  std::uint64_t generation = 0, kept_bytes = 0;  // of the timeline that was summed up last
};

}  // namespace cinderscope
