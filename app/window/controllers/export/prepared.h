// Prepared copies of the open traces: offered after a load that took long, and written.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "app/commands/commands.h"
#include "app/questions/background_task.h"

namespace cinderscope {

class AppContext;
struct CopyProgress;
class Session;
struct Tab;

// UI thread only; one copy at a time is written, on a thread of its own.
class PreparedController {
 public:
  explicit PreparedController(AppContext& app);
  ~PreparedController();

  // A load that took less is soon done again.
  void offer_above(double load_seconds) { least_seconds_ = load_seconds; }

  // What stands above the timeline of the tab, to be answered; empty: nothing is offered.
  std::string offer_text(const Tab& tab) const;
  // Writes a copy of the shown trace.
  Status keep();
  void poll();
  bool busy() const { return writing_.busy(); }
  // "writing a prepared copy (40 %)", of the tab whose copy it is; else empty.
  std::string progress_text(const Tab& tab) const;

 private:
  bool is_worth_it(const Tab& tab) const;
  Status start(Tab& tab);
  int percent_now() const;  // -1: nothing is written

  AppContext& app_;
  double least_seconds_ = 3;
  std::shared_ptr<CopyProgress> progress_;  // of what is being written
  int shown_percent_ = -1;
  const Session* of_ = nullptr;  // whose copy that is; it may be closed by now
  struct Written {
    Status status = ok();
  };
  BackgroundTask<Written> writing_;
};

std::span<const Command> prepared_commands();

}  // namespace cinderscope
