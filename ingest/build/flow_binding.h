// Ties the points of flows to the slices they start from and arrive at.
#pragma once

#include <span>
#include <vector>

#include "ingest/base/large_pages.h"
#include "ingest/model/timeline.h"

namespace cinderscope {

enum class AsyncTrackId : std::uint32_t {};

// Whose slices a point of a flow binds to: those of a thread or of an async track; by default of
// none.
class FlowOwner {
 public:
  FlowOwner() = default;
  FlowOwner(ThreadId thread) : number_(index(thread)) {}  // NOLINT: a thread is one
  FlowOwner(AsyncTrackId track)                           // NOLINT: as well
      : number_(kAsync | static_cast<std::uint32_t>(track)) {}

  bool is_none() const { return number_ == kNone; }
  bool is_async() const { return (number_ & kAsync) != 0; }
  std::uint32_t number() const { return number_ & ~kAsync; }

 private:
  static constexpr std::uint32_t kAsync = 0x80000000u;
  static constexpr std::uint32_t kNone = 0xffffffffu;
  std::uint32_t number_ = kNone;
};

// One point of a flow as the file tells it.
struct FlowEnd {
  FlowOwner owner;
  std::int64_t time_ns = 0;
  FlowBinding binding = FlowBinding::enclosing;
};

// Flows one behind the other, each with its `point_count` next points.
struct PendingFlows {
  struct Head {
    StringId name = kEmptyString;
    std::uint32_t point_count = 0;
    bool by_bind_id = false;
  };
  std::vector<Head> heads;
  // Of each point, as columns.
  LargePageVector<std::int64_t> time_ns;
  LargePageVector<FlowOwner> owner;
  LargePageVector<FlowBinding> binding;

  void add(StringId name, bool by_bind_id, std::span<const FlowEnd> points);
};

// `timeline` must have its tracks. Enclosing: the deepest slice that covers the time, its end
// included if none goes on. Next: the first slice that begins at or after it. Ending: the deepest
// one that ends at the time, else as enclosing. `async_tracks` has the track of each AsyncTrackId.
// Up to `jobs` threads help.
void bind_flows(PendingFlows pending, std::span<const TrackId> async_tracks, unsigned jobs,
                Timeline& timeline);

}  // namespace cinderscope
