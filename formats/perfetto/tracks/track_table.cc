#include "formats/perfetto/tracks/track_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "formats/perfetto/perfetto_wire.h"
#include "formats/perfetto/tracks/chrome_names.h"
#include "ingest/base/fields.h"

namespace cinderscope::perfetto {
namespace {

constexpr std::size_t kHeadingBytes = 200;  // of a parent's; chains may be of any length

TrackUse use_of(const TrackDescriptor& descriptor) {
  if (descriptor.thread) return TrackUse::thread;
  if (descriptor.process) return TrackUse::process;
  if (descriptor.counter) return TrackUse::counter;
  return descriptor.is_state ? TrackUse::state : TrackUse::custom;
}

void name_described(const TrackDescriptor& descriptor, const DescribedTrack& track,
                    std::uint64_t place, Owners& owners) {
  if (descriptor.process && track.use == TrackUse::process) {
    name_by_description(*descriptor.process, descriptor.name, track.process, place, owners);
    owners.process(track.process).rank = descriptor.rank;
  }
  if (descriptor.thread && track.use == TrackUse::thread) {
    name_by_description(*descriptor.thread, descriptor.name, track.thread, place, owners);
    owners.thread(track.thread).rank = descriptor.rank;
  }
}

std::string_view unit_word(std::uint64_t unit) {
  constexpr std::string_view kUnits[] = {"", "ns", "count", "bytes"};
  return unit < std::size(kUnits) ? kUnits[unit] : "";
}

// At a border of characters.
void shorten(std::string& heading) {
  if (heading.size() <= kHeadingBytes) return;
  std::size_t length = kHeadingBytes;
  while (length > 0 && (static_cast<unsigned char>(heading[length]) & 0xc0) == 0x80) --length;
  heading.resize(length);
}

}  // namespace

std::string heading_of(std::string_view above, std::string_view name) {
  if (above.empty() || name.empty()) return std::string(above.empty() ? name : above);
  return fmt::format("{} / {}", above, name);
}

void name_by_description(const ProcessDescription& told, std::string_view otherwise,
                         std::uint32_t process, std::uint64_t place, Owners& owners) {
  owners.name_process(
      process, is_chrome_renderer(told.chrome_type) ? kRendererProcessName : kTypeProcessName,
      place, chrome_process_name(told.chrome_type));
  owners.name_process(process, kDescribedProcessName, place,
                      told.name.empty() ? otherwise : told.name);
  owners.name_process(process, kCommandLineName, place, told.first_argument);
  if (!told.labels.empty()) owners.process(process).labels = told.labels;
}

void name_by_description(const ThreadDescription& told, std::string_view otherwise,
                         std::uint32_t thread, std::uint64_t place, Owners& owners) {
  owners.name_thread(thread, kTypeThreadName, place, chrome_thread_name(told.chrome_type));
  owners.name_thread(thread, kDescribedThreadName, place,
                     told.name.empty() ? otherwise : told.name);
}

void TrackTable::describe_again(DescribedTrack& track, const TrackDescriptor& descriptor) {
  if (track.name.empty() || (descriptor.merging == kMergeNever && !descriptor.name.empty())) {
    track.name = descriptor.name;
  }
}

void TrackTable::add(const TrackDescriptor& descriptor, std::uint64_t machine, std::uint64_t place,
                     std::uint64_t file_offset, Owners& owners, Diagnostics& diagnostics) {
  ++descriptor_count_;
  const auto offset = static_cast<std::int64_t>(file_offset);
  const bool lacks_ids =
      (descriptor.thread && (!descriptor.thread->has_pid || !descriptor.thread->has_tid)) ||
      (descriptor.process && !descriptor.thread && !descriptor.process->has_pid);
  if (!descriptor.has_uuid || lacks_ids) return diagnostics.count(kBadTrack, offset);
  if (descriptor.uuid == 0) {
    ranks_processes_ = ranks_processes_ || descriptor.ranks_processes;
    ranks_threads_ = ranks_threads_ || descriptor.ranks_threads;
  }
  const auto [found, fresh] =
      by_uuid_.try_emplace(descriptor.uuid, static_cast<std::uint32_t>(tracks_.size()));
  if (!fresh) {
    DescribedTrack& known = tracks_[found->second];
    const TrackUse use = use_of(descriptor);
    const bool other_owner =
        use == known.use &&
        ((use == TrackUse::thread && owners.thread(known.thread).tid != descriptor.thread->tid) ||
         (use == TrackUse::process &&
          owners.process(known.process).pid != descriptor.process->pid));
    if (use != known.use || other_owner) return diagnostics.count(kBadTrack, offset);
    describe_again(known, descriptor);
    return name_described(descriptor, known, place, owners);
  }
  DescribedTrack track{.uuid = descriptor.uuid, .parent = descriptor.parent, .place = place};
  track.use = use_of(descriptor);
  track.name = descriptor.name;
  track.merging = descriptor.merging;
  track.ordering = descriptor.ordering;
  track.merge_key = descriptor.merge_key;
  track.rank = descriptor.rank;
  if (track.use == TrackUse::thread) {
    const std::uint32_t parent = find(descriptor.parent);
    const bool has_process = parent < tracks_.size() && tracks_[parent].use == TrackUse::process;
    const std::uint32_t process = has_process
                                      ? tracks_[parent].process
                                      : owners.process_at(machine, descriptor.thread->pid, place);
    track.thread = owners.describe_thread(process, descriptor.thread->tid, place);
    track.process = process;
  } else if (track.use == TrackUse::process) {
    track.process = owners.describe_process(machine, descriptor.process->pid, place);
  } else if (descriptor.counter) {
    const CounterDescription& told = *descriptor.counter;
    track.is_cpu_time = told.type == CounterDescription::kThreadTime;
    track.is_cpu = track.is_cpu_time || told.type == CounterDescription::kInstructions;
    track.incremental = told.incremental;
    track.unit_multiplier = told.unit_multiplier;
    track.unit = told.unit_name.empty() ? unit_word(told.unit) : told.unit_name;
  }
  name_described(descriptor, track, place, owners);
  tracks_.push_back(std::move(track));
  offsets_.push_back(file_offset);
}

void TrackTable::resolve(Diagnostics& diagnostics, Owners& owners) {
  // A thread may have been told of before its process, and then be taken for one of another that
  // has the same id.
  for (DescribedTrack& track : tracks_) {
    const std::uint32_t parent = track.use == TrackUse::thread ? find(track.parent) : kNone;
    if (parent == kNone || tracks_[parent].use != TrackUse::process) continue;
    track.process = tracks_[parent].process;
    owners.move_thread(track.thread, track.process);
  }
  // Each track after its parent; a chain of parents may be as long as there are tracks.
  enum class State : std::uint8_t { untouched, on_the_way, done };
  std::vector<State> states(tracks_.size(), State::untouched);
  std::vector<std::uint32_t> chain;
  for (std::uint32_t first = 0; first < tracks_.size(); ++first) {
    for (std::uint32_t i = first; i != kNone && states[i] == State::untouched;) {
      states[i] = State::on_the_way;
      chain.push_back(i);
      const DescribedTrack& track = tracks_[i];
      const bool owned = track.use == TrackUse::thread || track.use == TrackUse::process;
      i = owned || track.parent == 0 ? kNone : find(track.parent);
      if (i != kNone && states[i] == State::on_the_way) {
        // A circle: it is cut where it closes.
        tracks_[chain.back()].parent = 0;
        diagnostics.count(kLostParent, static_cast<std::int64_t>(offsets_[chain.back()]));
        i = kNone;
      }
    }
    while (!chain.empty()) {
      resolve_one(chain.back(), diagnostics, owners);
      states[chain.back()] = State::done;
      chain.pop_back();
    }
  }
}

void TrackTable::resolve_one(std::uint32_t i, Diagnostics& diagnostics, Owners& owners) {
  DescribedTrack& track = tracks_[i];
  if (track.use == TrackUse::thread || track.use == TrackUse::process || track.parent == 0) return;
  const std::uint32_t above = find(track.parent);
  if (above == kNone) {
    diagnostics.count(kLostParent, static_cast<std::int64_t>(offsets_[i]));
    track.parent = 0;
    return;
  }
  const DescribedTrack& parent = tracks_[above];
  track.process = parent.process;
  track.thread = parent.thread;
  if (parent.use == TrackUse::process) return;
  // Calls of a thread have its row; what lies below it stands beside it, and says whose it is.
  track.above = parent.use == TrackUse::thread ? owners.thread(parent.thread).name.text
                                               : heading_of(parent.above, parent.name);
  shorten(track.above);
}

void TrackTable::save_cpu_times(cinderscope::FieldWriter& out) const {
  out.add(descriptor_count_);
  std::vector<std::pair<std::uint64_t, std::uint32_t>> known;
  for (const auto& [uuid, i] : by_uuid_) {
    if (tracks_[i].is_cpu_time) known.emplace_back(uuid, i);
  }
  out.add(std::uint64_t{known.size()});
  for (const auto& [uuid, i] : known) {
    out.add(uuid);
    out.add(tracks_[i].incremental);
    out.add(tracks_[i].unit_multiplier);
  }
}

void TrackTable::restore_cpu_times(cinderscope::FieldReader& in) {
  descriptor_count_ = in.take<std::uint64_t>();
  tracks_.resize(in.take_count(17));
  for (std::uint32_t i = 0; i < tracks_.size(); ++i) {
    DescribedTrack& track = tracks_[i];
    track.uuid = in.take<std::uint64_t>();
    track.use = TrackUse::counter;
    track.is_cpu = track.is_cpu_time = true;
    track.incremental = in.take<bool>();
    track.unit_multiplier = in.take<std::int64_t>();
    by_uuid_[track.uuid] = i;
  }
}

}  // namespace cinderscope::perfetto
