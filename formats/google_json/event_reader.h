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

namespace cinderscope::google_json {

// A pid, tid or id as it is compared and shown: "12", 12, 12.0 and +012 are all `12`; nothing and
// null are `-`.
std::string id_text(std::string_view value);

// Fills one batch; a window begins with start().
class EventReader {
 public:
  void start(EventBatch& batch);

  // `bytes` is the text of the block that the event was walked in, `offset` where it lies in the
  // input. Odd events are counted in the batch's diagnostics.
  void read(const RawEvent& event, const char* bytes, std::uint64_t offset, EventBatch& batch);

 private:
  struct ThreadSlot {
    std::int64_t pid = 0, tid = 0;
    std::uint32_t thread = kNone;
  };
  struct NameSlot {
    std::uint32_t hash = 0;
    std::uint32_t name = kNone;
  };

  bool read_time(const RawEvent& event, EventBatch& batch, std::int64_t& time_ns);
  void read_duration(const RawEvent& event, EventBatch& batch, SliceEvent& slice);
  std::uint32_t thread_of(const RawEvent& event, EventBatch& batch);
  std::uint32_t thread_by_text(std::string pid, std::string tid, EventBatch& batch);
  std::uint32_t name_of(const RawEvent& event, EventBatch& batch);
  void grow_names(EventBatch& batch);
  void add_side(const RawEvent& event, char phase, std::int64_t time_ns, EventBatch& batch);

  std::string_view text(const RawEvent& event, Key key) const;
  TextRange range(const RawEvent& event, Key key) const;
  std::int64_t place(const RawEvent& event) const {
    return static_cast<std::int64_t>(offset_ + event.begin);
  }

  const char* bytes_ = nullptr;
  std::uint64_t offset_ = 0;
  std::array<ThreadSlot, 256> recent_threads_;
  std::unordered_map<std::string, std::uint32_t> threads_;  // pid, line feed, tid
  std::vector<NameSlot> name_slots_;                        // open addressing, a power of two
  std::vector<const char*> name_bytes_;                     // of each local name
};

}  // namespace cinderscope::google_json
