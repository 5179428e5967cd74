// Time that calls spend inside calls of their own name: recursion, which totals count once.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "ingest/totals/scoped_slices.h"

namespace cinderscope {

// How much of a call lies under calls of its own name on other rows.
struct RepeatedCall {
  std::uint32_t name = 0;
  std::int64_t ns = 0;
};

// Goes through parts of tracks by begin, a call before those inside it, with the end that calls of
// each name have reached. Neighbours on one row that overlap by rounding are no recursion.
class RecursionSweep {
 public:
  // Memory for all names is taken with the first part. Calls count as far as they lie in `edges`.
  RecursionSweep(std::size_t name_count, const Edges& edges, const std::atomic<bool>* cancelled);

  // The calls that begin in the part, those of them that do; adds to `out`.
  void add(const TimeSegment& part, std::vector<RepeatedCall>& out);

 private:
  struct Reached {
    std::int64_t end_ns = 0;
    std::uint32_t depth = 0;
    std::uint32_t part = 0;  // in which it was set; 0 is none
  };
  // A row's slices one after another, as far as they begin in a part.
  struct Stream {
    const SliceRow* row = nullptr;
    const SliceChunk* chunk = nullptr;
    std::uint64_t next = 0, last = 0;
    std::int64_t next_begin_ns = INT64_MAX;  // INT64_MAX: no more
    std::int64_t until_ns = INT64_MIN;       // what the slice above lasts to
    std::uint32_t depth = 0;

    void look();
  };
  void open_streams(const TimeSegment& part);
  void reach(std::uint32_t name, std::int64_t end_ns, std::uint32_t depth);
  std::int64_t take(Stream& stream, std::vector<RepeatedCall>& out);
  void go_by_nesting(std::vector<RepeatedCall>& out);
  void go_by_heap(std::vector<RepeatedCall>& out);
  bool stopped();

  std::size_t name_count_;
  Edges edges_;
  const std::atomic<bool>* cancelled_;
  std::vector<Reached> reached_;  // by name
  std::vector<Stream> streams_;
  std::uint32_t part_ = 0;
  std::uint64_t steps_ = 0;
};

}  // namespace cinderscope
