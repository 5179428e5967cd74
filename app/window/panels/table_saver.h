// Takes the tables of panels away: to the clipboard, or to a file.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "app/commands/arguments.h"
#include "app/commands/commands.h"
#include "app/questions/background_task.h"
#include "ingest/base/result.h"
#include "render/tables/taken_table.h"

namespace cinderscope {

class AppContext;
class Panel;
struct Tab;

// The path that is offered: beside the trace, "trace.json.statistics.csv".
std::string table_path_beside(const Tab& tab, std::string_view what,
                              std::string_view ending = ".csv");

// Of "PATH [force]": an Error where a file is there that nobody said to replace.
Status may_write(const CommandArguments& arguments);

// UI thread only. A long table is written in the background; a newer one ends it.
class TableSaver {
 public:
  explicit TableSaver(AppContext& app);

  // Asks for a table in the form that is wanted.
  using Taken = std::function<Result<TakenTable>(TableText form)>;
  // Of "[tsv|markdown]".
  Status copy(const Taken& taken, const CommandArguments& arguments);
  // Of "PATH [force]": its ending says the form.
  Status save(const Taken& taken, const CommandArguments& arguments);
  // The table that a panel shows.
  Status copy(Panel& panel, const CommandArguments& arguments);
  Status save(Panel& panel, const CommandArguments& arguments);

  bool busy() const { return writing_.busy(); }
  void poll();

 private:
  AppContext& app_;
  BackgroundTask<std::string> writing_;  // what there is to say in the end
};

std::span<const Command> table_commands();

}  // namespace cinderscope
