// Many traces at once, in a folder or dropped: asks which of them are to be opened, and how.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/commands/commands.h"
#include "ingest/base/result.h"
#include "render/base/actions.h"
#include "render/base/rect.h"
#include "render/text/palette_row.h"

namespace cinderscope {

class AppContext;

// From this many on it is asked.
inline constexpr std::size_t kManyTraces = 6;

// UI thread only.
class FoundTracesController {
 public:
  explicit FoundTracesController(AppContext& app) : app_(app) {}

  // Asks once all that was found before is answered. `place` is the folder they were found in;
  // empty: they were dropped.
  void ask(std::string place, std::vector<std::string> paths);
  bool waiting() const { return !found_.empty(); }
  // As the command "found-traces" has them.
  Status answer(std::string_view word, std::string_view text);

  // Above everything until it is answered; what is left of the area below it.
  Rect draw_question(const Rect& area, Actions& actions);

 private:
  struct Found {
    std::string place;
    std::vector<std::string> paths;
    std::vector<bool> ticked;
  };
  std::string name_of(const Found& found, std::size_t path) const;
  std::vector<PaletteRow> rows(std::string_view typed) const;
  void choose();
  Status tick(std::string_view number);
  void tick_all(std::string_view typed);
  Status open(bool only_ticked, bool on_one_timeline);

  AppContext& app_;
  std::vector<Found> found_;  // the first is asked about
};

std::span<const Command> found_trace_commands();

}  // namespace cinderscope
