// One thread of a Flow trace on its way to its rows: counts the ticks of the axis.
#pragma once

#include <algorithm>
#include <cstdint>

#include "formats/flow/method_table.h"
#include "ingest/build/track_writer.h"

namespace cinderscope::flow {

// Each enter and each single exit is one tick, from 0 for each thread (section 7). Driven by one
// thread at a time.
class Lane {
 public:
  class Run;

  explicit Lane(TrackWriter& writer) : writer_(&writer) {}

  void enter(MethodRef method);
  // `count` returns in a row; those with nothing open are left out and take no tick.
  void exit(std::uint64_t count, std::uint64_t offset);
  // What is still open lasts to the end of the thread.
  void finish() { writer_->reach(tick_); }

  std::uint64_t events() const { return static_cast<std::uint64_t>(tick_); }
  std::uint64_t stray_exits() const { return stray_exits_; }
  std::int64_t first_stray() const { return first_stray_; }

 private:
  void add_strays(std::uint64_t count, std::uint64_t offset) {
    constexpr std::uint64_t kMost = std::uint64_t{1} << 53;  // more is damage, however many
    stray_exits_ = std::min(kMost, stray_exits_ + std::min(kMost, count));
    if (first_stray_ < 0) first_stray_ = static_cast<std::int64_t>(offset);
  }

  TrackWriter* writer_;
  std::int64_t tick_ = 0;
  std::uint64_t stray_exits_ = 0;
  std::int64_t first_stray_ = -1;
};

// Many events of one lane, which nothing else uses meanwhile.
class Lane::Run {
 public:
  explicit Run(Lane& lane) : lane_(lane), ticks_(*lane.writer_, lane.tick_) {}
  ~Run() { lane_.tick_ = ticks_.tick(); }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  void enter(MethodRef method) { ticks_.begin(method.name, method.record); }
  void exit(std::uint64_t count, std::uint64_t offset) {
    const std::uint64_t closed = std::min<std::uint64_t>(count, ticks_.open_count());
    for (std::uint64_t i = 0; i < closed; ++i) ticks_.end();
    if (count != closed) [[unlikely]]
      lane_.add_strays(count - closed, offset);
  }

 private:
  Lane& lane_;
  TrackWriter::Ticks ticks_;
};

inline void Lane::enter(MethodRef method) {
  Run(*this).enter(method);
}

inline void Lane::exit(std::uint64_t count, std::uint64_t offset) {
  Run(*this).exit(count, offset);
}

}  // namespace cinderscope::flow
