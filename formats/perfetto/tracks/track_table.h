// What the descriptors of a trace say of its tracks. Filled once in the order of the file, then
// read by any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/perfetto/tracks/owners.h"
#include "formats/perfetto/tracks/track_descriptor.h"
#include "ingest/base/diagnostics.h"

namespace cinderscope {
class FieldReader;
class FieldWriter;
}  // namespace cinderscope

namespace cinderscope::perfetto {

// `otherwise` is the name of the track itself.
void name_by_description(const ProcessDescription& told, std::string_view otherwise,
                         std::uint32_t process, std::uint64_t place, Owners& owners);
void name_by_description(const ThreadDescription& told, std::string_view otherwise,
                         std::uint32_t thread, std::uint64_t place, Owners& owners);

enum class TrackUse : std::uint8_t { custom, thread, process, counter, state };

struct DescribedTrack {
  std::uint64_t uuid = 0, parent = 0;
  std::uint64_t place = 0;  // of its first descriptor
  TrackUse use = TrackUse::custom;
  std::uint32_t thread = kNone;
  std::uint32_t process = kNone;  // kNone: it belongs to all of them
  std::string name;
  std::string above;                        // names of the thread and the tracks it lies below
  std::uint64_t merging = 0, ordering = 0;  // as in its descriptor
  std::string merge_key;
  std::int32_t rank = 0;
  bool is_cpu = false;  // a counter that tells a thread's own time, or its instructions
  bool is_cpu_time = false;
  bool incremental = false;
  std::int64_t unit_multiplier = 1;
  std::string unit;  // of a counter; empty: not told
};

// "above / name", or the one of them that is there.
std::string heading_of(std::string_view above, std::string_view name);

class TrackTable {
 public:
  void add(const TrackDescriptor& descriptor, std::uint64_t machine, std::uint64_t place,
           std::uint64_t file_offset, Owners& owners, Diagnostics& diagnostics);
  // Once all have come: to whom tracks belong that only have a parent.
  void resolve(Diagnostics& diagnostics, Owners& owners);

  std::uint32_t find(std::uint64_t uuid) const {  // kNone if there is none
    const auto found = by_uuid_.find(uuid);
    return found == by_uuid_.end() ? kNone : found->second;
  }
  const DescribedTrack& operator[](std::uint32_t i) const { return tracks_[i]; }
  std::size_t size() const { return tracks_.size(); }
  std::uint64_t descriptor_count() const { return descriptor_count_; }
  // What of them is asked for once a trace is loaded, for a prepared copy of it: the counters that
  // tell CPU times.
  void save_cpu_times(cinderscope::FieldWriter& out) const;
  void restore_cpu_times(cinderscope::FieldReader& in);
  bool ranks_processes() const { return ranks_processes_; }
  bool ranks_threads() const { return ranks_threads_; }

 private:
  void describe_again(DescribedTrack& track, const TrackDescriptor& descriptor);
  void resolve_one(std::uint32_t track, Diagnostics& diagnostics, Owners& owners);

  std::vector<DescribedTrack> tracks_;
  std::vector<std::uint64_t> offsets_;  // of the first descriptors in the file
  std::unordered_map<std::uint64_t, std::uint32_t> by_uuid_;
  std::uint64_t descriptor_count_ = 0;
  bool ranks_processes_ = false, ranks_threads_ = false;
};

}  // namespace cinderscope::perfetto
