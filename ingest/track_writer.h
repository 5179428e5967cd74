// Slices of one track on their way in: events in file order -> rows by depth.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "ingest/diagnostics.h"
#include "ingest/slice_row.h"

namespace cinderscope {

// Turns the time keys that a format nests by into nanoseconds (spall: ticks). Monotone.
class TimeScale {
 public:
  virtual ~TimeScale() = default;
  virtual std::int64_t ns(std::int64_t key) const = 0;
};

struct NestedRows {
  std::vector<SliceRow> rows;
  std::uint64_t slice_count = 0, unfinished_count = 0, overlapping_count = 0;
};

// Rules (product.md): an end closes the innermost open slice of its name if it has one and one is
// open, else the innermost; a stray end is counted ("stray_end"); a slice that partly overlaps goes
// to the first free row below its container; open ones last to the thread's end.
//
// Three ways in, from cheap to general, chosen by what arrives: B/E in order, closing innermost
// first, go straight to their rows; anything else is kept as sorted runs and nested by finish(); B/E
// that step back in time need the replay (timeline_builder.h).
class TrackWriter {
 public:
  // `scale` null: keys are nanoseconds. It must outlive the writer.
  TrackWriter(const StringPool& names, const TimeScale* scale = nullptr);
  ~TrackWriter();
  TrackWriter(const TrackWriter&) = delete;
  TrackWriter& operator=(const TrackWriter&) = delete;

  // All in the format's time keys. `record` is where the event lies in the input; it also orders
  // events of equal time, so it must grow in file order.
  void set_scale(const TimeScale* scale) { scale_ = scale; }
  void begin(std::int64_t time, StringId name, Record record);
  // `name` kNoName: closes the innermost. `end_record` kNoRecord unless the event carries args.
  void end(std::int64_t time, StringId name, Record record, Record end_record = kNoRecord);
  void complete(std::int64_t time, std::int64_t duration, StringId name, Record record);
  // A complete event without an end: lasts to the thread's end.
  void complete_unfinished(std::int64_t time, StringId name, Record record);

  std::uint64_t slice_count() const;
  bool needs_replay() const { return stepped_back_ && !replay_; }
  void begin_replay();  // forgets what came in; collects everything until nest()
  Diagnostics& diagnostics() { return diagnostics_; }  // stray_end, unsorted

  // The rows of what came in so far; `consume` gives the writer's own storage up on the way.
  NestedRows nest(std::int64_t tolerance_ns, bool consume);

  struct Impl;

 private:
  const TimeScale* scale_;
  bool stepped_back_ = false;
  bool replay_ = false;
  Diagnostics diagnostics_;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cinderscope
