// The desktop's own file dialog, run as a process of its own so that the window goes on drawing.
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

  // Whether zenity, qarma or kdialog is there; looked for once.
  static bool installed();
  // Starts one of them to choose files; false if none is installed. Does nothing while one is open.
  bool ask(const std::string& title);
  // Asks for a file to write, and whether to replace one; `path` is what is offered.
  bool ask_save(const std::string& title, const std::string& path);
  bool open() const { return child_ > 0; }
  // The chosen paths, once, after the dialog was closed; empty before and if it was cancelled.
  std::vector<std::string> take();

 private:
  bool start(const std::vector<std::string>& command);

  int child_ = -1;  // process id
  int output_ = -1;
  std::string text_;
};

}  // namespace cinderscope
