// One thread of a trace that was read from end to end: what occurs in it, and where.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "formats/lincheck/text/point_names.h"
#include "ingest/format/name_index.h"

namespace cinderscope::lincheck {

class ThreadSurvey {
 public:
  // `thread` is the number of its stream.
  ThreadSurvey(const PointNames& names, std::uint32_t thread, std::uint64_t window_bytes)
      : names_(&names), thread_(thread), window_bytes_(window_bytes) {}

  // Gets the bytes that were read since it was called last.
  using AddDone = std::function<void(std::uint64_t bytes)>;
  // Once, before all else. False once cancelled.
  bool read(const std::atomic<bool>& cancelled, const AddDone& add_done);

  struct Occurrences {
    std::uint64_t slices = 0, instants = 0;
    std::vector<std::uint32_t> windows;  // with any, ascending
  };
  const std::unordered_map<StringId, Occurrences>& names_met() const { return names_met_; }

  // `best` so far, which another thread may have found: what comes behind it is not looked at.
  void nearest(const NameIndex::NameSet& wanted, std::int64_t from, int direction,
               const std::atomic<bool>& cancelled, std::optional<NameIndex::Place>& best) const;

  // As NameIndex::each(), of this thread. False also where more calls are open at once than can be
  // kept in mind.
  bool each(const NameIndex::Wanted& wanted, const std::atomic<bool>& cancelled,
            const NameIndex::CallSink& take, const AddDone& add_done) const;

 private:
  // A place in the stream that a walk can begin at.
  struct Window {
    std::uint64_t logical = 0;
    std::int64_t clock = 0, latest = 0;  // event numbers: of the last one, and the largest
    std::vector<PointClass> inside;
  };
  class PointWalk;
  class CallWalk;

  std::optional<NameIndex::Place> nearest_in(std::size_t window, const NameIndex::NameSet& wanted,
                                             std::int64_t from, int direction,
                                             const std::atomic<bool>& cancelled) const;
  std::vector<const Occurrences*> occurrences_of(const NameIndex::NameSet& wanted) const;

  const PointNames* names_;
  std::uint32_t thread_;
  std::uint64_t window_bytes_;
  std::vector<Window> windows_;
  std::unordered_map<StringId, Occurrences> names_met_;
};

}  // namespace cinderscope::lincheck
