// Hands files over to a window that is already open, through a socket in the user's own folder.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace cinderscope {

// The folder of the sockets: $XDG_RUNTIME_DIR/cinderscope, else one in /tmp. Empty unless it
// belongs to this user alone.
std::string hand_over_folder();

// Names the display; files go only to a window on the same one.
std::string this_screen();

// Offers absolute paths, places ("cinderscope:…") and options ("--…") to the newest window, in
// this order; false if no window took them. Takes two seconds at
// most. Removes sockets of windows that have ended.
bool hand_over(const std::string& folder, const std::string& screen,
               const std::vector<std::string>& items);

// Another window, on whatever screen, has this session open. Takes two seconds at most. `own`: the
// socket of the window that asks; empty: none.
bool session_is_open(const std::string& folder, const std::string& path, const std::string& own);

// Receives files on a thread of its own. Does not trust its peers: accepts connections of this user
// only, and of a message only such items of bounded number and length.
class SingleInstanceListener {
 public:
  // `wake` is called on the listening thread when take() has something new. If no socket can be
  // made, nothing is ever received.
  SingleInstanceListener(const std::string& folder, const std::string& screen,
                         std::function<void()> wake);
  ~SingleInstanceListener();
  SingleInstanceListener(const SingleInstanceListener&) = delete;
  SingleInstanceListener& operator=(const SingleInstanceListener&) = delete;

  bool listening() const;
  const std::string& path() const;  // of its socket; empty: it does not listen
  // Others that ask are told that this session is open here; empty: none.
  void hold_session(std::string path);
  // One list for each handover.
  std::vector<std::vector<std::string>> take();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cinderscope
