#include "formats/qubership/session_facts.h"

#include <fmt/format.h>

#include <algorithm>

#include "ingest/base/number_text.h"
#include "ingest/base/utf8.h"

namespace cinderscope::qubership {
namespace {

std::string one_line(std::string_view value) {
  std::string line(value);
  std::ranges::replace_if(
      line, [](char c) { return c == '\n' || c == '\r' || c == '\0'; }, ' ');
  return line;
}

std::uint64_t number_of(std::string_view digits) {
  return parse_number<std::uint64_t>(digits).value_or(0);
}

}  // namespace

std::string facts_text(const SessionFacts& facts) {
  return fmt::format("pod={}\nservice={}\nnamespace={}\nagent={}\nprotocol={}\n",
                     one_line(facts.pod), one_line(facts.service), one_line(facts.name_space),
                     facts.client_version, facts.server_version);
}

SessionFacts facts_of_text(std::string_view text) {
  SessionFacts facts;
  text = text.substr(0, kMostFactsBytes);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t mark = line.find('=');
    if (mark == std::string_view::npos) continue;
    const std::string_view key = line.substr(0, mark), value = line.substr(mark + 1);
    if (key == "pod") facts.pod = valid_utf8(value);
    if (key == "service") facts.service = valid_utf8(value);
    if (key == "namespace") facts.name_space = valid_utf8(value);
    if (key == "agent") facts.client_version = number_of(value);
    if (key == "protocol") facts.server_version = number_of(value);
  }
  return facts;
}

}  // namespace cinderscope::qubership
