#include "formats/qubership/call_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>

namespace cinderscope::qubership {

bool CallList::add(Recording& recording, const StreamFile& file, Diagnostics& problems,
                   const GoOn& go_on) {
  CallReader reader(recording.store.bytes(file));
  if (!reader.known_format()) {
    report(
        problems, diagnostic::kUnknownFormat, file, 0,
        fmt::format("calls of format {} are not known here; they were left out.", reader.format()));
    return true;
  }
  CallRecord record;
  AskOnTheWay ask(go_on);
  while (reader.next(record)) {
    if (!ask.at(record.at)) return false;
    calls_.push_back({record.trace_file, record.block_at, record.event});
    if (record.names_thread) recording.naming_records.push_back(file.begin + record.at);
  }
  if (reader.cut()) {
    report(problems, diagnostic::kTruncated, file, record.at,
           "the file ends in the middle of a call.");
  }
  return true;
}

void CallList::sort() {
  calls_.shrink_to_fit();
  order_.resize(calls_.size());
  std::iota(order_.begin(), order_.end(), 0);
  std::ranges::stable_sort(order_, [&](std::uint32_t a, std::uint32_t b) {
    const ListedCall &left = calls_[a], &right = calls_[b];
    return std::tie(left.trace_file, left.block_at, left.event) <
           std::tie(right.trace_file, right.block_at, right.event);
  });
}

std::span<const std::uint32_t> CallList::of_block(std::uint32_t trace_file,
                                                  std::uint64_t block_at) const {
  const auto place = [&](std::uint32_t i) {
    return std::pair(calls_[i].trace_file, std::uint64_t{calls_[i].block_at});
  };
  const std::pair wanted(trace_file, block_at);
  return {std::ranges::lower_bound(order_, wanted, {}, place),
          std::ranges::upper_bound(order_, wanted, {}, place)};
}

}  // namespace cinderscope::qubership
