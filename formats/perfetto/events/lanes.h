// What events are put on: a thread, a track, a group of asynchronous events. Each pairs its own.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "formats/perfetto/tracks/track_table.h"

namespace cinderscope::perfetto {

enum class LaneKind : std::uint8_t {
  thread,     // slices of a thread
  async,      // a track of its own
  single,     // holds one slice at a time: another begin is ignored
  old_group,  // legacy events of one id; open ones last to the trace's end
  state,
  counter,
  flow,  // legacy flow events of one key
};

struct Lane {
  LaneKind kind = LaneKind::async;
  std::uint32_t thread = kNone;   // entry; of what is no thread's: kNone
  std::uint32_t process = kNone;  // entry; kNone: of all of them
  std::string above;              // what it lies below, told before its heading
  std::string heading;            // empty: the name of its first slice
  // Lanes of one number share a heading; without one they do that with all of their process and
  // heading that have none.
  std::uint32_t siblings = kNone;
  // Of a track that puts its children in order: its number, the order (track_descriptor.h), and
  // where in it this one comes.
  std::uint32_t parent = kNone;
  std::uint64_t ordering = 0;
  std::int32_t rank = 0;
  std::string unit;  // of a counter's values, if it is told
};

// Those of described tracks have the number of their track; others are added at need, by any
// thread.
class Lanes {
 public:
  void add_described(const TrackTable& tracks);
  // The lane of this key, which is made by `make()` if there is none.
  template <class Make>
  std::uint32_t find_or_add(std::string_view key, Make make) {
    const std::lock_guard lock(mutex_);
    const auto found = by_key_.find(key);
    if (found != by_key_.end()) return found->second;
    const auto id = static_cast<std::uint32_t>(lanes_.size());
    lanes_.push_back(make());
    by_key_.emplace(key, id);
    return id;
  }
  // Any thread: lanes never move.
  const Lane& at(std::uint32_t id) const {
    const std::lock_guard lock(mutex_);
    return lanes_[id];
  }
  std::size_t size() const { return lanes_.size(); }

 private:
  mutable std::mutex mutex_;
  std::deque<Lane> lanes_;
  std::map<std::string, std::uint32_t, std::less<>> by_key_;
};

}  // namespace cinderscope::perfetto
