#include "formats/qubership/process_streams.h"

#include <unordered_set>

#include "formats/qubership/text/wire_text.h"
#include "formats/qubership/wire_cursor.h"
#include "ingest/base/saturating.h"

namespace cinderscope::qubership {

std::vector<Parameter> read_parameters(const StreamStore& store, const StreamFile& file, AtEnd end,
                                       Diagnostics& problems, const GoOn& go_on) {
  constexpr std::uint64_t kMostUnits = 4096;
  std::vector<Parameter> parameters;
  WireCursor in(store.bytes(file));
  if (in.at_end()) return parameters;
  in.skip(1);  // the version, 1 as long as there have been parameters
  std::unordered_set<std::string> names;
  AskOnTheWay ask(go_on);
  while (!in.at_end() && ask.at(in.at())) {
    const std::uint64_t at = in.at();
    Parameter parameter;
    parameter.name = utf8_of(in.text(), kMostUnits);
    parameter.indexed = in.u8() == 1;
    parameter.list = in.u8() == 1;
    parameter.order = static_cast<std::int32_t>(in.varint32());
    parameter.signature = utf8_of(in.text(), kMostUnits);
    if (in.cut()) {
      if (end == AtEnd::more) break;
      report(problems, diagnostic::kTruncated, file, at,
             "the file ends in the middle of a parameter.");
    } else if (names.insert(parameter.name).second) {
      parameters.push_back(std::move(parameter));
    }
  }
  return parameters;
}

std::vector<Suspension> read_suspensions(const StreamStore& store, const StreamFile& file,
                                         ReadOn& from, AtEnd end, Diagnostics& problems,
                                         const GoOn& go_on) {
  std::vector<Suspension> pauses;
  WireCursor in(store.bytes(file), from.at);
  if (in.at_end()) return pauses;
  std::int64_t time_ms = from.at == 0 ? in.i64() : from.time_ms;
  std::uint64_t at = 0;
  AskOnTheWay ask(go_on);
  while (!in.at_end() && ask.at(in.at())) {
    at = in.at();
    time_ms = saturating_sum(time_ms, in.varint32());
    const std::uint32_t amount_ms = in.varint32();
    if (in.cut()) break;
    pauses.push_back({time_ms, amount_ms});
    from = {.at = in.at(), .time_ms = time_ms};
  }
  if (in.cut() && end == AtEnd::nothing) {
    report(problems, diagnostic::kTruncated, file, at, "the file ends in the middle of a pause.");
  }
  return pauses;
}

}  // namespace cinderscope::qubership
