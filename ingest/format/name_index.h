// The names of all calls of a trace and where they occur, those that stayed on disk included.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "ingest/model/ids.h"

namespace cinderscope {

// Immutable; any thread. Lives no longer than its source.
class NameIndex {
 public:
  virtual ~NameIndex() = default;

  struct NameCount {
    StringId name = kEmptyString;
    std::uint64_t slices = 0, instants = 0;
  };
  const std::vector<NameCount>& names() const { return names_; }  // each once, in any order

  // Where a slice or an instant lies.
  struct Place {
    StringId tid = kEmptyString;  // its thread's
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

 protected:
  std::vector<NameCount> names_;
};

// Gets the share that is done, on any thread.
using SurveyProgress = std::function<void(double share)>;

// Of a trace of which some stayed on disk.
class NameIndexReader {
 public:
  virtual ~NameIndexReader() = default;
  // Reads all of the trace once. Any thread, beside all else; `jobs` threads help. Null if the
  // trace cannot be read so, and once cancelled.
  virtual std::shared_ptr<const NameIndex> read(unsigned jobs, const std::atomic<bool>& cancelled,
                                                const SurveyProgress& progress) const = 0;
};

}  // namespace cinderscope
