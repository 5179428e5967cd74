// From the raw values of an event to the rows of a batch: times, ids, names (section 3).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/google_json/event_batch.h"
#include "formats/google_json/event_walker.h"
#include "formats/google_json/local_ids.h"

namespace cinderscope::google_json {

// Fills one batch; a window begins with start().
class EventReader {
 public:
  void start(EventBatch& batch);

  // `bytes` is the text that the event's places are relative to, `offset` where that lies in the
  // input; 64 bytes behind the event are readable, and all stay until the batch is full. Odd events
  // are counted in the batch's diagnostics.
  void read(const RawEvent& event, const char* bytes, std::uint64_t offset, EventBatch& batch);

 private:
  bool read_time(const RawEvent& event, EventBatch& batch, std::int64_t& time_ns);
  void read_duration(const RawEvent& event, EventBatch& batch, SliceEvent& slice);
  void read_cut(const RawEvent& event, EventBatch& batch, SliceEvent& slice);
  void read_slice(const RawEvent& event, char phase, std::int64_t time_ns, EventBatch& batch);
  void read_instant(const RawEvent& event, std::int64_t time_ns, EventBatch& batch);
  KeyedEvent begin_keyed(const RawEvent& event, char phase, std::int64_t time_ns,
                         EventBatch& batch);
  void read_async(const RawEvent& event, char phase, std::int64_t time_ns, EventBatch& batch);
  void read_object(const RawEvent& event, char phase, std::int64_t time_ns, EventBatch& batch);
  void read_flow(const RawEvent& event, char phase, std::int64_t time_ns, EventBatch& batch);
  void read_bound(const RawEvent& event, const SliceEvent& slice, EventBatch& batch);
  void read_counter(const RawEvent& event, std::int64_t time_ns, EventBatch& batch);
  void add_keyed(KeyedEvent keyed, EventBatch& batch);
  void add_side(const RawEvent& event, char phase, std::int64_t time_ns, EventBatch& batch);
  std::uint32_t thread_of(const RawEvent& event, EventBatch& batch) {
    return ids_.thread(text(event, Key::pid), text(event, Key::tid), batch);
  }
  std::uint32_t name_of(const RawEvent& event, EventBatch& batch) {
    return name_from(text(event, Key::name), batch);
  }
  std::uint32_t name_from(std::string_view value, EventBatch& batch);

  // Empty where the event has no such value. 64 bytes from its begin on are readable.
  std::string_view text(const RawEvent& event, Key key) const {
    if (!event.has(key)) return std::string_view(bytes_, std::size_t{});
    const RawEvent::Value& value = event[key];
    return {bytes_ + value.begin, value.end - value.begin};
  }
  std::uint64_t offset_of(std::string_view part) const {
    return offset_ + static_cast<std::uint64_t>(part.data() - bytes_);
  }
  TextRange range(const RawEvent& event, Key key) const;
  std::int64_t place(const RawEvent& event) const {
    return static_cast<std::int64_t>(offset_ + event.begin);
  }

  const char* bytes_ = nullptr;
  std::uint64_t offset_ = 0;
  LocalIds ids_;
  std::string key_;  // being made
};

}  // namespace cinderscope::google_json
