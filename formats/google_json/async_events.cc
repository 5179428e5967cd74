#include "formats/google_json/async_events.h"

#include <algorithm>

#include "formats/google_json/event_reader.h"
#include "formats/google_json/raw_json.h"
#include "ingest/open_slices.h"
#include "ingest/saturating.h"

namespace cinderscope::google_json {
namespace {

constexpr bool is_step(char phase) {
  return phase == 'n' || phase == 'T' || phase == 'p';
}
constexpr bool is_begin(char phase) {
  return phase == 'b' || phase == 'S';
}
constexpr bool is_old(char phase) {
  return phase == 'S' || phase == 'F';
}

}  // namespace

OperationId operation_id(const SideEvent& event, const GrowingText& text, std::string_view pid) {
  if (event.id2) {
    const std::string_view id2 = text.view(event.id2);
    if (const std::string_view global = member(id2, "global"); !global.empty()) {
      return {"g" + id_text(global), true};
    }
    return {"l" + std::string(pid) + '\n' + id_text(member(id2, "local")), false};
  }
  std::string out = "i";
  if (event.scope) out += text_of(text.view(event.scope));
  return {out + '\n' + (event.id ? id_text(text.view(event.id)) : "-"), false};
}

void AsyncEvents::add(const SideEvent& event, StringId name, ProcessId process,
                      std::string_view pid, const GrowingText& text) {
  if (is_step(event.phase)) {
    out_->diagnostics().count("async_step", static_cast<std::int64_t>(event.record),
                              "Steps of asynchronous operations (n, T, p) are not drawn.");
    return;
  }
  OperationId id = operation_id(event, text, pid);
  std::string key = (event.category ? text_of(text.view(event.category)) : std::string()) + '\n';
  key += id.text;
  if (is_old(event.phase)) {
    key += "\nold\n" + std::to_string(index(name));
    if (!id.global) key.append("\n").append(pid);
  }
  const auto group =
      groups_.try_emplace(std::move(key), static_cast<std::uint32_t>(groups_.size()));
  const bool has_args = !is_begin(event.phase) && event.args.end - event.args.begin > 2;
  events_.push_back(
      {event.time_ns, event.record, group.first->second, 0, name, process, event.phase, has_args});
}

void AsyncEvents::finish(std::int64_t end_ns) {
  groups_.clear();
  std::stable_sort(events_.begin(), events_.end(), [](const Event& a, const Event& b) {
    return a.group != b.group ? a.group < b.group : a.time_ns < b.time_ns;
  });
  for (std::size_t first = 0; first < events_.size();) {
    std::size_t last = first;
    while (last < events_.size() && events_[last].group == events_[first].group) ++last;
    pair_group(first, last, end_ns);
    first = last;
  }
  events_ = {};
}

// Pairs as the thread slices do: an end closes the innermost open slice of its name, else the
// innermost one.
void AsyncEvents::pair_group(std::size_t first, std::size_t last, std::int64_t end_ns) {
  OpenSlices open;  // its records are indices into events_
  std::vector<AsyncSlice> slices;
  for (std::size_t i = first; i < last; ++i) {
    Event& event = events_[i];
    if (is_begin(event.phase)) {
      event.depth = open.count();
      open.push({event.time_ns, event.name, i});
      continue;
    }
    OpenSlices::Closed closed;
    if (!open.close(event.name == kEmptyString ? kNoName : event.name, closed)) {
      out_->diagnostics().count("stray_async_end", static_cast<std::int64_t>(event.record));
      continue;
    }
    const Event& begin = events_[closed.slice.record];
    slices.push_back({{begin.time_ns, saturating_difference(event.time_ns, begin.time_ns),
                       begin.name, begin.record, event.has_args ? event.record : kNoRecord, 0},
                      begin.depth});
  }
  for (const OpenSlice& still : open.all()) {
    const Event& begin = events_[still.record];
    const std::int64_t end = is_old(begin.phase) ? end_ns : events_[last - 1].time_ns;
    slices.push_back(
        {{begin.time_ns, std::max<std::int64_t>(0, saturating_difference(end, begin.time_ns)),
          begin.name, begin.record, kNoRecord, kUnfinished},
         begin.depth});
  }
  if (slices.empty()) return;
  const auto outer =
      std::min_element(slices.begin(), slices.end(), [](const AsyncSlice& a, const AsyncSlice& b) {
        return a.slice.begin_ns != b.slice.begin_ns ? a.slice.begin_ns < b.slice.begin_ns
                                                    : a.depth < b.depth;
      });
  const AsyncTrackId track = out_->async_track(events_[first].process, outer->slice.name);
  out_->async_group(track, std::move(slices));
}

}  // namespace cinderscope::google_json
