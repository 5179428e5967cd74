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
#include "ingest/base/text_bytes.h"

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
  // A pid or tid as it is written. None ends with a zero byte, so equal words are equal texts.
  struct IdText {
    static constexpr std::size_t kMost = 16;
    IdText() = default;
    explicit IdText(std::string_view text)
        : first(word_of(text.data(), text.size() < 8 ? text.size() : 8)),
          last(text.size() <= 8 ? 0 : word_of(text.data() + 8, text.size() - 8)) {}
    bool operator==(const IdText&) const = default;

    std::uint64_t first = 0, last = 0;
  };
  struct ThreadSlot {
    IdText pid, tid;
    std::uint32_t thread = kNone;
  };
  struct NameSlot {
    std::string_view text;
    std::uint32_t hash = 0;
    std::uint32_t name = kNone;
  };

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
  std::uint32_t thread_of(const RawEvent& event, EventBatch& batch);
  std::uint32_t thread_by_text(std::string pid, std::string tid, EventBatch& batch);
  std::uint32_t name_of(const RawEvent& event, EventBatch& batch);
  std::uint32_t name_from(std::string_view value, EventBatch& batch);
  std::uint32_t local_name(std::string_view raw, bool quoted, EventBatch& batch);
  std::uint32_t new_name(NameSlot& slot, std::string_view name, std::uint32_t hash, bool quoted,
                         EventBatch& batch);
  void grow_names(EventBatch& batch);

  // Empty where the event has no such value. 64 bytes from its begin on are readable.
  std::string_view text(const RawEvent& event, Key key) const {
    if (!event.has(key)) return {bytes_, 0};
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
  std::array<ThreadSlot, 256> recent_threads_;
  std::unordered_map<std::string, std::uint32_t> threads_;  // pid, line feed, tid
  std::vector<NameSlot> name_slots_;                        // open addressing, a power of two
  std::string key_;                                         // being made
};

}  // namespace cinderscope::google_json
