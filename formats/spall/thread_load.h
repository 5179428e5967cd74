// One thread of a .spall file while it is loaded: what its records are turned into.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/spall/name_cache.h"
#include "formats/spall/spall_clock.h"
#include "ingest/base/diagnostics.h"
#include "ingest/build/track_writer.h"
#include "ingest/model/record_text.h"

namespace cinderscope::spall {

struct ThreadKey {
  std::uint64_t pid = 0, tid = 0;
  bool operator==(const ThreadKey&) const = default;
};

// A name given by a record; the one furthest down the file counts.
struct GivenName {
  std::uint64_t offset = 0;
  std::string text;
  bool changed = false;
};

// Driven by one worker at a time; different threads by different workers at once.
class ThreadLoad {
 public:
  explicit ThreadLoad(ThreadKey key) : key_(key) {}

  void attach(TrackWriter& writer, StringPool& pool) {
    writer_ = &writer;
    pool_ = &pool;
  }

  StringId name(const std::byte* text, std::size_t size) { return names_.id(text, size, *pool_); }
  StringId address_name(std::uint64_t address);  // as hexadecimal digits

  // `at` is the record's offset.
  template <class Clock, class Ticks>
  void begin(const Clock& clock, Ticks ticks, StringId slice_name, std::uint64_t at) {
    writer_->begin(key_of(clock, ticks, at), slice_name, at);
    ++records;
    ++depth_;
  }
  template <class Clock, class Ticks>
  void end(const Clock& clock, Ticks ticks, std::uint64_t at) {
    const std::int64_t key = key_of(clock, ticks, at);
    const std::uint8_t cut = cut_slices_.empty() ? std::uint8_t{0} : take_cut(clock.ns(key));
    writer_->end(key, kNoName, at, kNoRecord, cut);
    ++records;
    if (depth_ > 0) --depth_;
  }
  // The slice that has begun last, at that tick, is a part of another one.
  void note_cut(const CutFrom& whole, const TickClock& clock, std::uint64_t ticks) {
    bool clamped = false;
    cut_slices_.push_back({depth_, clock.ns(clock.key(ticks, clamped)), whole});
  }
  void complete(const DoubleClock& clock, double ticks, double duration, StringId slice_name,
                std::uint64_t at);

  // The rest of a buffer cannot be read: what it held lies between the last time and the next one.
  void lose_rest();
  bool waits_for_next_time() const { return !lost.empty() && lost.back().end == INT64_MAX; }
  void next_time(const TickClock& clock, std::uint64_t ticks);

  const ThreadKey& key() const { return key_; }
  bool has_events() const { return first_key_ <= last_key_; }
  std::int64_t first_key() const { return first_key_; }  // of the times, smallest and largest
  std::int64_t last_key() const { return last_key_; }

  std::uint64_t records = 0;  // since they were last counted
  bool has_args = false;      // some slice of a buffer has
  GivenName process_name, thread_name;
  Diagnostics diagnostics;
  struct LostKeys {
    std::int64_t begin = 0, end = INT64_MAX;
  };
  std::vector<LostKeys> lost;  // the last one may reach to the thread's end

 private:
  std::int64_t key_of(const TickClock& clock, std::uint64_t ticks, std::uint64_t at) {
    bool clamped = false;
    const std::int64_t key = clock.key(ticks, clamped);
    return noted(key, clamped, at);
  }
  std::int64_t key_of(const DoubleClock& clock, double ticks, std::uint64_t at) {
    if (std::isnan(ticks)) [[unlikely]]
      return bad_time(clock, at);
    bool clamped = false;
    const std::int64_t key = clock.key(ticks, clamped);
    return noted(key, clamped, at);
  }
  std::int64_t noted(std::int64_t key, bool clamped, std::uint64_t at) {
    if (clamped) [[unlikely]]
      diagnostics.count(diagnostic::kClampedTime, static_cast<std::int64_t>(at));
    first_key_ = key < first_key_ ? key : first_key_;
    last_key_ = key > last_key_ ? key : last_key_;
    return key;
  }
  std::int64_t bad_time(const DoubleClock& clock, std::uint64_t at);
  // Which sides of the slice that ends now were cut.
  std::uint8_t take_cut(std::int64_t end_ns);

  ThreadKey key_;
  TrackWriter* writer_ = nullptr;
  StringPool* pool_ = nullptr;
  NameCache names_;
  std::uint64_t depth_ = 0;  // slices that are open
  struct CutSlice {
    std::uint64_t depth = 0;
    std::int64_t begin_ns = 0;
    CutFrom whole;
  };
  std::vector<CutSlice> cut_slices_;  // that are open
  std::int64_t first_key_ = INT64_MAX, last_key_ = INT64_MIN;
};

}  // namespace cinderscope::spall
