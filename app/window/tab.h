// One open trace in the window: its session and all that shows it.
#pragma once

#include <cstdint>
#include <memory>

#include "app/session.h"
#include "app/window/flame_graph_panel.h"
#include "app/window/search_panel.h"
#include "app/window/statistics_panel.h"
#include "render/details_view.h"
#include "render/timeline_view.h"

namespace cinderscope {

struct Tab {
  std::unique_ptr<Session> session;
  TimelineView timeline_view;
  DetailsView details_view;
  SearchPanel search;
  StatisticsPanel statistics;
  FlameGraphPanel flame_graph;
  bool told_error = false;
  std::uint64_t noted_facts = 0;                 // whose characters the fonts have
  // Of the timeline that was summed up last.
  std::uint64_t generation = 0, kept_bytes = 0, thread_count = 0;
};

}  // namespace cinderscope
