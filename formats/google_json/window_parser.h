// Parses the events that begin in one window of the input into a batch.
#pragma once

#include <cstdint>

#include "formats/google_json/event_batch.h"
#include "formats/google_json/event_reader.h"
#include "formats/google_json/event_scanner.h"
#include "formats/google_json/event_walker.h"
#include "formats/google_json/text/indexed_block.h"

namespace cinderscope::google_json {

// Takes whole events as they are written.
class EventVisitor {
 public:
  virtual ~EventVisitor() = default;
  // `bytes` as for EventReader::read().
  virtual void event(const RawEvent& event, const char* bytes, std::uint64_t offset) = 0;
};

// What a batch holds depends on the bytes from `begin` on only, never on how windows were cut: so
// the batches of any chain of windows, each begun where the one before ended, say the same. One
// thread.
class WindowParser {
 public:
  // With a visitor the batches hold no events: it gets them instead.
  explicit WindowParser(const Input& input, EventVisitor* visitor = nullptr)
      : text_(input), visitor_(visitor) {}

  // Reads elements from `begin` on, the place of an element or of blanks and commas before one,
  // until one begins at or behind `limit`. `bracketed`: a `]` between elements ends the array.
  // The batch is filled into `spare`, an empty one, so that memory is used again.
  EventBatch parse(std::uint64_t begin, std::uint64_t limit, bool bracketed, EventBatch spare = {});

 private:
  enum class Progress : std::uint8_t { going, input_end, no_memory };

  void skip_separators();
  bool index_block(std::uint64_t size);
  bool find_token();
  void take(const RawEvent& event, const char* bytes, std::uint64_t offset, EventBatch& batch) {
    if (visitor_ != nullptr) return visitor_->event(event, bytes, offset);
    reader_.read(event, bytes, offset, batch);
  }
  bool scan_events(std::uint64_t limit, EventBatch& batch);
  Progress read_events(std::uint64_t limit, EventBatch& batch);
  Progress grow_block(EventBatch& batch);
  Progress resume(EventBatch& batch);
  Progress skip_other(EventBatch& batch);

  GrowingText text_;
  EventScanner scanner_;
  IndexedBlock block_;
  EventWalker walker_;
  EventReader reader_;
  EventVisitor* visitor_;
  std::uint64_t pos_ = 0;
  std::uint64_t block_begin_ = 0, block_end_ = 0;  // the text that block_ indexes
  std::uint64_t block_wanted_ = 0;                 // how long it was asked to be
  std::uint64_t block_size_ = 0;                   // how long the next one should be
  bool block_is_last_ = false;                     // the input ends with it
  std::uint32_t token_ = 0;                        // no later than the one at pos_
  std::uint64_t junk_end_ = 0;                     // behind the junk that was counted last
};

}  // namespace cinderscope::google_json
