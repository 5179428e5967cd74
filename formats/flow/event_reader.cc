#include "formats/flow/event_reader.h"

#include <fmt/format.h>

#include "formats/flow/flow_wire.h"

namespace cinderscope::flow {

std::string_view layout_text(Layout layout) {
  switch (layout) {
    case Layout::empty:
      return "empty";
    case Layout::binary:
      return "binary";
    case Layout::json:
      return "json lines";
    case Layout::invocation_ids:
      return "single file with invocation ids";
    case Layout::name_ids:
      return "single file with name ids";
  }
  return {};
}

std::optional<Layout> layout_of_head(std::span<const std::byte> head) {
  if (head.empty()) return Layout::empty;
  const auto first = static_cast<std::uint8_t>(head[0]);
  if (first == '{') return Layout::json;
  if ((first & kEnterBit) != 0) return Layout::binary;
  const bool old = first == kOldOneThread || first == kOldManyThreads;
  if (old && head.size() > 1 && static_cast<std::uint8_t>(head[1]) == kOldFirstEvent) {
    return Layout::name_ids;
  }
  return std::nullopt;
}

void EventReader::finish() {
  for (Lane& lane : lanes_) {
    lane.finish();
    diagnostics_.count(diagnostic::kStrayExit, lane.first_stray(), {}, lane.stray_exits());
  }
}

std::uint64_t EventReader::records() const {
  std::uint64_t sum = 0;
  for (const Lane& lane : lanes_) sum += lane.events();
  return sum;
}

Lane& EventReader::lane(std::string_view tid) {
  Lane*& known = by_tid_[std::string(tid)];
  if (known == nullptr) known = &lanes_.emplace_back(open_lane_(tid));
  return *known;
}

void EventReader::cut(std::uint64_t offset, std::uint64_t size_bytes) {
  diagnostics_.count(diagnostic::kTruncated, static_cast<std::int64_t>(offset),
                     fmt::format("The file ends in the middle of an event; its {} {} left out.",
                                 size_bytes, size_bytes == 1 ? "byte was" : "bytes were"));
}

void EventReader::damaged(std::uint64_t offset, std::string_view what) {
  over_ = true;
  diagnostics_.count(diagnostic::kDamagedFromHere, static_cast<std::int64_t>(offset),
                     fmt::format("{}; what follows was left out.", what));
}

std::unique_ptr<EventReader> make_reader(Layout layout, MethodTable& methods, OpenLane open_lane) {
  switch (layout) {
    case Layout::json:
      return make_json_reader(methods, std::move(open_lane));
    case Layout::invocation_ids:
    case Layout::name_ids:
      return make_old_reader(layout, methods, std::move(open_lane));
    case Layout::empty:
    case Layout::binary:
      break;
  }
  return make_binary_reader(methods, std::move(open_lane));
}

}  // namespace cinderscope::flow
