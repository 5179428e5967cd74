// The collector's side of one agent's session: bytes in, answers out, a dump folder written. Knows
// no sockets and no clock.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/qubership/collector/agent_protocol.h"
#include "formats/qubership/collector/collected_dump.h"
#include "ingest/input/unpack/unpacker.h"

namespace cinderscope::qubership {

// What all sessions have in common.
struct CollectorRules {
  std::filesystem::path folder;                 // in which recordings are written
  std::vector<std::string> refused_namespaces;  // their agents are told to give up
  std::uint64_t protocol = kProtocolV2;         // answered to a handshake
  // Of one session and of all together, as they are unpacked. 0: no limit.
  std::uint64_t most_session_bytes = std::uint64_t{10} << 30;
  std::uint64_t most_total_bytes = std::uint64_t{50} << 30;
  // Asked of the agent: when it is to begin a new file.
  std::int64_t rotate_ms = 3'600'000, rotate_bytes = 4 << 20;
};

struct CollectorTotals {
  std::uint64_t received_bytes = 0;
};

// One thread. `rules` and `totals` live longer.
class CollectorSession {
 public:
  enum class State : std::uint8_t {
    open,
    closed,   // by the agent's command: all is well
    refused,  // what was answered last says so, where there is an answer for it
  };

  CollectorSession(const CollectorRules& rules, CollectorTotals& totals, std::int64_t now_ms)
      : rules_(rules), totals_(totals), now_ms_(now_ms) {}

  // Bytes as they come, in pieces of any size. Answers are appended to `answers` and must be sent
  // before more bytes are waited for: agents wait for them. Once the state is not `open`, nothing
  // more is taken.
  //
  // Packed bytes may stand for a thousand times as many: what is left over once a turn's share was
  // taken waits for go_on(), before which nothing more is to be received.
  void receive(std::span<const std::byte> bytes, std::vector<std::byte>& answers);
  bool has_more() const { return state_ == State::open && packed_at_ < packed_.size(); }
  void go_on(std::vector<std::byte>& answers);
  // Puts all that came into the files. To be called some time after data came, and at the end.
  void write_out();

  State state() const { return state_; }
  const std::string& reason() const { return reason_; }  // why it was refused
  bool has_to_write() const { return dump_ && dump_->waits(); }
  // Grows with each whole command; what sends bytes without end and says nothing stands still.
  std::uint64_t commands() const { return commands_; }
  std::uint64_t received_bytes() const { return received_bytes_; }
  std::uint64_t written_bytes() const { return dump_ ? dump_->written_bytes() : 0; }
  const SessionFacts& facts() const { return facts_; }
  std::filesystem::path folder() const { return dump_ ? dump_->folder() : std::filesystem::path(); }

 private:
  struct Opened {
    std::string name;
    Handle handle{};
    CollectedDump::StreamNumber file = 0;
  };
  enum class Greeting : std::uint8_t { none, old, v2 };

  void take_plain(std::span<const std::byte> bytes, std::vector<std::byte>& answers);
  void take(const AgentCommand& command, std::vector<std::byte>& answers);
  void greet(const AgentCommand& command, std::vector<std::byte>& answers);
  void open_stream(const AgentCommand& command, std::vector<std::byte>& answers);
  void take_data(const AgentCommand& command, std::vector<std::byte>& answers);
  void refuse(std::string reason);
  void refuse_with(std::byte answer, std::string reason, std::vector<std::byte>& answers);
  bool is_refused(std::string_view name_space) const;
  bool spend(std::uint64_t bytes);  // false if that is too much

  const CollectorRules& rules_;
  CollectorTotals& totals_;
  std::int64_t now_ms_;
  State state_ = State::open;
  std::string reason_;
  Greeting greeting_ = Greeting::none;
  SessionFacts facts_;
  std::optional<CollectedDump> dump_;
  std::vector<Opened> opened_;  // one a stream's name
  std::uint64_t handles_ = 0, commands_ = 0, received_bytes_ = 0;
  std::uint64_t command_at_ = 0;       // of the next command, in the unpacked bytes
  std::vector<std::byte> incomplete_;  // the begin of a command
  AgentCommand command_;
  bool began_ = false;
  std::vector<std::byte>* answers_ = nullptr;  // while packed bytes are unpacked
  std::unique_ptr<Unpacker> unpacker_;         // of an agent that packs what it sends
  std::vector<std::byte> packed_;              // received last
  std::size_t packed_at_ = 0;                  // of them, what is still to be unpacked
  std::uint64_t unpacked_bytes_ = 0;           // in this turn
};

}  // namespace cinderscope::qubership
