// The numbers that a batch gives to the names and threads of its events.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/google_json/event_batch.h"
#include "ingest/base/text_bytes.h"

namespace cinderscope::google_json {

// For one batch after another; each begins with start(). Texts stay where they are until the batch
// is full, and 64 bytes from the begin of each are readable.
class LocalIds {
 public:
  void start(EventBatch& batch);

  // Both as they are written, quotes included.
  std::uint32_t thread(std::string_view pid_text, std::string_view tid_text, EventBatch& batch);

  // `name` without quotes lies at `offset` of the input; kNone if it is empty.
  std::uint32_t name(std::string_view name, std::uint64_t offset, bool quoted, EventBatch& batch);

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

  std::uint32_t thread_by_text(std::string pid, std::string tid, EventBatch& batch);
  std::uint32_t new_name(NameSlot& slot, std::string_view name, std::uint64_t offset,
                         std::uint32_t hash, bool quoted, EventBatch& batch);
  void grow_names(EventBatch& batch);

  std::array<ThreadSlot, 256> recent_threads_;
  std::unordered_map<std::string, std::uint32_t> threads_;  // pid, line feed, tid
  std::vector<NameSlot> name_slots_;                        // open addressing, a power of two
};

}  // namespace cinderscope::google_json
