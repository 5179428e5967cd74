// Walks over sorted events, one operation after the other, and lets go of memory on the way.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "ingest/os/memory.h"

namespace cinderscope::google_json {

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
