#include "app/desktop/selection_owner.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <xcb/xcb.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <utility>

#include "ingest/base/parallel.h"

// Of GLFW where it was built for X11. Weak, since its build for Wayland lacks it.
struct _XDisplay;  // NOLINT(bugprone-reserved-identifier): Xlib's
// NOLINTNEXTLINE(readability-identifier-naming): the name is GLFW's
extern "C" __attribute__((weak)) _XDisplay* glfwGetX11Display();

namespace cinderscope {
namespace {

using Clock = std::chrono::steady_clock;
using Bytes = std::shared_ptr<const std::string>;

constexpr std::size_t kMostTransfers = 64;
constexpr std::chrono::seconds kPatience{10};  // with a program that takes no further piece
constexpr std::chrono::seconds kManagerPatience{2};
constexpr std::size_t kPieceBytes = 1u << 18;

template <class T>
using Reply = std::unique_ptr<T, decltype(&std::free)>;

template <class T>
Reply<T> reply(T* answer) {
  return {answer, &std::free};
}

}  // namespace

// Only the thread uses the connection, but for the constructor.
class SelectionOwner::Server {
 public:
  Server() : connection_(xcb_connect(nullptr, nullptr)), wake_(eventfd(0, EFD_CLOEXEC)) {
    if (!connected() || wake_ < 0) return;
    const xcb_screen_t* screen = xcb_setup_roots_iterator(xcb_get_setup(connection_)).data;
    window_ = xcb_generate_id(connection_);
    const std::uint32_t events = XCB_EVENT_MASK_PROPERTY_CHANGE;
    xcb_create_window(connection_, XCB_COPY_FROM_PARENT, window_, screen->root, 0, 0, 1, 1, 0,
                      XCB_WINDOW_CLASS_INPUT_OUTPUT, XCB_COPY_FROM_PARENT, XCB_CW_EVENT_MASK,
                      &events);
    clipboard_ = atom("CLIPBOARD");
    targets_ = atom("TARGETS");
    multiple_ = atom("MULTIPLE");
    timestamp_ = atom("TIMESTAMP");
    incr_ = atom("INCR");
    manager_ = atom("CLIPBOARD_MANAGER");
    save_targets_ = atom("SAVE_TARGETS");
    scratch_ = atom("CINDERSCOPE_SELECTION");
    xcb_flush(connection_);
    thread_ = started_thread([this] { run(); });
  }

  ~Server() {
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
    }
    wake();
    if (thread_.joinable()) thread_.join();
    if (wake_ >= 0) close(wake_);
    xcb_disconnect(connection_);
  }

  bool works() const { return thread_.joinable(); }

  void offer(std::vector<ClipboardOffer> offers) {
    {
      const std::lock_guard lock(mutex_);
      offered_ = std::move(offers);
    }
    wake();
  }

 private:
  struct Offer {
    xcb_atom_t target;
    Bytes bytes;
  };
  // What goes to another program piece by piece, each once the one before was taken.
  struct Transfer {
    xcb_window_t to;
    xcb_atom_t property, target;
    Bytes bytes;
    std::size_t sent = 0;
    Clock::time_point last;
  };

  bool connected() const { return xcb_connection_has_error(connection_) == 0; }

  void wake() const {
    const std::uint64_t one = 1;
    if (wake_ >= 0) static_cast<void>(!write(wake_, &one, sizeof one));
  }

  xcb_atom_t atom(std::string_view name) const {
    const auto cookie =
        xcb_intern_atom(connection_, 0, static_cast<std::uint16_t>(name.size()), name.data());
    const auto known = reply(xcb_intern_atom_reply(connection_, cookie, nullptr));
    return known ? known->atom : static_cast<xcb_atom_t>(XCB_ATOM_NONE);
  }

  void run() {
    while (connected()) {
      while (xcb_generic_event_t* event = xcb_poll_for_event(connection_)) {
        take(*reply(event));
      }
      drop_idle();
      xcb_flush(connection_);
      // Writing may have read events, which poll() would not tell of.
      if (xcb_generic_event_t* event = xcb_poll_for_queued_event(connection_)) {
        take(*reply(event));
        continue;
      }
      std::array<pollfd, 2> waits{
          {{xcb_get_file_descriptor(connection_), POLLIN, 0}, {wake_, POLLIN, 0}}};
      const int ready = poll(waits.data(), waits.size(), transfers_.empty() ? wait_ms() : 1000);
      if (ready < 0 && errno != EINTR) return;
      if ((waits[1].revents & POLLIN) != 0) {
        std::uint64_t count = 0;
        static_cast<void>(!read(wake_, &count, sizeof count));
      }
      if (!take_offers()) return;
    }
  }

  int wait_ms() const { return gives_away_until_ ? 50 : -1; }

  // What was asked for on other threads. False: all is done.
  bool take_offers() {
    std::optional<std::vector<ClipboardOffer>> offered;
    bool ends = false;
    {
      const std::lock_guard lock(mutex_);
      offered = std::exchange(offered_, std::nullopt);
      ends = ends_;
    }
    if (offered) {
      next_offers_.clear();
      for (ClipboardOffer& each : *offered) {
        next_offers_.push_back({atom(each.target), std::move(each.bytes)});
      }
      // The time of taking the clipboard has to be one of the server.
      xcb_change_property(connection_, XCB_PROP_MODE_APPEND, window_, scratch_, XCB_ATOM_STRING, 8,
                          0, nullptr);
      wants_time_ = true;
    }
    if (!ends || wants_time_) return true;  // first the clipboard has to be ours
    return gives_away();
  }

  // At the end, to the desktop's clipboard manager. False: nothing is left to be done.
  bool gives_away() {
    if (gives_away_until_) {
      return !given_away_ && !offers_.empty() && Clock::now() < *gives_away_until_;
    }
    if (offers_.empty()) return false;
    const auto manager = reply(xcb_get_selection_owner_reply(
        connection_, xcb_get_selection_owner(connection_, manager_), nullptr));
    if (!manager || manager->owner == XCB_WINDOW_NONE) return false;
    gives_away_until_ = Clock::now() + kManagerPatience;
    xcb_convert_selection(connection_, window_, manager_, save_targets_, scratch_, time_);
    return true;
  }

  void take(const xcb_generic_event_t& event) {
    switch (event.response_type & 0x7f) {
      case 0: {  // an error: the window of another program has gone
        const auto& error = reinterpret_cast<const xcb_generic_error_t&>(event);
        std::erase_if(transfers_,
                      [&](const Transfer& each) { return each.to == error.resource_id; });
        return;
      }
      case XCB_PROPERTY_NOTIFY:
        return take(reinterpret_cast<const xcb_property_notify_event_t&>(event));
      case XCB_SELECTION_REQUEST:
        return answer(reinterpret_cast<const xcb_selection_request_event_t&>(event));
      case XCB_SELECTION_CLEAR:
        offers_.clear();
        return;
      case XCB_SELECTION_NOTIFY:
        given_away_ = gives_away_until_.has_value();
        return;
      default:
        return;
    }
  }

  void take(const xcb_property_notify_event_t& event) {
    if (event.window == window_) {
      if (!std::exchange(wants_time_, false)) return;
      time_ = event.time;
      offers_ = std::exchange(next_offers_, {});
      xcb_set_selection_owner(connection_, window_, clipboard_, time_);
      return;
    }
    if (event.state != XCB_PROPERTY_DELETE) return;
    const auto next = std::ranges::find_if(transfers_, [&](const Transfer& each) {
      return each.to == event.window && each.property == event.atom;
    });
    if (next == transfers_.end()) return;
    const std::size_t size = std::min(piece_bytes(), next->bytes->size() - next->sent);
    put(next->to, next->property, next->target, 8,
        std::string_view(*next->bytes).substr(next->sent, size), size);
    next->sent += size;
    next->last = Clock::now();
    if (size == 0) end(next);
  }

  void end(std::vector<Transfer>::iterator transfer) {
    const xcb_window_t to = transfer->to;
    transfers_.erase(transfer);
    if (std::ranges::find(transfers_, to, &Transfer::to) == transfers_.end()) watch(to, 0);
  }

  void watch(xcb_window_t window, std::uint32_t events) const {
    if (window == window_) return;
    xcb_change_window_attributes(connection_, window, XCB_CW_EVENT_MASK, &events);
  }

  void drop_idle() {
    const Clock::time_point now = Clock::now();
    std::erase_if(transfers_, [&](const Transfer& each) { return now - each.last > kPatience; });
  }

  std::size_t piece_bytes() const {
    return std::min<std::size_t>(kPieceBytes,
                                 std::size_t{xcb_get_maximum_request_length(connection_)} * 2);
  }

  void put(xcb_window_t to, xcb_atom_t property, xcb_atom_t type, std::uint8_t bits,
           std::string_view bytes, std::size_t count) const {
    xcb_change_property(connection_, XCB_PROP_MODE_REPLACE, to, property, type, bits,
                        static_cast<std::uint32_t>(count), bytes.data());
  }
  void put(xcb_window_t to, xcb_atom_t property, xcb_atom_t type,
           std::span<const std::uint32_t> values) const {
    put(to, property, type, 32, {reinterpret_cast<const char*>(values.data()), values.size_bytes()},
        values.size());
  }

  void answer(const xcb_selection_request_event_t& asked) {
    // Programs from before the ICCCM name no property.
    const xcb_atom_t property = asked.property == XCB_ATOM_NONE ? asked.target : asked.property;
    const bool mine = asked.selection == clipboard_ && !offers_.empty() &&
                      (asked.time == XCB_CURRENT_TIME || asked.time >= time_);
    bool done = false;
    if (mine && asked.target == multiple_ && asked.property != XCB_ATOM_NONE) {
      done = answer_several(asked.requestor, property);
    } else if (mine) {
      done = convert(asked.requestor, asked.target, property);
    }
    xcb_selection_notify_event_t said{};
    said.response_type = XCB_SELECTION_NOTIFY;
    said.time = asked.time;
    said.requestor = asked.requestor;
    said.selection = asked.selection;
    said.target = asked.target;
    said.property = done ? property : static_cast<xcb_atom_t>(XCB_ATOM_NONE);
    static_assert(sizeof said == 24);
    std::array<char, 32> event{};  // events have this length
    std::memcpy(event.data(), &said, sizeof said);
    xcb_send_event(connection_, 0, asked.requestor, 0, event.data());
  }

  // The property has pairs of a target and a property; of what cannot be, the latter becomes none.
  bool answer_several(xcb_window_t to, xcb_atom_t property) {
    constexpr std::uint32_t kMostPairs = 256;
    const auto pairs =
        reply(xcb_get_property_reply(connection_,
                                     xcb_get_property(connection_, 0, to, property,
                                                      XCB_GET_PROPERTY_TYPE_ANY, 0, 2 * kMostPairs),
                                     nullptr));
    if (!pairs || pairs->format != 32) return false;
    const auto* atoms = static_cast<const std::uint32_t*>(xcb_get_property_value(pairs.get()));
    std::vector<std::uint32_t> list(atoms, atoms + xcb_get_property_value_length(pairs.get()) /
                                                       static_cast<int>(sizeof *atoms));
    for (std::size_t i = 0; i + 1 < list.size(); i += 2) {
      if (list[i] == multiple_ || !convert(to, list[i], list[i + 1])) list[i + 1] = XCB_ATOM_NONE;
    }
    put(to, property, pairs->type, list);
    return true;
  }

  bool convert(xcb_window_t to, xcb_atom_t target, xcb_atom_t property) {
    if (target == targets_) {
      std::vector<std::uint32_t> all = {targets_, multiple_, timestamp_};
      for (const Offer& each : offers_) all.push_back(each.target);
      put(to, property, XCB_ATOM_ATOM, all);
      return true;
    }
    if (target == timestamp_) {
      const std::uint32_t time = time_;
      put(to, property, XCB_ATOM_INTEGER, std::span(&time, 1));
      return true;
    }
    const auto offer = std::ranges::find(offers_, target, &Offer::target);
    if (offer == offers_.end()) return false;
    const std::string& bytes = *offer->bytes;
    if (bytes.size() <= piece_bytes()) {
      put(to, property, target, 8, bytes, bytes.size());
      return true;
    }
    if (transfers_.size() >= kMostTransfers) return false;
    std::erase_if(transfers_,
                  [&](const Transfer& each) { return each.to == to && each.property == property; });
    watch(to, XCB_EVENT_MASK_PROPERTY_CHANGE);
    const auto size = static_cast<std::uint32_t>(std::min<std::size_t>(bytes.size(), UINT32_MAX));
    put(to, property, incr_, std::span(&size, 1));
    transfers_.push_back({to, property, target, offer->bytes, 0, Clock::now()});
    return true;
  }

  xcb_connection_t* connection_;
  int wake_ = -1;
  xcb_window_t window_ = XCB_WINDOW_NONE;
  xcb_atom_t clipboard_{}, targets_{}, multiple_{}, timestamp_{}, incr_{}, manager_{},
      save_targets_{}, scratch_{};
  xcb_timestamp_t time_ = XCB_CURRENT_TIME;  // since when the clipboard is ours
  std::vector<Offer> offers_;                // none: it is not ours
  std::vector<Offer> next_offers_;  // once it is: what others took before ends the old ones
  std::vector<Transfer> transfers_;
  bool wants_time_ = false, given_away_ = false;
  std::optional<Clock::time_point> gives_away_until_;

  std::mutex mutex_;
  std::optional<std::vector<ClipboardOffer>> offered_;  // not taken yet
  bool ends_ = false;
  std::thread thread_;
};

SelectionOwner::SelectionOwner(std::unique_ptr<Server> server) : server_(std::move(server)) {}
SelectionOwner::~SelectionOwner() = default;

bool SelectionOwner::possible() {
  return glfwGetX11Display != nullptr && glfwGetX11Display() != nullptr;
}

std::unique_ptr<SelectionOwner> SelectionOwner::open() {
  if (!possible()) return nullptr;
  auto server = std::make_unique<Server>();
  if (!server->works()) return nullptr;
  return std::unique_ptr<SelectionOwner>(new SelectionOwner(std::move(server)));
}

void SelectionOwner::offer(std::vector<ClipboardOffer> offers) {
  server_->offer(std::move(offers));
}

std::vector<ClipboardOffer> text_offers(std::string text) {
  const auto bytes = std::make_shared<const std::string>(std::move(text));
  return {{"UTF8_STRING", bytes}, {"text/plain;charset=utf-8", bytes}};
}

}  // namespace cinderscope
