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

  std::uint64_t read(std::span<const std::byte> bytes, std::uint64_t at, std::uint64_t end,
                     bool last) override {
    const std::byte* const begin = bytes.data();
    const std::byte* const stop = begin + end;
    const std::byte* const file_end = begin + bytes.size();
    const std::byte* next = begin + at;
    Lane::Run run(lane_);
    while (next < stop) {
      const std::byte* const event = next;
      const auto first = static_cast<std::uint8_t>(*next++);
      std::uint64_t value = first & kLowBits;
      if ((first & kMoreBit) != 0) {
        const ReadState state = read_leb(next, file_end, 6, value);
        if (state != ReadState::whole) {
          const auto offset = static_cast<std::uint64_t>(event - begin);
          if (state == ReadState::bad) {
            damaged(offset, "An event has more than 64 bits");
          } else if (last) {
            cut(offset, bytes.size() - offset);
          }
          return offset;
        }
      }
      if ((first & kEnterBit) != 0) {
        run.enter(method(value));
      } else {
        // One more than the value; the largest value is no more than that.
        run.exit(value + (value != UINT64_MAX ? 1 : 0), static_cast<std::uint64_t>(event - begin));
      }
    }
    return static_cast<std::uint64_t>(next - begin);
  }

 private:
  Lane& lane_;
};

}  // namespace

std::unique_ptr<EventReader> make_binary_reader(MethodTable& methods, OpenLane open_lane) {
  return std::make_unique<BinaryReader>(methods, std::move(open_lane));
}

}  // namespace cinderscope::flow
