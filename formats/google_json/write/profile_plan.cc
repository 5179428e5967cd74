#include "formats/google_json/write/profile_plan.h"

#include <algorithm>

namespace cinderscope::google_json {

using Runs = ProfileSamples::Runs;

ProfilePlan::ProfilePlan(const std::vector<ProfileSamples>& profiles, const PartOptions& options,
                         const std::function<bool(ThreadId)>& is_thread_written) {
  for (const ProfileSamples& profile : profiles) {
    Part& part = parts_.emplace_back();
    part.samples = &profile;
    part.from = options.from;
    part.to = options.to;
    if (options.has_range()) find_edges(part, options.edges);
    for (std::uint64_t i = profile.times_ns.size(); i-- > 0 && part.last == kNone;) {
      if (part.keeps(i)) part.last = i;
    }
    part.is_written =
        (part.last != kNone || !options.has_range()) && is_thread_written(profile.thread);
    add_chunks(part);
  }
  std::ranges::sort(chunks_, {}, &Chunk::record);
}

// Samples need not be in time order. At equal times the first in the file comes first.
void ProfilePlan::find_edges(Part& part, RangeEdges edges) const {
  const ProfileSamples& profile = *part.samples;
  const std::vector<std::int64_t>& times = profile.times_ns;
  std::uint64_t before = kNone, call_before = kNone, inside = kNone, behind = kNone;
  for (std::uint64_t i = 0; i < times.size(); ++i) {
    if (profile.runs[i] == Runs::unknown) continue;
    const auto is_later = [&](std::uint64_t than) {
      return than == kNone || times[i] >= times[than];
    };
    if (times[i] < part.from) {
      if (is_later(before)) before = i;
      if (profile.runs[i] == Runs::call && is_later(call_before)) call_before = i;
    } else {
      std::uint64_t& first = times[i] < part.to ? inside : behind;
      if (first == kNone || times[i] < times[first]) first = i;
    }
  }
  if (edges != RangeEdges::drop) {
    const bool begins_at_once = inside != kNone && times[inside] == part.from;
    const bool lasts = inside != kNone || behind != kNone || profile.end_ns > part.from;
    if (before != kNone && lasts && !begins_at_once) part.held = before;
    const std::uint64_t first = part.held != kNone ? part.held : inside;
    const bool is_on_top = first != kNone && profile.runs[first] == Runs::collector;
    // At the same time the order in the file tells what is on top.
    if (is_on_top && call_before != kNone && call_before < first) part.under = call_before;
    if (edges == RangeEdges::cut) part.held_ns = part.from;
  }
  part.end_ns = part.to;
  if (edges == RangeEdges::whole) part.end_ns = behind != kNone ? times[behind] : INT64_MAX;
  part.is_cut = edges != RangeEdges::drop && behind != kNone;
}

void ProfilePlan::add_chunks(const Part& part) {
  const ProfileSamples& profile = *part.samples;
  const auto number = static_cast<std::uint32_t>(&part - parts_.data());
  const auto& chunks = profile.chunks;
  if (chunks.empty() || chunks.front().record != profile.record) {
    chunks_.push_back({profile.record, number});
  }
  std::int64_t written = chunks.empty() ? 0 : chunks.front().before_ns;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const std::uint64_t end = i + 1 < chunks.size() ? chunks[i + 1].first : profile.times_ns.size();
    Chunk& chunk = chunks_.emplace_back(Chunk{.record = chunks[i].record,
                                              .part = number,
                                              .first = chunks[i].first,
                                              .end = end,
                                              .before_ns = chunks[i].before_ns,
                                              .written_ns = written});
    for (std::uint64_t sample = chunk.first; sample < end; ++sample) {
      if (!part.keeps(sample)) continue;
      ++chunk.kept;
      written = part.time(sample);
    }
  }
}

const ProfilePlan::Chunk* ProfilePlan::chunk(RecordOffset record) const {
  const auto found = std::ranges::lower_bound(chunks_, record, {}, &Chunk::record);
  return found != chunks_.end() && found->record == record ? &*found : nullptr;
}

}  // namespace cinderscope::google_json
