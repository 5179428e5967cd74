// One open trace in the window: its session and all that shows it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/merged_trace.h"
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
  std::vector<MergeFile> merged_files;  // all files of a merged timeline, else none
  std::uint64_t told_merge = 0;         // generation of the timeline whose alignment was told
  std::string merge_warning;            // stands above the timeline until it is answered
  std::uint64_t noted_facts = 0;        // whose characters the fonts have
  std::uint64_t generation = 0, kept_bytes = 0;  // of the timeline that was summed up last
};

}  // namespace cinderscope
