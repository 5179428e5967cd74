// A trace made up in memory whose children are loaded lazily: for tests of loads and of caches.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "app/session/trace_loader.h"
#include "ingest/format/format.h"

namespace cinderscope {

// One thread with `roots` calls one after another, each with `children` calls that fill it without
// gaps, each of those with as many again, `levels` deep below the roots.
struct SyntheticTree {
  std::uint64_t roots = 3, children = 1000;
  std::uint32_t levels = 2;  // below the roots, all of them deferred
  std::int64_t root_ns = 1'000'000'000;
  bool count_known = true;           // false: deferred children say 0, and a query for 0 means all
  std::uint64_t piece_children = 0;  // not 0: children are counted once that is asked for

  std::int64_t length_ns(std::uint32_t level) const;
  // Of the `ordinal`-th call of a level (0: the roots), counted over the whole trace.
  std::string name(std::uint32_t level, std::uint64_t ordinal) const;
  std::uint64_t told_count() const {
    return piece_children != 0 ? kNotCounted : count_known ? children : 0;
  }
};

// What happens on the way; all may be changed while the loader runs.
struct SyntheticEvents {
  std::function<void(std::uint64_t step)> before_root;             // loader thread; may throw
  std::function<Status(const ChildQuery& query)> before_children;  // loader thread; may throw
};

class SyntheticSource : public TraceSource {
 public:
  explicit SyntheticSource(SyntheticTree tree, SyntheticEvents events = {});

  Status load(TimelineBuilder& out, LoadContext& context) override;
  Result<LoadedChildren> load_children(const ChildQuery& query, StringPool& names,
                                       LoadContext& context) override;
  RecordText read_record(RecordOffset record, RecordOffset end_record) const override;
  const Input& input() const override { return input_; }
  RecordOffset record_end() const override { return std::uint64_t{tree_.levels + 1} << 56; }

  std::vector<ChildQuery> queries() const;  // answered so far; any thread

 private:
  SyntheticTree tree_;
  SyntheticEvents events_;
  Input input_;
  mutable std::mutex mutex_;
  std::vector<ChildQuery> queries_;
};

// Rhythms that do not depend on how fast the machine is.
inline constexpr SnapshotRhythm kSnapshotsAtOnce{.first_after_ms = 0};
inline constexpr SnapshotRhythm kNoSnapshots{.first_after_ms = INT64_MAX};

// Opens `source`, which the test keeps as well.
SourceOpener opener_of(std::shared_ptr<SyntheticSource> source);

// A door that a loader waits at until the test opens it.
class Gate {
 public:
  void open() { open_ = true, open_.notify_all(); }
  void pass() const { open_.wait(false); }

 private:
  std::atomic<bool> open_ = false;
};

// Calls `done` every millisecond until it is true; false after half a minute.
bool wait_until(const std::function<bool()>& done);

}  // namespace cinderscope
