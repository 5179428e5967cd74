// All that is known of the selected slice or instant: facts, arguments, parents.
#pragma once

#include <cstdint>
#include <memory>

#include "ingest/format/format.h"
#include "ingest/totals/duration_histogram.h"
#include "render/base/actions.h"
#include "render/base/theme.h"
#include "render/text/selection_facts.h"
#include "render/views/timeline/timeline.h"

namespace cinderscope {

struct DetailsFrame {
  const Timeline& timeline;
  const TimelineState& state;
  const TraceSource* source = nullptr;  // null while loading: columns only
  const Theme& theme;
  Rect area;
  std::uint64_t generation = 0;  // grows when the timeline is replaced
  // All calls of the selected one's name; null while they are counted. Left out without
  // counts_calls.
  bool counts_calls = false;
  const DurationHistogram* all_of_name = nullptr;
};

// Keeps what was parsed of the selection, its self time and which arguments are unfolded.
class DetailsView {
 public:
  DetailsView();
  ~DetailsView();
  void draw(const DetailsFrame& frame, Actions& actions);
  // What was drawn last, and a number that grows whenever it is another.
  const SelectionFacts& facts() const;
  std::uint64_t facts_version() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The same as text, one fact a line, for the clipboard.
std::string details_text(const Timeline& timeline, const TimelineState& state,
                         const TraceSource* source);

}  // namespace cinderscope
