#include "formats/speedscope/evented_profile.h"

#include <algorithm>
#include <string_view>

#include "formats/speedscope/speedscope_file.h"
#include "ingest/base/decimal_time.h"

namespace cinderscope::speedscope {
namespace {

constexpr DiagnosticKind kImpliedEnd{
    "implied_end", Severity::harmless,
    "Frames that were open above one that was closed ended with it."};
constexpr DiagnosticKind kStrayClose{"stray_end", Severity::odd,
                                     "A frame was closed that was not open."};
constexpr DiagnosticKind kNoEventTime{"missing_ts", Severity::odd,
                                      "Events without a usable time were left out."};
constexpr DiagnosticKind kUnknownEvent{"unknown_phase", Severity::odd,
                                       "Events that neither open nor close a frame were left out."};
constexpr DiagnosticKind kUnsortedEvents{
    "unsorted", Severity::odd, "Events of a profile step back in time; they were sorted."};

std::uint64_t sort_events(std::vector<EventList::Event>& events) {
  std::uint64_t earlier = 0;
  for (std::size_t i = 1; i < events.size(); ++i) {
    earlier += events[i].at < events[i - 1].at ? 1 : 0;
  }
  if (earlier > 0) {
    std::ranges::stable_sort(events, {}, &EventList::Event::at);
  }
  return earlier;
}

}  // namespace

void read_event(json::JsonWalk& walk, std::int64_t list_at, int power, FrameNumbers& numbers,
                EventList& out, Diagnostics& diagnostics) {
  const std::int64_t event_at = list_at + static_cast<std::int64_t>(walk.offset());
  std::string_view type, frame, at;
  const bool is_object = walk.enter('{');
  while (is_object && walk.next_key()) {
    const std::string_view key = walk.key(), raw = walk.value();
    if (key == "type") type = raw;
    if (key == "frame") frame = raw;
    if (key == "at") at = raw;
  }
  if (walk.cut()) return;
  const auto index = index_of(frame);
  if ((type != "\"O\"" && type != "\"C\"") || !index) {
    return diagnostics.count(kUnknownEvent, event_at);
  }
  const auto time = time_from_decimal(at, power);
  if (!time) return diagnostics.count(kNoEventTime, event_at);
  out.events.push_back({time->ns, numbers.number_of(*index), type == "\"O\""});
}

void write_events(EventList& list, std::span<const StringId> names, TrackWriter& out,
                  std::vector<std::uint32_t>& open_count, Diagnostics& diagnostics) {
  diagnostics.count(kUnsortedEvents, kNoOffset, {}, sort_events(list.events));
  std::vector<std::uint32_t> open;
  open_count.resize(names.size(), 0);
  std::uint64_t implied = 0, stray = 0;
  for (const EventList::Event& event : list.events) {
    if (event.opens) {
      out.begin(event.at, names[event.frame], event.frame);
      open.push_back(event.frame);
      ++open_count[event.frame];
      continue;
    }
    if (open_count[event.frame] == 0) {
      ++stray;
      continue;
    }
    for (bool done = false; !done; open.pop_back()) {
      done = open.back() == event.frame;
      implied += done ? 0 : 1;
      --open_count[open.back()];
      out.end(event.at, kNoName, kNoRecord);
    }
  }
  // What is still open was when the profile ended.
  if (list.end != INT64_MIN && !open.empty()) out.reach(list.end);
  for (const std::uint32_t frame : open) --open_count[frame];
  diagnostics.count(kImpliedEnd, kNoOffset, {}, implied);
  diagnostics.count(kStrayClose, kNoOffset, {}, stray);
}

}  // namespace cinderscope::speedscope
