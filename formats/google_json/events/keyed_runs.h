// Sorts events by operation and walks over them, one operation after the other, letting go of
// memory on the way.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "ingest/base/parallel.h"
#include "ingest/os/memory.h"

namespace cinderscope::google_json {

// As std::sort() would, by operation (a number) first; `jobs` threads share the work. In place,
// since there is most to keep when events are sorted: each goes to its share of the operations in
// one pass, and the shares are sorted by themselves.
template <class Event, class Operation, class Before>
void sort_by_operation(std::span<Event> events, unsigned jobs, Operation operation, Before before) {
  constexpr std::uint32_t kShares = 1024;
  constexpr std::size_t kWorthSharing = std::size_t{1} << 16;
  if (std::is_sorted(events.begin(), events.end(), before)) return;
  std::uint32_t last = 0;
  for (const Event& event : events) last = std::max<std::uint32_t>(last, operation(event));
  if (events.size() < kWorthSharing || last < kShares) {
    std::sort(events.begin(), events.end(), before);
    return;
  }
  const auto shift = std::bit_width(last) - std::bit_width(kShares - 1);
  const auto share_of = [&](const Event& event) { return operation(event) >> shift; };
  std::array<std::size_t, kShares + 1> begins{};
  for (const Event& event : events) ++begins[share_of(event) + 1];
  for (std::size_t i = 1; i < begins.size(); ++i) begins[i] += begins[i - 1];
  std::array<std::size_t, kShares + 1> next =
      begins;  // in each share the first that is not its own
  for (std::uint32_t share = 0; share < kShares; ++share) {
    while (next[share] < begins[share + 1]) {
      const std::uint32_t wanted = share_of(events[next[share]]);
      if (wanted != share) std::swap(events[next[share]], events[next[wanted]]);
      ++next[wanted];
    }
  }
  parallel_for(kShares, jobs, [&](std::size_t share) {
    const std::span<Event> own = events.subspan(begins[share], begins[share + 1] - begins[share]);
    std::sort(own.begin(), own.end(), before);
  });
}

// Calls visit(run) for each run of neighbours of which operation(event) is equal.
template <class Event, class Operation, class Visit>
void for_each_run(std::span<const Event> events, Operation operation, Visit visit) {
  for (std::size_t first = 0, last = 0; first < events.size(); first = last) {
    while (last < events.size() && operation(events[last]) == operation(events[first])) ++last;
    visit(events.subspan(first, last - first));
  }
}

// The same, and what was visited is given back in pieces: what is made of the events takes as much
// memory as they did, and a trace may have millions of them.
template <class Event, class Operation, class Visit>
void take_each_run(std::vector<Event> events, Operation operation, Visit visit) {
  static_assert(std::is_trivially_destructible_v<Event>);
  constexpr std::size_t kPiece = (std::size_t{1} << 20) / sizeof(Event);
  std::span<Event> left = events;
  std::size_t visited = 0;
  for_each_run(std::span<const Event>(events), operation, [&](std::span<const Event> run) {
    visit(run);
    visited += run.size();
    if (visited < kPiece) return;
    give_back_pages(std::as_writable_bytes(left.first(visited)));
    left = left.subspan(std::exchange(visited, 0));
  });
}

}  // namespace cinderscope::google_json
