// Takes the tables of panels away: to the clipboard, or to a file.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <future>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/commands/arguments.h"
#include "app/commands/commands.h"
#include "app/window/status_message.h"
#include "ingest/base/result.h"
#include "render/tables/taken_table.h"

namespace cinderscope {

class AppContext;
class Panel;
struct Tab;

// The path that is offered: beside the trace, "trace.json.statistics.csv".
std::string table_path_beside(const Tab& tab, std::string_view what,
                              std::string_view ending = ".csv");

// UI thread only. Each file is looked up and written on a thread of its own. The end of the program
// waits for short ones, long ones are left unwritten.
class TableSaver {
 public:
  explicit TableSaver(AppContext& app) : app_(app) {}
  ~TableSaver() { ends_ = true; }
  TableSaver(const TableSaver&) = delete;
  TableSaver& operator=(const TableSaver&) = delete;

  // Asks for a table in the form that is wanted.
  using Taken = std::function<Result<TakenTable>(TableText form)>;
  // Of "[tsv|markdown]".
  Status copy(const Taken& taken, const CommandArguments& arguments);
  // Of "PATH [force]": its ending says the form.
  Status save(const Taken& taken, const CommandArguments& arguments);
  // The table that a panel shows.
  Status copy(Panel& panel, const CommandArguments& arguments);
  Status save(Panel& panel, const CommandArguments& arguments);

  // On another thread; an Error says why nothing is there. What takes long looks at `ends`.
  using Write = std::function<Status(const std::string& path, const std::atomic<bool>& ends)>;
  // Of "PATH [force]": has that file written, and says `saved` once it is there. A file that is
  // there and was not to be replaced stays, as do those that the window's traces are read from
  // (product-export.md, "For all of them"); that is said then.
  void write(const CommandArguments& arguments, Write work, std::string saved);

  bool busy() const { return !writing_.empty(); }
  // Why a file was not written, once: for scripts, which saw it begin.
  std::string take_failed() { return std::exchange(failed_, {}); }
  void poll();

 private:
  struct Written {
    Status done;
    std::string saved;
    MessageOwner owner;
  };

  AppContext& app_;
  std::string failed_;
  std::atomic<bool> ends_{false};
  std::vector<std::future<Written>> writing_;  // destroying them waits for their ends
};

std::span<const Command> table_commands();

}  // namespace cinderscope
