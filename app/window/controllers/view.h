// What part of the trace is seen and what is selected in it: moves of the view, of the selection.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/commands/commands.h"
#include "app/session/view_history.h"
#include "ingest/model/timeline.h"
#include "ingest/model/typed_time.h"
#include "render/base/viewport.h"

namespace cinderscope {

class AppContext;
class Session;

enum class SelectionStep : std::uint8_t { parent, child, previous, next };

// Of the shown tab, which has a trace whenever these are called but for stop(), step() and moves().
// UI thread only.
class ViewController {
 public:
  explicit ViewController(AppContext& app) : app_(app) {}

  // `jump`: to another place, which `back` returns from; else it goes on with the last move.
  void show(const Viewport& view, bool animate, bool jump);
  void zoom_to(std::int64_t begin_ns, std::int64_t end_ns);
  void zoom_to_call(std::int64_t begin_ns, std::int64_t end_ns);  // leaves a margin
  void visit(const VisitedView& target);                          // of the history
  // What a time in a command can refer to. A view reaches beyond the trace, and so may its ends:
  // `as_view`.
  TimeContext times(bool as_view) const;
  // Keeps the scale.
  void go_to_time(std::int64_t time_ns);
  // A time as typed beside the ruler, as a command takes it: what has no sign counts as the ruler.
  std::string as_on_ruler(std::string_view typed) const;
  // Where the view is, or where it is on its way to.
  Viewport target() const;

  void select(const SliceRef& slice, bool reveal);
  // Among callers, callees and neighbours; the view where nothing is selected.
  void move_selection(SelectionStep step);
  // Zooms to the first slice of that name and selects it; false if there is none.
  bool find(std::string_view name);
  // Scrolls to a thread: "track N" of the model, an id or a name.
  Status go_to_thread(std::string_view thread);

  // Before a frame, `seconds` after the last one; `held` are the motions of keys that are down.
  void step(double seconds, std::span<const HeldMotion> held);
  // After the timeline was drawn: rows that were asked for have places only now.
  void scroll_to_thread();
  bool moves() const { return flight_.has_value(); }
  void stop() { flight_.reset(); }

 private:
  struct Flight {  // an animated change of the view
    Viewport from, to;
    double passed_s = 0;
    bool rested = true;  // no frame of it was drawn: the time since the last one is not its own
  };
  void fly(const Viewport& target);
  Session& session() const;

  AppContext& app_;
  std::optional<Flight> flight_;
  std::optional<TrackId> thread_to_show_;
};

std::span<const Command> view_commands();

}  // namespace cinderscope
