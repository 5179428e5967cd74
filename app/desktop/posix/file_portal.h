// The file dialog of the desktop's portal, org.freedesktop.portal.FileChooser on the session's bus.
// Without libdbus at build time, or without a session, there is none.
#pragma once

#include <memory>
#include <optional>

#include "app/desktop/open_dialog.h"

namespace cinderscope {

// UI thread. What takes time happens on a thread of its own: a bus, a portal or its dialog may
// hang.
class FilePortal {
 public:
  FilePortal();  // begins to look for it
  ~FilePortal();
  FilePortal(const FilePortal&) = delete;
  FilePortal& operator=(const FilePortal&) = delete;

  bool found() const;
  // Only one question at a time. An open dialog ends with this object.
  void ask(FileQuestion question);
  bool open() const;
  std::optional<FileAnswer> take();  // once

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cinderscope
