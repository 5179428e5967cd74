// The Details panel: facts, arguments, flows, children and callers of the selected slice or
// instant, or what the selected range or the whole trace has in it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "ingest/format/trace_source.h"
#include "ingest/totals/aggregated_call_tree.h"
#include "ingest/totals/child_totals.h"
#include "ingest/totals/durations/duration_histogram.h"
#include "ingest/totals/slice_statistics.h"
#include "render/base/actions.h"
#include "render/base/rect.h"
#include "render/base/theme.h"
#include "render/text/selection_facts.h"

namespace cinderscope {

struct DetailsFrame {
  const Timeline& timeline;
  const TimelineState& state;
  const TraceSource* source = nullptr;  // null while loading: no arguments
  const Theme& theme;
  Rect area;
  std::uint64_t generation = 0;  // grows when the timeline is replaced
  // Durations of all calls of the selected name; null while they are counted. Not shown without
  // counts_calls.
  bool counts_calls = false;
  const DurationHistogram* all_of_name = nullptr;
  // The children of the selected slice; null while they are counted. As above.
  const ChildTotals* children = nullptr;
  // What the selected range has in it is shown instead of the selection, or nothing else is
  // selected; without a range that of the whole trace.
  bool shows_totals = false;
  std::string totals_note;  // a sentence: what is not measured; empty: nothing
  const SliceStatistics* range_statistics = nullptr;  // null while they are added up
  const AggregatedCallTree* range_tree = nullptr;
  std::uint64_t range_version = 0;  // grows when these change
  bool range_counting = false;      // newer ones are being added up
};

// Keeps the facts of the selection, its self time and which arguments are unfolded.
class DetailsView {
 public:
  DetailsView();
  ~DetailsView();
  void draw(const DetailsFrame& frame, Actions& actions);
  // The facts drawn last, and a number that grows whenever they change.
  const SelectionFacts& facts() const;
  std::uint64_t facts_version() const;
  // The flow whose row is under the pointer.
  std::optional<std::uint32_t> lit_flow() const;
  // Whether the user asked for the range (true) or the selection, where there are both; once each.
  std::optional<bool> take_choice();
  // Escape: takes back a step into the flame graph of the range. False if there was none.
  bool step_back();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cinderscope
