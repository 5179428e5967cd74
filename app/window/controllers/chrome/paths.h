// Paths as arguments of commands: what the palette lists for one that is being typed, and the
// desktop's own file dialog.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/commands/commands.h"
#include "app/desktop/open_dialog.h"
#include "app/questions/folder_list.h"
#include "app/questions/latest.h"
#include "app/store/file_check.h"
#include "ingest/base/result.h"
#include "render/text/palette_row.h"

namespace cinderscope {

class AppContext;

// UI thread only; nothing of it waits for a disk.
class PathsController {
 public:
  explicit PathsController(AppContext& app);

  // What may be meant by the path `typed` of a command; `before` stands before it in the field.
  // What is not known of its folder yet is read in the background, and the palette lists again.
  std::vector<PaletteRow> rows(const Command& command, std::string_view typed,
                               std::string_view before = {});
  std::string folder_above(std::string_view typed) const;
  // The path that a command offers to write to; empty for all others.
  std::string offered(const Command& command) const;
  void forget();  // folders may have changed when a path is asked for next
  bool listing() const { return list_.busy(); }

  // Asks for the command's path in the desktop's dialog; in the palette where there is none.
  Status browse(const Command& command);
  bool has_dialog() const { return dialog_.there(); }
  bool dialog_open() const { return dialog_.open(); }
  void poll();

 private:
  std::vector<std::string> likely_folders() const;
  const FileFacts* facts_of(const std::string& path);
  void take_chosen_files();

  AppContext& app_;
  Latest<std::string, FolderList> list_;
  FileCheck file_check_;
  std::map<std::string, FileFacts> facts_;
  std::vector<std::string> unknown_;  // paths that were listed without facts
  OpenDialog dialog_;
  const Command* dialog_command_ = nullptr;  // whose path it asks for
};

std::span<const Command> path_commands();

}  // namespace cinderscope
