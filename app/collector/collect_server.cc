#include "app/collector/collect_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <asio.hpp>
#include <charconv>
#include <csignal>
#include <exception>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "app/collector/collect_log.h"
#include "ingest/base/path_text.h"

namespace cinderscope {
namespace {

using asio::ip::tcp;
using qubership::CollectorSession;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t kReadBytes = 64 << 10;
constexpr milliseconds kTick{250};         // while anybody is connected
constexpr milliseconds kKeptBack{500};     // until received bytes are written
constexpr milliseconds kAcceptAgain{200};  // after running out of descriptors

// "[::1]:1715" or "127.0.0.1:1715".
std::optional<tcp::endpoint> endpoint_of(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  std::string host(text.substr(0, colon));
  const std::string_view digits = text.substr(colon + 1);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  if (host == "localhost") host = "127.0.0.1";
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  std::error_code bad;
  const asio::ip::address address = asio::ip::make_address(host, bad);
  if (bad) return std::nullopt;
  return tcp::endpoint(address, port);
}

std::string text_of(const tcp::endpoint& endpoint) {
  const std::string host = endpoint.address().to_string();
  return endpoint.address().is_v6() ? fmt::format("[{}]:{}", host, endpoint.port())
                                    : fmt::format("{}:{}", host, endpoint.port());
}

std::int64_t unix_now_ms() {
  return std::chrono::duration_cast<milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace

// All of it runs on the thread of run().
class CollectServer::Impl {
 public:
  Impl(CollectOptions options, CollectWatcher watcher)
      : options_(std::move(options)), watcher_(std::move(watcher)), log_(watcher_.log) {}

  std::optional<Error> listen() {
    const auto wrong = [this](std::string_view why, std::string expected = {}) {
      return Error{ErrorCode::cannot_read,
                   fmt::format("Cannot listen on {}: {}.", options_.listen, why),
                   std::move(expected)};
    };
    const auto endpoint = endpoint_of(options_.listen);
    if (!endpoint) return wrong("it is not an address", "Expected one as 127.0.0.1:1715.");
    std::error_code error;
    std::filesystem::create_directories(options_.rules.folder, error);
    if (error) {
      return Error{ErrorCode::cannot_read,
                   fmt::format("\"{}\" cannot be made: {}.", utf8_of(options_.rules.folder),
                               error.message()),
                   {}};
    }
    acceptor_.open(endpoint->protocol(), error);
    if (!error) acceptor_.set_option(asio::socket_base::reuse_address(true), error);
    if (!error) acceptor_.bind(*endpoint, error);
    if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
    if (error) return wrong(error.message());
    return std::nullopt;
  }

  tcp::endpoint local() const {
    std::error_code ignored;
    return acceptor_.local_endpoint(ignored);
  }

  void stop_on_signals() {
    signals_.emplace(io_, SIGINT, SIGTERM);
    signals_->async_wait([this](std::error_code error, int) {
      if (!error) end();
    });
  }

  void run() {
    accept();
    while (true) {
      try {
        io_.run();
        return;
      } catch (const std::exception& error) {
        // Most likely memory has run out. The connection is not read any more and closed later.
        log(fmt::format("a session goes no further: {}", error.what()));
      }
    }
  }

  void stop() {
    asio::post(io_, [this] { end(); });
  }

 private:
  struct Connection {
    Connection(tcp::socket s, const qubership::CollectorRules& rules,
               qubership::CollectorTotals& totals)
        : socket(std::move(s)), session(rules, totals, unix_now_ms()) {}
    tcp::socket socket;
    CollectorSession session;
    std::string peer;
    std::array<std::byte, kReadBytes> in;
    std::vector<std::byte> answers;  // being sent
    std::uint64_t commands = 0;      // when `heard` was set
    Clock::time_point heard = Clock::now(), written = Clock::now();
    std::uint64_t told_bytes = 0;  // written bytes that the watcher knows of
    bool greeted = false, closed = false;
  };
  using Shared = std::shared_ptr<Connection>;

  void accept() {
    acceptor_.async_accept([this](std::error_code error, tcp::socket socket) {
      if (ended_) return;
      if (error) {
        // Out of descriptors: waiting connections stay in the queue for a while.
        log(fmt::format("cannot accept: {}", error.message()));
        retry_.expires_after(kAcceptAgain);
        retry_.async_wait([this](std::error_code stopped) {
          if (!stopped) accept();
        });
        return;
      }
      begin(std::move(socket));
      accept();
    });
  }

  void begin(tcp::socket socket) {
    std::error_code ignored;
    const std::string peer = text_of(socket.remote_endpoint(ignored));
    if (connections_.size() >= options_.most_connections) {
      log(fmt::format("{} refused: {} agents are connected already", peer, connections_.size()));
      return;
    }
    socket.set_option(tcp::no_delay(true), ignored);
    socket.set_option(asio::socket_base::keep_alive(true), ignored);
    const auto connection =
        std::make_shared<Connection>(std::move(socket), options_.rules, totals_);
    connection->peer = peer;
    connections_.insert(connection);
    if (!ticking_) tick();
    read(connection);
  }

  void read(const Shared& c) {
    c->socket.async_read_some(
        asio::buffer(c->in), [this, c](std::error_code error, std::size_t size) {
          if (c->closed) return;
          if (error) return close(c, error == asio::error::eof ? "gone" : error.message());
          c->answers.clear();
          c->session.receive(std::span(c->in).first(size), c->answers);
          answer(c);
        });
  }

  // Answers are sent before more is read: agents wait for them, and for an agent that takes none
  // they do not pile up.
  void answer(const Shared& c) {
    note(c);
    if (c->answers.empty()) return go_on(c);
    asio::async_write(c->socket, asio::buffer(c->answers),
                      [this, c](std::error_code failed, std::size_t) {
                        if (c->closed) return;
                        if (failed) return close(c, failed.message());
                        go_on(c);
                      });
  }

  // The next turn of one that has more to do comes after those of the others.
  void take_turn(const Shared& c) {
    asio::post(io_, [this, c] {
      if (c->closed) return;
      c->answers.clear();
      c->session.go_on(c->answers);
      answer(c);
    });
  }

  void go_on(const Shared& c) {
    switch (c->session.state()) {
      case CollectorSession::State::open:
        return c->session.has_more() ? take_turn(c) : read(c);
      case CollectorSession::State::closed:
        return close(c, "ended");
      case CollectorSession::State::refused:
        return close(c, fmt::format("refused: {}", c->session.reason()));
    }
  }

  void note(const Shared& c) {
    if (c->session.commands() != c->commands) {
      c->commands = c->session.commands();
      c->heard = Clock::now();
    }
    if (!c->greeted && !c->session.facts().pod.empty()) {
      c->greeted = true;
      const qubership::SessionFacts& facts = c->session.facts();
      log(fmt::format("{} is {}, service {}, namespace {}", c->peer, facts.pod, facts.service,
                      facts.name_space));
    }
    tell(c, false);
  }

  void tell(const Shared& c, bool ended) {
    const std::uint64_t written = c->session.written_bytes();
    if (written == 0 || (written == c->told_bytes && !ended)) return;
    c->told_bytes = written;
    if (watcher_.wrote) {
      watcher_.wrote({c->session.folder(), c->session.received_bytes(), written, ended});
    }
  }

  void close(const Shared& c, const std::string& why) {
    if (c->closed) return;
    c->closed = true;
    c->session.write_out();
    const auto folder = c->session.folder();
    log(fmt::format("{} {}{}", c->peer, why,
                    folder.empty() ? std::string()
                                   : fmt::format("; {} bytes received, in {}",
                                                 c->session.received_bytes(), utf8_of(folder))));
    if (why.find(c->session.reason()) == std::string::npos) {
      log(fmt::format("{}: {}", c->peer, c->session.reason()));
    }
    tell(c, true);
    std::error_code ignored;
    c->socket.shutdown(tcp::socket::shutdown_both, ignored);
    c->socket.close(ignored);
    connections_.erase(c);
  }

  // Writes what was kept back and closes connections that were silent for too long.
  void tick() {
    ticking_ = true;
    timer_.expires_after(kTick);
    timer_.async_wait([this](std::error_code stopped) {
      if (stopped) return;
      const Clock::time_point now = Clock::now();
      const std::vector<Shared> all(connections_.begin(), connections_.end());
      for (const Shared& c : all) look_after(c, now);
      ticking_ = !connections_.empty();
      if (ticking_) tick();
    });
  }

  void look_after(const Shared& c, Clock::time_point now) {
    if (!c->session.has_to_write()) {
      c->written = now;
    } else if (now - c->written >= kKeptBack) {
      c->session.write_out();
      c->written = now;
      tell(c, false);
      if (c->session.state() == CollectorSession::State::refused) return go_on(c);
    }
    if (now - c->heard >= options_.idle) {
      close(c,
            fmt::format("said nothing whole for {} s",
                        std::chrono::duration_cast<std::chrono::seconds>(options_.idle).count()));
    }
  }

  void end() {
    if (std::exchange(ended_, true)) return;
    std::error_code ignored;
    acceptor_.close(ignored);
    if (signals_) signals_->cancel(ignored);
    const std::vector<Shared> all(connections_.begin(), connections_.end());
    for (const Shared& c : all) close(c, "let go, the collector ends");
    timer_.cancel();
    retry_.cancel();
    log_.say_left_out();
  }

  void log(const std::string& line) { log_.add(line); }

  CollectOptions options_;
  CollectWatcher watcher_;
  CollectLog log_;
  qubership::CollectorTotals totals_;
  asio::io_context io_{1};
  tcp::acceptor acceptor_{io_};
  asio::steady_timer timer_{io_}, retry_{io_};
  std::optional<asio::signal_set> signals_;
  std::set<Shared> connections_;
  bool ticking_ = false, ended_ = false;
};

Result<std::unique_ptr<CollectServer>> CollectServer::start(CollectOptions options,
                                                            CollectWatcher watcher) {
  auto impl = std::make_unique<Impl>(std::move(options), std::move(watcher));
  if (auto error = impl->listen()) return *error;
  return std::unique_ptr<CollectServer>(new CollectServer(std::move(impl)));
}

CollectServer::CollectServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
CollectServer::~CollectServer() = default;

std::string CollectServer::address() const {
  return text_of(impl_->local());
}
bool CollectServer::is_loopback() const {
  return impl_->local().address().is_loopback();
}
void CollectServer::stop_on_signals() {
  impl_->stop_on_signals();
}
void CollectServer::run() {
  impl_->run();
}
void CollectServer::stop() {
  impl_->stop();
}

}  // namespace cinderscope
