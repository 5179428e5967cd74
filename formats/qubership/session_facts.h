// Who sent a recording: as the handshake said it, and as the text file that lies beside the streams
// of a collected recording.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cinderscope::qubership {

struct SessionFacts {
  std::uint64_t client_version = 0, server_version = 0;
  std::string pod, service, name_space;

  // The agent calls itself SERVER_STARTMS; the latter is empty where it does not.
  std::string_view server() const { return std::string_view(pod).substr(0, pod.rfind('_')); }
  std::string_view start_ms() const {
    const std::size_t mark = pod.rfind('_');
    return mark == std::string::npos ? std::string_view() : std::string_view(pod).substr(mark + 1);
  }
};

// The file of that text in the folder of a recording.
inline constexpr std::string_view kFactsFile = "collected.properties";
inline constexpr std::size_t kMostFactsBytes = 64 << 10;

// A line KEY=VALUE each, in UTF-8; line breaks in values become blanks.
std::string facts_text(const SessionFacts& facts);
// What is missing or odd stays empty.
SessionFacts facts_of_text(std::string_view text);

}  // namespace cinderscope::qubership
