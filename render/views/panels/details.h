// The Details panel: facts, arguments and parents of the selected slice or instant.
#pragma once

#include <cstdint>
#include <memory>

#include "ingest/format/trace_source.h"
#include "ingest/totals/duration_histogram.h"
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

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The facts as text for the clipboard, one a line.
std::string details_text(const Timeline& timeline, const TimelineState& state,
                         const TraceSource* source);

}  // namespace cinderscope
