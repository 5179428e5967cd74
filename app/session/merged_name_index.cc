#include "app/session/merged_name_index.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "ingest/base/saturating.h"
#include "ingest/model/move_slices.h"

namespace cinderscope {
namespace {

// A time of the timeline as the file has it; what is the limit of all times stays so.
std::int64_t time_in(const MergedNameIndex::Part& part, std::int64_t time_ns) {
  if (time_ns == INT64_MIN || time_ns == INT64_MAX) return time_ns;
  return saturating_difference(time_ns, part.shift_ns);
}

NameIndex::Place moved(const MergedNameIndex::Part& part, NameIndex::Place place) {
  place.thread += part.first_thread;
  place.begin_ns = moved_time(place.begin_ns, part.shift_ns);
  place.record = moved_record(place.record, part.first_record, part.record_end);
  return place;
}

}  // namespace

MergedNameIndex::MergedNameIndex(std::vector<Part> parts, bool whole) : parts_(std::move(parts)) {
  whole_ = whole;
  std::unordered_map<StringId, std::size_t> known;
  for (Part& part : parts_) {
    part.first_thread = static_cast<std::uint32_t>(threads_.size());
    for (IndexedThread thread : part.index->threads()) {
      thread.first_track += part.first_track;
      thread.track_count = std::min(thread.track_count, part.track_count);
      threads_.push_back(thread);
    }
    for (const NameCount& count : part.index->names()) {
      const auto [found, is_new] = known.try_emplace(count.name, names_.size());
      if (is_new) names_.push_back({.name = count.name});
      names_[found->second].slices += count.slices;
      names_[found->second].instants += count.instants;
    }
  }
}

std::optional<NameIndex::Place> MergedNameIndex::nearest(const NameSet& wanted,
                                                         std::int64_t from_ns, int direction,
                                                         const std::atomic<bool>& cancelled) const {
  std::optional<Place> best;
  for (const Part& part : parts_) {
    const auto found = part.index->nearest(wanted, time_in(part, from_ns), direction, cancelled);
    if (!found) continue;
    const Place place = moved(part, *found);
    const bool is_better = !best || (direction > 0 ? place.begin_ns < best->begin_ns
                                                   : place.begin_ns > best->begin_ns);
    if (is_better) best = place;
  }
  return cancelled ? std::nullopt : best;
}

bool MergedNameIndex::each(const Wanted& wanted, const std::atomic<bool>& cancelled,
                           const CallSink& take, const SurveyProgress& progress) const {
  double done = 0;
  for (const Part& part : parts_) {
    Wanted here{.names = wanted.names, .before_ns = time_in(part, wanted.before_ns)};
    for (std::size_t i = 0; i < part.index->threads().size(); ++i) {
      const std::size_t thread = part.first_thread + i;
      here.threads.push_back(thread < wanted.threads.size() && wanted.threads[thread]);
    }
    const auto take_moved = [&](Call call) {
      call.place = moved(part, call.place);
      call.end_record = moved_record(call.end_record, part.first_record, part.record_end);
      take(call);
    };
    const auto tell = [&](double share) {
      progress((done + share) / static_cast<double>(parts_.size()));
    };
    if (!part.index->each(here, cancelled, take_moved, tell)) return false;
    ++done;
  }
  return !cancelled;
}

}  // namespace cinderscope
