// Shows in a trace what was asked for before it was open: options of the command line, places.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/commands/commands.h"
#include "app/places/show_options.h"
#include "app/questions/latest.h"

namespace cinderscope {

class AppContext;
struct Tab;

// UI thread only.
class ShowsController {
 public:
  explicit ShowsController(AppContext& app);

  // Of the trace that is opened next.
  void expect(ShowOptions options) { expected_ = std::move(options); }
  bool expects() const { return expected_.has_value(); }
  void note_added(Tab& tab);
  // Once the trace is read and shown. What cannot be is said, and on standard error.
  static void show(Tab& tab, ShowOptions options);
  // Selects a call of the shown trace and brings it into sight.
  Status select(const TypedSlice& slice);

  bool busy() const;  // something of the shown tab is still to come: scripts wait for it
  void poll();

 private:
  // A call that is looked for, in that version of a trace.
  struct Wanted {
    std::uint64_t serial = 0, version = 0;
    bool operator==(const Wanted&) const = default;
  };
  struct Target {
    WantedSlice wanted;
    std::optional<NamedSlice> named;
    bool keeps_view = false, keeps_place = false;
    bool connects_scope = false, connects_search = false;
    std::string if_missing;
    std::string title;  // of the tab it belongs to, which may be closed meanwhile
    const Tab* tab = nullptr;
    std::uint64_t generation = 0;
  };
  void show_now(Tab& tab, ShowOptions options);
  void show_query(Tab& tab, const ShowOptions& options);
  void look_for(Tab& tab, Target target);
  void take_found();
  void problem(Tab& tab, const std::string& text);

  AppContext& app_;
  std::optional<ShowOptions> expected_;
  std::uint64_t looks_ = 0;
  std::optional<Target> target_;
  Latest<Wanted, Result<SliceRef>> found_;
};

std::span<const Command> show_commands();

}  // namespace cinderscope
