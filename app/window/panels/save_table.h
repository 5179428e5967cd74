// Where a panel's table is saved to: a path that is given, what a dialog says, or beside the trace.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/commands/arguments.h"
#include "app/desktop/open_dialog.h"
#include "ingest/base/result.h"

namespace cinderscope {

class SaveTable {
 public:
  struct Offer {
    std::string title;      // of the dialog
    std::string file_name;  // offered in it
    std::string trace;      // path of the trace
    std::string_view what;  // ".statistics", behind the trace's name where no dialog is installed
  };
  // For "[PATH [force]]": the path to write to now; empty while a dialog asks for it, whose answer
  // take() has later. An Error where a file is there already.
  Result<std::string> path_for(const CommandArguments& arguments, const Offer& offer);
  bool asks() const { return dialog_.open(); }
  std::vector<std::string> take() { return dialog_.take(); }

 private:
  OpenDialog dialog_;
};

}  // namespace cinderscope
