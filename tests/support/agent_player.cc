#include "tests/support/agent_player.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "formats/qubership/collector/agent_protocol.h"

namespace cinderscope {

using namespace qubership;

PlayedSession play_session(
    std::span<const std::byte> recorded,
    const std::function<std::vector<std::byte>(std::span<const std::byte>)>& ask) {
  PlayedSession played;
  std::map<Handle, Handle> given;  // by the recorded one
  AgentCommand command;
  for (WireCursor in(recorded); !in.at_end();) {
    const std::uint64_t at = in.at();
    if (read_command(in, command) != CommandFault::none) break;
    if (command.kind == Command::ack) continue;  // an answer of the recording
    const auto bytes =
        recorded.subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(in.at() - at));
    std::vector<std::byte> said(bytes.begin(), bytes.end());
    if (command.kind == Command::data) {
      std::ranges::copy(given[command.handle], said.begin() + 1);
    }
    const std::vector<std::byte> answer = ask(said);
    played.sent.insert(played.sent.end(), said.begin(), said.end());
    std::size_t expected_bytes = 0;
    if (command.kind == Command::version_v2 || command.kind == Command::version) {
      in.skip(8);
      expected_bytes = 8;
    } else if (command.opens()) {
      const StreamAnswer before = read_stream_answer(in);
      WireCursor now(answer);
      const StreamAnswer after = read_stream_answer(now);
      given[before.handle] = after.handle;
      expected_bytes = after.refused() ? sizeof(Handle) : sizeof(Handle) + 20;
      if (after.sequence != command.sequence) played.problem = "another sequence";
    } else if (command.kind == Command::data || command.kind == Command::flush) {
      expected_bytes = 1;
      if (answer != std::vector{std::byte{0}}) played.problem = "no acknowledgement";
    }
    if (answer.size() != expected_bytes) {
      played.problem = fmt::format("{} bytes were answered at {}", answer.size(), at);
    }
    if (!played.problem.empty()) break;
  }
  return played;
}

}  // namespace cinderscope
