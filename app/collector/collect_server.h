// The collector's server: listens for Qubership agents and gives each connection a session; sockets
// and time-outs.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "formats/qubership/collector/collector_session.h"
#include "ingest/base/result.h"

namespace cinderscope {

struct CollectOptions {
  std::string listen = "127.0.0.1:1715";  // a numeric address and a port; port 0: any that is free
  qubership::CollectorRules rules;
  unsigned most_connections = 200;  // at a time
  // How long an agent may be silent, or busy with one command. Agents say something every 5 s; the
  // product waits twice their read time-out and a second.
  std::chrono::milliseconds idle{61'000};
};

// The progress of one recording.
struct CollectedRecording {
  std::filesystem::path folder;
  std::uint64_t received_bytes = 0, written_bytes = 0;
  bool ended = false;
};

// Called by the server on its own thread. Either may be empty.
struct CollectWatcher {
  std::function<void(const std::string& line)> log;          // for the user; without line end
  std::function<void(const CollectedRecording& now)> wrote;  // each time files have grown
};

// start() listens; run() serves until stop(). Received bytes are on disk within a second, so they
// survive a kill of the process.
class CollectServer {
 public:
  static Result<std::unique_ptr<CollectServer>> start(CollectOptions options,
                                                      CollectWatcher watcher);
  ~CollectServer();
  CollectServer(const CollectServer&) = delete;
  CollectServer& operator=(const CollectServer&) = delete;

  std::string address() const;  // "127.0.0.1:1715", with the actual port
  bool is_loopback() const;     // other machines cannot reach it
  void stop_on_signals();       // SIGINT and SIGTERM; before run()
  // Blocks until stop(); then all sessions have ended and their files are written.
  void run();
  void stop();  // any thread, also before run()

 private:
  class Impl;
  explicit CollectServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace cinderscope
