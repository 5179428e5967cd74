// The desktop's own file dialog: the portal's, else a program's that is run for it. The window goes
// on drawing meanwhile.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/desktop/file_portal.h"

namespace cinderscope {

class OpenDialog {
 public:
  OpenDialog();
  ~OpenDialog();
  OpenDialog(const OpenDialog&) = delete;
  OpenDialog& operator=(const OpenDialog&) = delete;

  // There is a portal, zenity, qarma or kdialog.
  bool there() const { return has_program_ || portal_.found(); }
  // Asks for files to open or for one to write, and then whether to replace it; false if there is
  // no dialog. Does nothing while one is open.
  bool ask(const FileQuestion& question);
  bool open() const { return portal_.open() || child_ > 0; }
  // Once, after the dialog was closed.
  std::optional<FileAnswer> take();

 private:
  bool start(const std::vector<std::string>& command);
  std::optional<FileAnswer> take_from_program();

  FilePortal portal_;
  bool has_program_;
  FileQuestion question_;
  int child_ = -1;  // process id
  int output_ = -1;
  std::string text_;
};

}  // namespace cinderscope
