// Walks one event over the tokens of a block: where the values of its keys are, or where it breaks.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "formats/google_json/google_json_wire.h"
#include "formats/google_json/text/indexed_block.h"

namespace cinderscope::google_json {

// Positions are relative to the block; no value ends with a blank. Of a key written twice the last
// one counts.
struct RawEvent {
  struct Value {
    std::uint32_t begin, end;
  };
  std::array<Value, kKeyCount> values;
  std::uint32_t present = 0;  // bit index(key)
  std::uint32_t begin = 0, end = 0;
  std::uint32_t end_token = 0;  // the token behind the event

  bool has(Key key) const { return (present >> index(key) & 1u) != 0; }
  const Value& operator[](Key key) const { return values[index(key)]; }
};

enum class Walk : std::uint8_t {
  whole,
  incomplete,  // the block ends inside the event
  damaged,     // no JSON from `error_at` on
};

class EventWalker {
 public:
  // Reads the event whose `{` is tokens()[token].
  Walk walk(const IndexedBlock& block, std::uint32_t token, RawEvent& out);
  std::uint32_t error_at() const { return error_at_; }

 private:
  Walk skip_nested(const IndexedBlock& block, std::uint32_t& token);
  Walk damaged(std::uint32_t at) {
    error_at_ = at;
    return Walk::damaged;
  }

  std::vector<bool> open_is_object_;  // of the brackets open inside a value; a bit per level
  std::uint32_t error_at_ = 0;
};

}  // namespace cinderscope::google_json
