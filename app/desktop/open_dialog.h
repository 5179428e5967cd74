// Asks for files by the desktop's own dialog, in a process of its own so that the window goes on.
#pragma once

#include <string>
#include <vector>

namespace cinderscope {

class OpenDialog {
 public:
  OpenDialog() = default;
  ~OpenDialog();
  OpenDialog(const OpenDialog&) = delete;
  OpenDialog& operator=(const OpenDialog&) = delete;

  // Starts zenity, kdialog or qarma, whichever is there; false if none is. Does nothing while one
  // is open.
  bool ask();
  // The same for a file to write; `name` is what is offered.
  bool ask_save(const std::string& title, const std::string& name);
  bool open() const { return child_ > 0; }
  // The chosen paths once the dialog was closed; empty until then and if it was cancelled.
  std::vector<std::string> take();

 private:
  bool start(const std::vector<std::string>& command);

  int child_ = -1;  // process id
  int output_ = -1;
  std::string text_;
};

}  // namespace cinderscope
