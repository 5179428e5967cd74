#include "formats/qubership/session_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "formats/qubership/collector/agent_protocol.h"
#include "formats/qubership/found_files.h"

namespace cinderscope::qubership {
namespace {

struct Opened {
  std::optional<Stream> stream;  // empty: of no use
  std::uint32_t index = 1;
  std::string name;
  std::uint64_t bytes = 0;
};

struct Piece {
  std::uint64_t at;
  std::uint32_t opened, size_bytes;
};

class SessionReader {
 public:
  SessionReader(std::span<const std::byte> bytes, Diagnostics& problems)
      : in_(bytes), bytes_(bytes), problems_(problems) {}

  std::optional<Error> read(const GoOn& go_on) {
    constexpr std::uint64_t kAskEach = 1 << 16;
    for (std::uint64_t step = 0; !in_.at_end() && !closed_; ++step) {
      if (step % kAskEach == 0 && !go_on()) {
        return Error{.code = ErrorCode::cancelled, .text = "Loading was cancelled."};
      }
      const std::uint64_t at = in_.at();
      if (std::optional<Error> error = take_command(at)) return error;
      if (in_.cut()) {
        problems_.count(diagnostic::kTruncatedSession, static_cast<std::int64_t>(at));
      }
    }
    if (closed_ && in_.left() > 0) {
      problems_.count(diagnostic::kBytesAfterEnd, static_cast<std::int64_t>(in_.at()));
    }
    return std::nullopt;
  }

  // Puts the pieces of each file together, in the order in which files are read.
  void store(StreamStore& out) {
    std::vector<std::uint32_t> order(opened_.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
      return std::tie(opened_[a].stream, opened_[a].index) <
             std::tie(opened_[b].stream, opened_[b].index);
    });
    std::ranges::stable_sort(pieces_, {}, &Piece::opened);
    for (const std::uint32_t i : order) {
      const Opened& opened = opened_[i];
      if (opened.stream && *opened.stream != Stream::gc && opened.bytes > 0) store(i, out);
    }
  }

  SessionFacts facts;

 private:
  void store(std::uint32_t number, StreamStore& out) {
    constexpr std::size_t kAtATimeBytes = 1 << 20;
    const Opened& opened = opened_[number];
    const bool blocked = has_blocks(*opened.stream);  // short ones, taken as a whole
    std::vector<std::byte> gathered;
    if (!blocked) out.begin(*opened.stream, opened.index, opened.name);
    for (auto piece = std::ranges::lower_bound(pieces_, number, {}, &Piece::opened);
         piece != pieces_.end() && piece->opened == number; ++piece) {
      const auto part = bytes_.subspan(static_cast<std::size_t>(piece->at), piece->size_bytes);
      gathered.insert(gathered.end(), part.begin(), part.end());
      if (blocked || gathered.size() < kAtATimeBytes) continue;
      out.append(gathered, problems_);
      gathered.clear();
    }
    if (blocked) {
      out.add(*opened.stream, opened.index, opened.name, gathered, BlockForm::blocks, problems_);
    } else {
      out.append(gathered, problems_);
    }
  }

  void open_stream() {
    const StreamAnswer answer = read_stream_answer(in_);
    if (in_.cut()) return;
    if (answer.refused()) {
      problems_.count(diagnostic::kRefusedStream, static_cast<std::int64_t>(in_.at()));
      return;
    }
    const std::string& name = command_.stream;
    Opened opened{.stream = stream_named(name), .index = answer.sequence + 1};
    if (!opened.stream) {
      problems_.count(diagnostic::kUnknownStream, static_cast<std::int64_t>(in_.at()));
    }
    opened.name = fmt::format("{} {}", name, answer.sequence);
    // A new handle of the same stream replaces the old one, which is dead from here on.
    if (const auto old = handle_of_.find(name); old != handle_of_.end())
      by_handle_.erase(old->second);
    handle_of_[name] = answer.handle;
    by_handle_[answer.handle] = static_cast<std::uint32_t>(opened_.size());
    opened_.push_back(std::move(opened));
  }

  void take_data(std::uint64_t at) {
    const auto found = by_handle_.find(command_.handle);
    if (found == by_handle_.end()) {
      problems_.count(diagnostic::kUnknownHandle, static_cast<std::int64_t>(at));
      return;
    }
    Opened& opened = opened_[found->second];
    const std::span<const std::byte> data = command_.data;
    opened.bytes += data.size();
    if (!opened.stream || data.empty()) return;
    const auto begin = static_cast<std::uint64_t>(data.data() - bytes_.data());
    pieces_.push_back({begin, found->second, static_cast<std::uint32_t>(data.size())});
  }

  void give_up(std::uint64_t at, const std::string& why) {
    problems_.count(diagnostic::kDataDamaged, static_cast<std::int64_t>(at), why);
    closed_ = true;
    in_.skip(in_.left());
  }

  // A command of the agent, and what was answered where that is more than an acknowledgement.
  std::optional<Error> take_command(std::uint64_t at) {
    switch (read_command(in_, command_)) {
      case CommandFault::none:
        break;
      case CommandFault::incomplete:
        return std::nullopt;
      case CommandFault::unknown:
        give_up(at, "A command is not known; the rest of the session was left out.");
        return std::nullopt;
      case CommandFault::long_field:
        give_up(at, "A field is longer than 1024 bytes; the rest of the session was left out.");
        return std::nullopt;
    }
    if (command_.kind == Command::version_v2) facts.client_version = command_.version;
    if (command_.kind == Command::version_v2 || command_.kind == Command::init_stream) {
      facts.pod = command_.pod;
      facts.service = command_.service;
      facts.name_space = command_.name_space;
    }
    switch (command_.kind) {
      case Command::version:
        facts.server_version = static_cast<std::uint64_t>(in_.i64());
        break;
      case Command::version_v2:
        facts.server_version = static_cast<std::uint64_t>(in_.i64());
        return refusal(at);
      case Command::init_stream:
      case Command::init_stream_v2:
        open_stream();
        break;
      case Command::data:
        take_data(at);
        break;
      case Command::close:
        closed_ = true;
        break;
      case Command::ack:
      case Command::flush:
      case Command::keep_alive:
      case Command::command_result:
        break;
    }
    return std::nullopt;
  }

  // What the handshake's answer rules out.
  std::optional<Error> refusal(std::uint64_t at) const {
    const std::uint64_t answer = facts.server_version;
    if (in_.cut()) return std::nullopt;
    if (answer == kRefusedProtocol) {
      return Error{ErrorCode::damaged, "The collector refused this agent: the session is empty.",
                   "The agent's namespace is on the collector's list of refused ones.",
                   static_cast<std::int64_t>(at)};
    }
    if (answer < kOldestProtocol || answer > kNewestProtocol) {
      return Error{ErrorCode::damaged,
                   "The collector's answer to the handshake is missing or unknown.",
                   "Expected a session with the collector's answers in line.",
                   static_cast<std::int64_t>(in_.at() - sizeof(std::int64_t))};
    }
    return std::nullopt;
  }

  WireCursor in_;
  std::span<const std::byte> bytes_;
  Diagnostics& problems_;
  AgentCommand command_;
  bool closed_ = false;
  std::vector<Opened> opened_;
  std::vector<Piece> pieces_;
  std::map<Handle, std::uint32_t> by_handle_;
  std::map<std::string, Handle> handle_of_;
};

}  // namespace

bool is_session(std::span<const std::byte> head) {
  WireCursor in(head);
  if (in.u8() != static_cast<std::uint8_t>(Command::version_v2)) return false;
  const auto version = static_cast<std::uint64_t>(in.i64());
  const std::uint32_t pod_bytes = in.u32();
  return !in.cut() && version >= kOldestProtocol && version <= kNewestProtocol &&
         pod_bytes <= kMostFieldBytes;
}

Result<SessionFacts> read_session(std::span<const std::byte> bytes, StreamStore& out,
                                  Diagnostics& problems, const std::function<bool()>& go_on) {
  SessionReader reader(bytes, problems);
  if (const std::optional<Error> error = reader.read(go_on)) return *error;
  reader.store(out);
  return std::move(reader.facts);
}

}  // namespace cinderscope::qubership
