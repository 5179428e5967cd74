// A connection to the session's message bus (D-Bus) that is read message by message. Only in builds
// with libdbus.
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <string>

struct DBusConnection;
struct DBusMessage;

namespace cinderscope {

// One thread only. `stop`, which any thread may set, soon ends every wait.
class SessionBus {
 public:
  static constexpr const char* kName = "org.freedesktop.DBus";  // of the bus itself
  struct Unref {
    void operator()(DBusMessage* message) const;
  };
  using Message = std::unique_ptr<DBusMessage, Unref>;

  // Empty: there is no session.
  static std::string address();
  static Message method_call(const char* to, const char* path, const char* interface,
                             const char* name);

  explicit SessionBus(const std::atomic<bool>& stop);
  ~SessionBus();
  SessionBus(const SessionBus&) = delete;
  SessionBus& operator=(const SessionBus&) = delete;

  bool connected() const { return connected_; }
  // The answer; null if there is none: an error, too late, stopped.
  Message call(Message message);
  // Signals of the rule are received from now on.
  void listen(const char* rule);
  // The next signal, whenever it comes; null once the connection ends or is to end.
  Message wait();

 private:
  Message received();
  bool read_on();

  const std::atomic<bool>& stop_;
  DBusConnection* connection_ = nullptr;
  bool connected_ = false;
  std::deque<Message> signals_;  // came while an answer was awaited
};

}  // namespace cinderscope
