// Time that calls spend inside calls of their own name: recursion, which totals count once.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "ingest/totals/scoped_slices.h"

namespace cinderscope {

// A call inside a call of its own name on another row, and how long it is.
struct RecursiveCall {
  std::uint32_t name = 0;
  std::int64_t ns = 0;
};

// Goes through segments of tracks by begin, a call before those inside it, and keeps the latest end
// of each name. Neighbours on one row that overlap by rounding are no recursion.
class RecursiveTime {
 public:
  // Memory for all names is taken with the first segment. Calls count as far as they lie in
  // `edges`.
  RecursiveTime(std::size_t name_count, const Edges& edges, const std::atomic<bool>* cancelled);

  // Appends the recursive calls that begin in the segment.
  void add(const TimeSegment& segment, std::vector<RecursiveCall>& out);

 private:
  struct Reached {
    std::int64_t end_ns = 0;
    std::uint32_t depth = 0;
    std::uint32_t segment = 0;  // in which it was set; 0 is none
  };
  // The slices of a row that begin in a segment, one after the other.
  struct Stream {
    const SliceRow* row = nullptr;
    const SliceChunk* chunk = nullptr;
    std::uint64_t next = 0, last = 0;
    std::int64_t next_begin_ns = INT64_MAX;  // INT64_MAX: no more
    std::int64_t until_ns = INT64_MIN;       // the end of the slice above
    std::uint32_t depth = 0;

    void look();
  };
  void open_streams(const TimeSegment& segment);
  void reach(std::uint32_t name, std::int64_t end_ns, std::uint32_t depth);
  std::int64_t take(Stream& stream, std::vector<RecursiveCall>& out);
  void go_by_nesting(std::vector<RecursiveCall>& out);
  void go_by_heap(std::vector<RecursiveCall>& out);
  bool stopped();

  std::size_t name_count_;
  Edges edges_;
  const std::atomic<bool>* cancelled_;
  std::vector<Reached> reached_;  // by name
  std::vector<Stream> streams_;
  std::uint32_t segment_ = 0;
  std::uint64_t steps_ = 0;
};

}  // namespace cinderscope
