// A session of its own with a portal in it that answers as a test says.
#pragma once

#include <mutex>
#include <string>
#include <thread>
#include <vector>

struct DBusConnection;
struct DBusMessage;

namespace cinderscope {

// What the portal was asked.
struct PortalCall {
  std::string method, window, title, name, folder;
  bool multiple = false;
};

class FakePortal {
 public:
  enum class Answers {
    chosen,     // with `uris`
    cancelled,  // by the user
    failed,     // Response 2: there was no dialog
    refused,    // the call is an error
    never,      // leaves the session once the dialog is open
  };
  // Starts a bus and sets DBUS_SESSION_BUS_ADDRESS until it ends.
  explicit FakePortal(Answers answers, std::vector<std::string> uris = {});
  ~FakePortal();
  FakePortal(const FakePortal&) = delete;
  FakePortal& operator=(const FakePortal&) = delete;

  // False where no bus can be started or the build has no libdbus: there is nothing to test.
  bool runs() const { return thread_.joinable(); }
  PortalCall asked() const;

 private:
  bool answer(DBusConnection* bus, DBusMessage* call);

  Answers answers_;
  std::vector<std::string> uris_;
  int daemon_ = -1;  // process id
  std::string address_;
  mutable std::mutex mutex_;
  PortalCall asked_;
  std::thread thread_;
};

}  // namespace cinderscope
