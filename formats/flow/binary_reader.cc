// The current layout (section 1).
#include <fmt/format.h>

#include "formats/flow/event_reader.h"
#include "formats/flow/flow_wire.h"

namespace cinderscope::flow {
namespace {

class BinaryReader : public EventReader {
 public:
  BinaryReader(MethodTable& methods, OpenLane open_lane)
      : EventReader(methods, std::move(open_lane)), lane_(lane({})) {}

  std::uint64_t read(const Pin& bytes, std::uint64_t at, std::uint64_t end, bool last) override {
    const std::byte* const begin = bytes.at(at);
    const std::byte* const stop = bytes.at(end);
    const std::byte* const file_end = bytes.at(bytes.end());
    const std::byte* next = begin;
    const auto offset_of = [&](const std::byte* byte) {
      return at + static_cast<std::uint64_t>(byte - begin);
    };
    Lane::Run run(lane_);
    while (next < stop) {
      const std::byte* const event = next;
      const auto first = static_cast<std::uint8_t>(*next++);
      std::uint64_t value = first & kLowBits;
      if ((first & kMoreBit) != 0) {
        const ReadState state = read_leb(next, file_end, 6, value);
        if (state != ReadState::whole) {
          const std::uint64_t offset = offset_of(event);
          if (state == ReadState::bad) {
            damaged(offset, "An event has more than 64 bits");
          } else if (last) {
            cut(offset, bytes.end() - offset);
          }
          return offset;
        }
      }
      if ((first & kEnterBit) != 0) {
        run.enter(method(value));
      } else {
        // One more than the value; the largest value is no more than that.
        run.exit(value + (value != UINT64_MAX ? 1 : 0), offset_of(event));
      }
    }
    return offset_of(next);
  }

 private:
  Lane& lane_;
};

}  // namespace

std::unique_ptr<EventReader> make_binary_reader(MethodTable& methods, OpenLane open_lane) {
  return std::make_unique<BinaryReader>(methods, std::move(open_lane));
}

}  // namespace cinderscope::flow
