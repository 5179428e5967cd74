// The desktop's own file dialog. The window goes on drawing meanwhile.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cinderscope {

struct FileQuestion {
  std::string title;
  std::string path;    // what is offered for a file to write; empty where files are to be opened
  std::string window;  // that it is asked for, as window_for_dialogs() names it; may be empty
};

struct FileAnswer {
  std::vector<std::string> paths;  // none if the user chose none
  bool asked = true;               // false: there was nobody to ask the user after all
};

class OpenDialog {
 public:
  OpenDialog();
  ~OpenDialog();  // ends a dialog that is open
  OpenDialog(const OpenDialog&) = delete;
  OpenDialog& operator=(const OpenDialog&) = delete;

  // The desktop has one; it may take a while to find out.
  bool there() const;
  // Asks for files to open or for one to write, and then whether to replace it; false if there is
  // no dialog. Does nothing while one is open.
  bool ask(const FileQuestion& question);
  bool open() const;
  // Once, after the dialog was closed.
  std::optional<FileAnswer> take();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cinderscope
