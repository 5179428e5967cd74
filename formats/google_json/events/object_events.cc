#include "formats/google_json/events/object_events.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "formats/google_json/events/keyed_runs.h"
#include "ingest/base/saturating.h"
#include "ingest/build/passing_memory.h"

namespace cinderscope::google_json {

struct ObjectEvents::Lifetime {
  ProcessId process{};
  StringId type = kEmptyString;
  Slice slice;
  std::vector<AsyncMark> snapshots;
};

void ObjectEvents::add(const KeyedEvent& event, std::string_view key, StringId type,
                       ProcessId process) {
  const std::uint32_t object = objects_.number_of(key, event.key_hash, 0);
  if (object == ids_.size()) ids_.emplace_back(key.substr(key.rfind('\n') + 1));
  events_.push_back(
      {event.time_ns, event.record, object, type, process, event.phase, event.has_args});
}

void ObjectEvents::finish(std::int64_t end_ns, unsigned jobs) {
  // Records grow in file order, so this keeps the order of events of equal time.
  const auto before = [](const Event& a, const Event& b) {
    if (a.object != b.object) return a.object < b.object;
    return a.time_ns != b.time_ns ? a.time_ns < b.time_ns : a.record < b.record;
  };
  const auto object_of = [](const Event& event) { return event.object; };
  sort_by_operation(std::span(events_), jobs, object_of, before);
  take_each_run(std::move(events_), object_of,
                [&](std::span<const Event> events) { add_object(events, end_ns); });
  release(events_);
  release(ids_);
}

void ObjectEvents::add_object(std::span<const Event> events, std::int64_t end_ns) {
  const std::string& id = ids_[events.front().object];
  std::optional<Lifetime> open;
  const auto begin = [&](const Event& event) {
    open = Lifetime{.process = event.process, .type = event.type, .slice = {}, .snapshots = {}};
    const std::string type(out_->strings()->text(event.type));
    open->slice.begin_ns = event.time_ns;
    open->slice.name = out_->intern(type.empty() ? id : type + " " + id);
    open->slice.record = event.record;
  };
  for (const Event& event : events) {
    if (event.phase == 'N') {
      // The id is used again, so the object before has gone without a word.
      if (open) add_lifetime(*open, event.time_ns, kUnfinished);
      begin(event);
      continue;
    }
    if (!open) {
      begin(event);
      out_->diagnostics().count(diagnostic::kObjectWithoutBegin,
                                static_cast<std::int64_t>(event.record));
    }
    if (event.phase == 'O') {
      const StringId name = out_->intern("snapshot");
      open->snapshots.push_back(
          {{event.time_ns, 0, name, event.record, kNoRecord, 0}, open->slice.record});
      continue;
    }
    if (event.has_args && event.record != open->slice.record) {
      open->slice.end_record = event.record;
    }
    add_lifetime(*open, event.time_ns, 0);
    open.reset();
  }
  if (open) add_lifetime(*open, std::max(end_ns, events.back().time_ns), kUnfinished);
}

void ObjectEvents::add_lifetime(Lifetime& lifetime, std::int64_t end_ns, std::uint8_t flags) {
  lifetime.slice.duration_ns = saturating_difference(end_ns, lifetime.slice.begin_ns);
  lifetime.slice.flags = flags;
  const AsyncTrackId track = out_->lifetime_track(lifetime.process, lifetime.type);
  out_->async_group(track, {{lifetime.slice, 0}}, lifetime.snapshots);
}

}  // namespace cinderscope::google_json
