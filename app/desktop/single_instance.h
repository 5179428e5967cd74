// Hands files to a window that is open already, through a socket in the user's own folder.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace cinderscope {

// $XDG_RUNTIME_DIR/cinderscope, else a private folder in /tmp. Empty if there is none that belongs
// to this user alone.
std::string hand_over_folder();

// `screen` tells displays apart: files go to a window on the same one only.
std::string this_screen();

// Offers `paths`, absolute ones, to the newest window; false if none took them. Waits for two
// seconds at most. Sockets that nobody listens on any more are removed.
bool hand_over(const std::string& folder, const std::string& screen,
               const std::vector<std::string>& paths);

// Listens for files as long as it lives, on a thread of its own. Peers may be hostile: only this
// user's are heard, and of what they say only absolute paths of bounded number and length.
class SingleInstanceListener {
 public:
  // `wake` is called on the listening thread when there is something to take(). Where nothing can
  // be listened on, it takes nothing.
  SingleInstanceListener(const std::string& folder, const std::string& screen,
                         std::function<void()> wake);
  ~SingleInstanceListener();
  SingleInstanceListener(const SingleInstanceListener&) = delete;
  SingleInstanceListener& operator=(const SingleInstanceListener&) = delete;

  bool listening() const;
  // One list for each start that handed files over.
  std::vector<std::vector<std::string>> take();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cinderscope
