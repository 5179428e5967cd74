#include "formats/qubership/call_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "formats/qubership/trace_reader.h"

namespace cinderscope::qubership {

bool CallList::add(Recording& recording, const StreamFile& file, ReadOn& from, AtEnd end,
                   Diagnostics& problems, const GoOn& go_on) {
  CallReader reader(recording.store.bytes(file), from);
  if (!reader.known_format()) {
    if (std::exchange(from.at, file.size()) != 0) return true;
    report(
        problems, diagnostic::kUnknownFormat, file, 0,
        fmt::format("calls of format {} are not known here; they were left out.", reader.format()));
    return true;
  }
  if (reader.cut() && end == AtEnd::more) return true;  // within its head
  CallRecord record;
  AskOnTheWay ask(go_on);
  while (reader.next(record)) {
    if (!ask.at(record.at)) return false;
    calls_.push_back({record.trace_file, record.block_at, record.event});
    if (record.names_thread) recording.naming_records.push_back(file.begin + record.at);
    from = reader.place();
  }
  if (reader.cut() && end == AtEnd::nothing) {
    report(problems, diagnostic::kTruncated, file, record.at,
           "the file ends in the middle of a call.");
  }
  return true;
}

void CallList::find_roots(const Recording& recording) {
  for (auto next = order_.begin(); next != order_.end();) {
    const ListedCall& first = calls_[*next];
    const auto same_block = [&](std::uint32_t i) {
      return calls_[i].trace_file == first.trace_file && calls_[i].block_at == first.block_at;
    };
    const auto end = std::find_if_not(next, order_.end(), same_block);
    const StreamFile* file = recording.store.find(Stream::trace, first.trace_file);
    const std::uint64_t place = file == nullptr ? kNoRecord : file->begin + first.block_at;
    const auto block = std::ranges::lower_bound(recording.blocks, place, {}, &TraceBlock::begin);
    if (file == nullptr || block == recording.blocks.end() || block->begin != place) {
      next = end;
      continue;
    }
    const std::span<const std::byte> bytes = recording.store.bytes(*file);
    BlockReader events(bytes, WireCursor(bytes).i64(), first.block_at);
    TraceEvent event;
    for (auto call = next; call != end; ++call) calls_[*call].thread = block->thread;
    for (std::uint32_t i = 0; next != end && events.next(event); ++i) {
      for (; next != end && calls_[*next].event <= i; ++next) {
        const bool is_root = calls_[*next].event == i && event.kind == EventKind::enter;
        if (is_root) calls_[*next].root = file->begin + event.at;
      }
    }
    next = end;
  }
  std::erase_if(order_, [&](std::uint32_t i) { return calls_[i].thread != kNoThreadNumber; });
}

void CallList::sort(const Recording& recording) {
  // Those of before whose blocks came since are done.
  std::erase_if(order_, [&](std::uint32_t i) { return calls_[i].thread != kNoThreadNumber; });
  for (; sorted_ < calls_.size(); ++sorted_) order_.push_back(static_cast<std::uint32_t>(sorted_));
  std::ranges::stable_sort(order_, [&](std::uint32_t a, std::uint32_t b) {
    const ListedCall &left = calls_[a], &right = calls_[b];
    return std::tie(left.trace_file, left.block_at, left.event) <
           std::tie(right.trace_file, right.block_at, right.event);
  });
  if (!recording.blocks.empty()) find_roots(recording);
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
