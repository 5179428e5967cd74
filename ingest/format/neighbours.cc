#include "ingest/format/neighbours.h"

#include <fmt/format.h>

#include <array>
#include <cstring>

#include "ingest/base/ascii.h"
#include "ingest/base/json/json_head.h"

namespace cinderscope {
namespace {

constexpr std::string_view kOldPprof =
    "a profile of the old pprof; convert it first (pprof -proto {})";

std::string json_neighbour(std::string_view text) {
  const json::JsonHead head(text);
  const auto has_all = [&](auto... keys) { return (head.has_key(keys) && ...); };
  if (!head.is_object || head.has_key("traceEvents")) return {};
  if (has_all("snapshot")) return "a heap snapshot of V8";
  if (has_all("profileJSON") || has_all("symbolicationTable") ||
      text.find("\"format\":\"profileJSON") != std::string_view::npos) {
    return "a profile of Cleopatra, from before 2016";
  }
  if (has_all("dhatFileVersion")) return "a profile of DHAT";
  if (has_all("mode", "frames", "raw")) return "a profile of stackprof";
  if (has_all("code", "functions", "ticks")) return "a processed log of V8";
  if (has_all("recording") && head.has("sampleStackTraces")) return "a recording of Safari";
  return {};
}

bool has_line_of(std::string_view text, std::string_view begin) {
  return text.starts_with(begin) || text.find("\n" + std::string(begin)) != std::string_view::npos;
}

// Words 0, 3, 0, period of 32 or 64 bits: what gperftools wrote.
template <class Word>
bool is_old_cpu_profile(std::string_view head) {
  std::array<Word, 4> words{};
  if (head.size() < sizeof(words)) return false;
  std::memcpy(words.data(), head.data(), sizeof(words));
  return words[0] == 0 && words[1] == 3 && words[2] == 0 && words[3] != 0;
}

}  // namespace

std::string neighbour_kind(std::string_view head) {
  constexpr std::string_view kBlanks = " \t\r\n\f";
  const std::size_t first = head.find_first_not_of(kBlanks);
  if (first != std::string_view::npos && head[first] == '{') return json_neighbour(head);
  if (head.starts_with("SIMPLEPERF")) {
    return "a recording of simpleperf; export it first (perf script)";
  }
  if (equals_in_any_case(head.substr(0, 4), "jslb")) {
    return "a binary container of the Firefox Profiler; save the profile as JSON";
  }
  if (head.starts_with("# callgrind format") ||
      (has_line_of(head, "events:") && has_line_of(head, "fn="))) {
    return "a profile of Callgrind";
  }
  for (const std::string_view begin :
       {"heap profile:", "--- contention", "--- threadz", "goroutine profile: total"}) {
    if (head.starts_with(begin)) return fmt::format(kOldPprof, "FILE");
  }
  if (is_old_cpu_profile<std::uint64_t>(head) || is_old_cpu_profile<std::uint32_t>(head)) {
    return fmt::format(kOldPprof, "PROGRAM FILE");
  }
  return {};
}

}  // namespace cinderscope
