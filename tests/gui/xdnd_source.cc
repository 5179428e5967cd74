// Drops files on a window as a file manager does: the source side of the XDND protocol, version 5.
//
//   xdnd_source WINDOW X Y FILE...     WINDOW: id of the target, decimal or 0x...; X, Y: within it
//
// Exits 0 once the target has said that it took the drop, 1 if it refuses or does not answer in 5
// s.
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <poll.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace {

constexpr long kProtocolVersion = 5;
constexpr std::chrono::seconds kPatience{5};

std::string uri_list(const std::vector<std::string>& files) {
  std::string list;
  for (const std::string& file : files) {
    list += "file://";
    for (const char c : std::filesystem::absolute(file).string()) {
      const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                         (c >= '0' && c <= '9') || c == '/' || c == '.' || c == '-' || c == '_' ||
                         c == '~';
      std::array<char, 4> escaped{};
      std::snprintf(escaped.data(), escaped.size(), "%%%02X", static_cast<unsigned char>(c));
      list += plain ? std::string(1, c) : std::string(escaped.data());
    }
    list += "\r\n";
  }
  return list;
}

class Source {
 public:
  Source(Display* display, Window target, std::string list)
      : display_(display), target_(target), list_(std::move(list)) {
    own_ = XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, 1, 1, 0, 0, 0);
    XSetSelectionOwner(display, atom("XdndSelection"), own_, CurrentTime);
  }

  bool drop(int x, int y) {
    int root_x = 0, root_y = 0;
    Window ignored = 0;
    XTranslateCoordinates(display_, target_, DefaultRootWindow(display_), x, y, &root_x, &root_y,
                          &ignored);
    send("XdndEnter", {kProtocolVersion << 24, static_cast<long>(atom("text/uri-list")), 0, 0});
    send("XdndPosition", {0, static_cast<long>(root_x) << 16 | root_y, CurrentTime,
                          static_cast<long>(atom("XdndActionCopy"))});
    const auto status = wait_for("XdndStatus");
    if (!status || (status->data.l[1] & 1) == 0) {
      std::fputs(status ? "the window refuses the drop\n" : "no XdndStatus came\n", stderr);
      return false;
    }
    send("XdndDrop", {0, CurrentTime, 0, 0});
    const auto finished = wait_for("XdndFinished");
    if (!finished) std::fputs("no XdndFinished came\n", stderr);
    return finished.has_value();
  }

 private:
  Atom atom(const char* name) { return XInternAtom(display_, name, False); }

  void send(const char* type, const std::array<long, 4>& values) {
    XEvent event{};
    event.xclient.type = ClientMessage;
    event.xclient.window = target_;
    event.xclient.message_type = atom(type);
    event.xclient.format = 32;
    event.xclient.data.l[0] = static_cast<long>(own_);
    for (std::size_t i = 0; i < values.size(); ++i) event.xclient.data.l[i + 1] = values[i];
    XSendEvent(display_, target_, False, NoEventMask, &event);
    XFlush(display_);
  }

  // Answers requests for the list of files meanwhile.
  std::optional<XClientMessageEvent> wait_for(const char* type) {
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    while (std::chrono::steady_clock::now() < deadline) {
      if (XPending(display_) == 0) {
        pollfd ready{ConnectionNumber(display_), POLLIN, 0};
        poll(&ready, 1, 100);
        continue;
      }
      XEvent event;
      XNextEvent(display_, &event);
      if (event.type == SelectionRequest) answer(event.xselectionrequest);
      if (event.type == ClientMessage && event.xclient.message_type == atom(type)) {
        return event.xclient;
      }
    }
    return std::nullopt;
  }

  void answer(const XSelectionRequestEvent& request) {
    XEvent reply{};
    reply.xselection.type = SelectionNotify;
    reply.xselection.requestor = request.requestor;
    reply.xselection.selection = request.selection;
    reply.xselection.target = request.target;
    reply.xselection.time = request.time;
    if (request.target == atom("text/uri-list")) {
      XChangeProperty(display_, request.requestor, request.property, request.target, 8,
                      PropModeReplace, reinterpret_cast<const unsigned char*>(list_.data()),
                      static_cast<int>(list_.size()));
      reply.xselection.property = request.property;
    }
    XSendEvent(display_, request.requestor, False, NoEventMask, &reply);
    XFlush(display_);
  }

  Display* display_;
  Window target_, own_ = 0;
  std::string list_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    std::fputs("usage: xdnd_source WINDOW X Y FILE...\n", stderr);
    return 2;
  }
  Display* display = XOpenDisplay(nullptr);
  if (display == nullptr) {
    std::fputs("no display\n", stderr);
    return 1;
  }
  Source source(display, std::strtoul(argv[1], nullptr, 0), uri_list({argv + 4, argv + argc}));
  const bool dropped = source.drop(std::atoi(argv[2]), std::atoi(argv[3]));
  XCloseDisplay(display);
  return dropped ? 0 : 1;
}
