#include "app/desktop/posix/session_bus.h"

#ifdef CINDERSCOPE_DBUS

#include <dbus/dbus.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <utility>

#include "ingest/base/path_text.h"

namespace cinderscope {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kPath = "/org/freedesktop/DBus";
constexpr auto kAnswerTime = std::chrono::seconds(10);  // the bus may have to start who answers
constexpr int kTurnMs = 50;                             // how soon `stop` is noticed
constexpr long kMostMessageBytes = 16 << 20;
constexpr std::size_t kMostSignals = 100;

bool is_signal(DBusMessage* message) {
  return dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_SIGNAL;
}

}  // namespace

void SessionBus::Unref::operator()(DBusMessage* message) const {
  dbus_message_unref(message);
}

std::string SessionBus::address() {
  const char* named = std::getenv("DBUS_SESSION_BUS_ADDRESS");
  if (named != nullptr && *named != '\0') {
    // libdbus would start a bus of its own.
    return std::string_view(named).starts_with("autolaunch") ? "" : named;
  }
  const char* folder = std::getenv("XDG_RUNTIME_DIR");
  if (folder == nullptr || *folder != '/') return {};
  const std::string socket = std::string(folder) + "/bus";
  std::error_code error;
  return std::filesystem::is_socket(path_of(socket), error) ? "unix:path=" + socket : "";
}

SessionBus::Message SessionBus::method_call(const char* to, const char* path, const char* interface,
                                            const char* name) {
  return Message(dbus_message_new_method_call(to, path, interface, name));
}

SessionBus::SessionBus(const std::atomic<bool>& stop) : stop_(stop) {
  const std::string at = address();
  if (at.empty()) return;
  connection_ = dbus_connection_open_private(at.c_str(), nullptr);
  if (connection_ == nullptr) return;
  dbus_connection_set_max_message_size(connection_, kMostMessageBytes);
  connected_ = call(method_call(kName, kPath, kName, "Hello")) != nullptr;
}

SessionBus::~SessionBus() {
  if (connection_ == nullptr) return;
  dbus_connection_close(connection_);
  dbus_connection_unref(connection_);
}

SessionBus::Message SessionBus::call(Message message) {
  dbus_uint32_t serial = 0;
  if (message == nullptr || !dbus_connection_send(connection_, message.get(), &serial)) {
    return nullptr;
  }
  const Clock::time_point end = Clock::now() + kAnswerTime;
  while (Clock::now() < end) {
    Message next = received();
    if (next == nullptr) {
      if (!read_on()) return nullptr;
    } else if (dbus_message_get_reply_serial(next.get()) == serial) {
      const bool answers = dbus_message_get_type(next.get()) == DBUS_MESSAGE_TYPE_METHOD_RETURN;
      return answers ? std::move(next) : nullptr;
    } else if (is_signal(next.get()) && signals_.size() < kMostSignals) {
      signals_.push_back(std::move(next));
    }
  }
  return nullptr;
}

void SessionBus::listen(const char* rule) {
  Message message = method_call(kName, kPath, kName, "AddMatch");
  if (message == nullptr) return;
  dbus_message_append_args(message.get(), DBUS_TYPE_STRING, &rule, DBUS_TYPE_INVALID);
  call(std::move(message));
}

SessionBus::Message SessionBus::wait() {
  if (!signals_.empty()) {
    Message first = std::move(signals_.front());
    signals_.pop_front();
    return first;
  }
  for (;;) {
    Message next = received();
    if (next != nullptr && is_signal(next.get())) return next;
    if (next == nullptr && !read_on()) return nullptr;
  }
}

SessionBus::Message SessionBus::received() {
  return Message(dbus_connection_pop_message(connection_));
}

bool SessionBus::read_on() {
  return !stop_ && dbus_connection_read_write(connection_, kTurnMs);
}

}  // namespace cinderscope

#endif
