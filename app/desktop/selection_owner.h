// The clipboard of X11 for what GLFW cannot put there: pictures, and texts of any length.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace cinderscope {

// Bytes as other programs ask for them.
struct ClipboardOffer {
  std::string target;  // "image/png", "UTF8_STRING"
  std::shared_ptr<const std::string> bytes;
};

// Answers other programs on a thread of its own, by a connection of its own, as the ICCCM says:
// what is long goes piece by piece (INCR). What it offers stays until another program, or GLFW,
// takes the clipboard. With its end the clipboard is handed to the desktop's manager, if there is
// one.
class SelectionOwner {
 public:
  static bool possible();  // GLFW uses X11
  // Null where it does not, or where the display cannot be reached.
  static std::unique_ptr<SelectionOwner> open();
  ~SelectionOwner();
  SelectionOwner(const SelectionOwner&) = delete;
  SelectionOwner& operator=(const SelectionOwner&) = delete;

  void offer(std::vector<ClipboardOffer> offers);  // any thread

 private:
  class Server;
  explicit SelectionOwner(std::unique_ptr<Server> server);
  std::unique_ptr<Server> server_;
};

// A text as programs ask for it.
std::vector<ClipboardOffer> text_offers(std::string text);

}  // namespace cinderscope
