// The names of all calls of a trace and where they occur, those that stayed on disk included.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "ingest/model/ids.h"
#include "ingest/model/string_pool.h"

namespace cinderscope {

// Gets the share that is done, on any thread.
using SurveyProgress = std::function<void(double share)>;

// Immutable; any thread. Lives no longer than its source.
class NameIndex {
 public:
  virtual ~NameIndex() = default;

  struct NameCount {
    StringId name = kEmptyString;
    std::uint64_t slices = 0, instants = 0;
  };
  const std::vector<NameCount>& names() const { return names_; }  // each once, in any order

  // A thread that was read; its track is the one of that id among these of the timeline.
  struct IndexedThread {
    StringId tid = kEmptyString;
    std::size_t first_track = 0, track_count = SIZE_MAX;
  };
  const std::vector<IndexedThread>& threads() const { return threads_; }
  // False: of several files one could not be read, and nothing here tells of its calls.
  bool whole() const { return whole_; }

  // Where a slice or an instant lies.
  struct Place {
    std::uint32_t thread = 0;  // in threads()
    std::int64_t begin_ns = 0;
    RecordOffset record = kNoRecord;
    bool instant = false;
  };
  // By name: whether it is looked for.
  using NameSet = std::vector<bool>;
  // The first one (direction > 0) that begins after `from_ns`, or the last one before it. Reads the
  // input for some hundredths of a second; nullopt also once cancelled.
  virtual std::optional<Place> nearest(const NameSet& wanted, std::int64_t from_ns, int direction,
                                       const std::atomic<bool>& cancelled) const = 0;

  // A slice or an instant with all that tells it from others.
  struct Call {
    Place place;
    StringId name = kEmptyString;
    std::int64_t duration_ns = 0;
    RecordOffset end_record = kNoRecord;
  };
  struct Wanted {
    NameSet names;
    std::vector<bool> threads;           // by number in threads()
    std::int64_t before_ns = INT64_MAX;  // nothing that begins at this time or later
  };
  using CallSink = std::function<void(const Call& call)>;
  // Reads the input from end to end, but what has none of the names, and gives out each slice and
  // instant that is wanted, once: thread after thread, in the order in which they end. False once
  // cancelled.
  virtual bool each(const Wanted& wanted, const std::atomic<bool>& cancelled, const CallSink& take,
                    const SurveyProgress& progress) const = 0;

 protected:
  std::vector<NameCount> names_;
  std::vector<IndexedThread> threads_;
  bool whole_ = true;
};

// Of a trace of which some stayed on disk.
class NameIndexReader {
 public:
  virtual ~NameIndexReader() = default;
  // Reads all of the trace once; names are those of `names`, the pool of the timeline. Any thread,
  // beside all else; `jobs` threads help. Null if the trace cannot be read so, and once cancelled.
  virtual std::shared_ptr<const NameIndex> read(const std::shared_ptr<StringPool>& names,
                                                unsigned jobs, const std::atomic<bool>& cancelled,
                                                const SurveyProgress& progress) const = 0;
};

}  // namespace cinderscope
