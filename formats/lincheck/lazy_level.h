// What a reader of children on disk reads in one pass.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "formats/lincheck/lazy_load.h"
#include "formats/lincheck/thread_walk.h"
#include "ingest/build/row_writer.h"

namespace cinderscope::lincheck {

// One pass over the children of a container, or over the roots of a thread.
class LazyLoad::Level {
 public:
  // Nothing begins before `earliest`.
  Level(LazyLoad& load, const PointNames& names, std::uint32_t thread, std::int64_t clock,
        std::int64_t earliest)
      : load_(load),
        namer_(names),
        rows_(names.pool()),
        instants_(names.pool()),
        thread_(thread),
        events_(clock),
        latest_(earliest),
        walk_(load.lookup_->data(), load.lookup_->layout(), load.lookup_->map(), thread) {}

  // Gets the trace points outside of all containers; if null, they are nested instants, too.
  std::function<void(std::int64_t time, StringId name, RecordOffset record)> on_outer_leaf;

  // `ordinals` are those of complete containers to be met in this order. The first `passed` slices
  // of the first row are left out; of those behind, `count` are read, if that is not 0. False if
  // cancelled.
  bool run(std::span<const std::uint64_t> ordinals, std::uint64_t passed, std::uint64_t count,
           const LoadContext& context);

  // Ends what is open or waits: at the end of the container or of the thread.
  void finish(std::int64_t end);

  ThreadWalk& walk() { return walk_; }
  // Once `count` slices were read: where the next one can be read from.
  std::optional<std::uint64_t> next_place() const {
    return reached_end_ ? std::nullopt : std::optional(place_);
  }
  std::int64_t latest() const { return latest_; }
  bool met_unknown() const { return namer_.met_unknown(); }
  // Outermost were the containers of the given cells, all of them, and no others.
  bool agrees() const { return agrees_; }
  // What stayed on disk, if no trace point came behind it.
  std::optional<std::uint64_t> last_left() const { return last_left_; }

  LoadedChildren take();

 private:
  // A slice whose end is not known before the next trace point.
  struct Waiting {
    Slice slice;
    std::uint32_t row = 0;
    bool is_wanted = true;
    std::int64_t deferred = -1;  // index of what stayed on disk
  };

  void add_leaf(StringId name, RecordOffset record);
  void close(const WalkStep& step);
  void leave_on_disk(std::uint64_t ordinal, const WalkStep& step);
  void end_waiting(std::int64_t time);

  LazyLoad& load_;
  PointNamer namer_;
  RowWriter rows_, instants_;
  std::uint32_t thread_;
  EventClock events_;
  std::int64_t latest_;
  ThreadWalk walk_;
  std::vector<Waiting> open_, waiting_;
  std::vector<std::uint64_t> counts_;  // of slices by row
  std::vector<DeferredChildren> deferred_;
  std::uint64_t begun_ = 0, passed_ = 0;  // on the first row
  std::uint64_t place_ = 0;               // before what was read last
  std::optional<std::uint64_t> last_left_;
  bool reached_end_ = false, agrees_ = true;
};

}  // namespace cinderscope::lincheck
