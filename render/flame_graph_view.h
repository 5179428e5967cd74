// The flame graph: calls added up by their callers as boxes, zoomed by clicks.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/query/call_totals.h"
#include "render/actions.h"
#include "render/theme.h"
#include "render/timeline_view.h"

namespace cinderscope {

enum class FlameGraphPart : std::uint8_t { trace, range, thread };

struct FlameGraphFrame {
  const Timeline& timeline;
  const Theme& theme;
  Rect area;
  const CallTotals* totals = nullptr;  // null while they are added up for the first time
  std::uint64_t version = 0;           // grows with other totals
  bool counting = false;               // newer ones are on their way
  // What is measured; a range or a thread can be chosen where there is one.
  FlameGraphPart part = FlameGraphPart::trace;
  bool has_range = false, has_thread = false;
  std::string_view measured;  // of which thread or how long a range
  std::string_view note;      // what is not counted; may be empty
};

// Keeps what is zoomed to, by names, so that it stays when totals are added up anew.
class FlameGraphView {
 public:
  FlameGraphView();
  ~FlameGraphView();

  void draw(const FlameGraphFrame& frame, Actions& actions);
  // Wants what reversed() makes: names outermost, their callers below.
  bool by_callers() const;
  void set_by_callers(bool by_callers);
  // Escape: closes the menu, else shows all again. False if there was neither.
  bool step_back();
  bool zoomed() const;
  std::uint32_t zoomed_total() const;  // of the totals that were drawn last

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cinderscope
