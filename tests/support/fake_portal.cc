#include "tests/support/fake_portal.h"

#include <cstdlib>
#include <utility>

#ifdef CINDERSCOPE_DBUS

#include <dbus/dbus.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <string_view>
#include <tuple>

extern char** environ;  // NOLINT(readability-identifier-naming): named by POSIX

namespace cinderscope {
namespace {

// Its process id and where it listens; -1 if there is none.
std::pair<int, std::string> started_bus() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return {-1, {}};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  std::array<const char*, 5> words = {"dbus-daemon", "--session", "--nofork", "--print-address=1",
                                      nullptr};
  int daemon = -1;
  const int failed =
      posix_spawnp(&daemon, words[0], &actions, nullptr, const_cast<char**>(words.data()), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string address;
  char c = 0;
  while (failed == 0 && read(ends[0], &c, 1) == 1 && c != '\n') address += c;
  close(ends[0]);
  return {failed == 0 && !address.empty() ? daemon : -1, address};
}

void append_uris(DBusMessageIter& arguments, const std::vector<std::string>& uris) {
  DBusMessageIter entries, entry, variant, list;
  dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "{sv}", &entries);
  dbus_message_iter_open_container(&entries, DBUS_TYPE_DICT_ENTRY, nullptr, &entry);
  const char* key = "uris";
  dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &key);
  dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, "as", &variant);
  dbus_message_iter_open_container(&variant, DBUS_TYPE_ARRAY, "s", &list);
  for (const std::string& uri : uris) {
    const char* text = uri.c_str();
    dbus_message_iter_append_basic(&list, DBUS_TYPE_STRING, &text);
  }
  dbus_message_iter_close_container(&variant, &list);
  dbus_message_iter_close_container(&entry, &variant);
  dbus_message_iter_close_container(&entries, &entry);
  dbus_message_iter_close_container(&arguments, &entries);
}

PortalCall read_call(DBusMessage* message) {
  PortalCall call;
  call.method = dbus_message_get_member(message);
  DBusMessageIter arguments, entry;
  dbus_message_iter_init(message, &arguments);
  const char* text = nullptr;
  dbus_message_iter_get_basic(&arguments, &text);
  call.window = text;
  dbus_message_iter_next(&arguments);
  dbus_message_iter_get_basic(&arguments, &text);
  call.title = text;
  dbus_message_iter_next(&arguments);
  for (dbus_message_iter_recurse(&arguments, &entry);
       dbus_message_iter_get_arg_type(&entry) == DBUS_TYPE_DICT_ENTRY;
       dbus_message_iter_next(&entry)) {
    DBusMessageIter member, variant, bytes;
    dbus_message_iter_recurse(&entry, &member);
    dbus_message_iter_get_basic(&member, &text);
    const std::string_view key = text;
    dbus_message_iter_next(&member);
    dbus_message_iter_recurse(&member, &variant);
    if (key == "multiple") {
      dbus_bool_t on = FALSE;
      dbus_message_iter_get_basic(&variant, &on);
      call.multiple = on != FALSE;
    } else if (key == "current_name") {
      dbus_message_iter_get_basic(&variant, &text);
      call.name = text;
    } else if (key == "current_folder") {
      int size = 0;
      dbus_message_iter_recurse(&variant, &bytes);
      dbus_message_iter_get_fixed_array(&bytes, &text, &size);
      call.folder = std::string(text, static_cast<std::size_t>(size));
    }
  }
  return call;
}

}  // namespace

FakePortal::FakePortal(Answers answers, std::vector<std::string> uris)
    : answers_(answers), uris_(std::move(uris)) {
  std::tie(daemon_, address_) = started_bus();
  if (daemon_ < 0) return;
  setenv("DBUS_SESSION_BUS_ADDRESS", address_.c_str(), 1);
  DBusConnection* bus = dbus_connection_open_private(address_.c_str(), nullptr);
  if (bus == nullptr) return;
  dbus_bus_register(bus, nullptr);
  dbus_bus_request_name(bus, "org.freedesktop.portal.Desktop", 0, nullptr);
  thread_ = std::thread([this, bus] {
    while (dbus_connection_read_write(bus, -1)) {
      bool leaves = false;
      while (DBusMessage* call = dbus_connection_pop_message(bus)) {
        leaves = !answer(bus, call) || leaves;
        dbus_message_unref(call);
      }
      if (leaves) break;
    }
    dbus_connection_close(bus);
    dbus_connection_unref(bus);
  });
}

FakePortal::~FakePortal() {
  unsetenv("DBUS_SESSION_BUS_ADDRESS");
  if (daemon_ > 0) {
    kill(daemon_, SIGTERM);
    waitpid(daemon_, nullptr, 0);
  }
  if (thread_.joinable()) thread_.join();  // its connection has ended
}

// False if the portal ends here.
bool FakePortal::answer(DBusConnection* bus, DBusMessage* call) {
  const auto send = [bus](DBusMessage* message) {
    dbus_connection_send(bus, message, nullptr);
    dbus_connection_flush(bus);
    dbus_message_unref(message);
  };
  if (dbus_message_is_method_call(call, "org.freedesktop.DBus.Properties", "Get")) {
    send(dbus_message_new_method_return(call));
    return true;
  }
  if (!dbus_message_has_interface(call, "org.freedesktop.portal.FileChooser")) return true;
  {
    const std::lock_guard lock(mutex_);
    asked_ = read_call(call);
  }
  if (answers_ == Answers::refused) {
    send(dbus_message_new_error(call, DBUS_ERROR_FAILED, "no"));
    return true;
  }
  const char* handle = "/org/freedesktop/portal/desktop/request/1/t";
  const auto response = [&](const char* path, dbus_uint32_t code,
                            const std::vector<std::string>& uris) {
    DBusMessage* signal =
        dbus_message_new_signal(path, "org.freedesktop.portal.Request", "Response");
    DBusMessageIter arguments;
    dbus_message_iter_init_append(signal, &arguments);
    dbus_message_iter_append_basic(&arguments, DBUS_TYPE_UINT32, &code);
    append_uris(arguments, uris);
    send(signal);
  };
  // That of another program's dialog, and the answer may come before the handle does.
  response("/org/freedesktop/portal/desktop/request/2/t", 0, {"file:///not/meant"});
  if (answers_ == Answers::chosen) response(handle, 0, uris_);
  if (answers_ == Answers::cancelled) response(handle, 1, {});
  if (answers_ == Answers::failed) response(handle, 2, {});
  DBusMessage* opened = dbus_message_new_method_return(call);
  dbus_message_append_args(opened, DBUS_TYPE_OBJECT_PATH, &handle, DBUS_TYPE_INVALID);
  send(opened);
  return answers_ != Answers::never;
}

PortalCall FakePortal::asked() const {
  const std::lock_guard lock(mutex_);
  return asked_;
}

}  // namespace cinderscope

#else

namespace cinderscope {

FakePortal::FakePortal(Answers answers, std::vector<std::string> uris)
    : answers_(answers), uris_(std::move(uris)) {}
FakePortal::~FakePortal() = default;
PortalCall FakePortal::asked() const {
  return {};
}

}  // namespace cinderscope

#endif
