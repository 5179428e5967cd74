#include "formats/spall/buffer_layout.h"

#include <algorithm>

#include "formats/spall/pinned.h"

namespace cinderscope::spall {
namespace {

constexpr int kTrialRecords = 4;  // in a row that make a buffer believable
constexpr int kFewestSound = 2;
constexpr int kFirstTickRecords = 600;  // names may come before the first event

// Whether `offset` has a header, and up to kTrialRecords sound records after it. `strict`: they end
// within the buffer and the file, and there is one at least.
bool begins_soundly(const BufferLayout& layout, const Input& input, std::uint64_t offset,
                    bool strict, std::uint64_t& end) {
  const std::uint64_t wanted =
      offset + layout.buffer_header_bytes + kTrialRecords * kMostRecordBytes;
  const Pin pin = pinned(input, offset, wanted - offset);
  if (pin.size() < layout.buffer_header_bytes) return false;
  const BufferHeader header = buffer_header(layout, pin.at(offset), offset);
  end = header.end;
  if (header.begin == header.end) return !strict;
  const std::uint64_t there = std::min(header.end, input.wait_for(wanted));
  std::uint64_t at = header.begin;
  for (int i = 0; i < kTrialRecords && at < there; ++i) {
    // A skip may lead far ahead.
    const Pin record = pinned(input, at, kMostRecordBytes);
    if (record.size() == 0) return false;
    const RecordSize size = record_size(layout, record.at(at), there - at);
    if (size.cut) return !strict;
    // A buffer whose size is too large goes on with the header of the next: its own are good.
    if (size.bytes == 0) return !strict && i >= kFewestSound;
    at += size.bytes;
  }
  return at > header.begin || !strict;
}

}  // namespace

BufferHeader buffer_header(const BufferLayout& layout, const std::byte* data,
                           std::uint64_t offset) {
  BufferHeader header;
  header.begin = offset + layout.buffer_header_bytes;
  header.end = header.begin + load_value<std::uint32_t>(data);
  header.thread.tid = load_value<std::uint32_t>(data + 4);
  if (layout.has_pid) header.thread.pid = load_value<std::uint32_t>(data + 8);
  return header;
}

RecordSize record_size(const BufferLayout& layout, const std::byte* data, std::uint64_t left) {
  const auto within = [left](std::uint64_t size) {
    return size <= left ? RecordSize{size, false} : RecordSize{0, true};
  };
  if (layout.micro) {
    if (left < kMicroEndBytes) return {0, true};
    const auto type = std::to_integer<std::uint8_t>(data[7]);
    if (type == kMicroBegin) return within(kMicroBeginBytes);
    return type == kMicroEnd ? within(kMicroEndBytes) : RecordSize{};
  }
  switch (std::to_integer<std::uint8_t>(data[0])) {
    case kBegin:
      if (left < layout.begin_bytes) return {0, true};
      return within(layout.begin_bytes +
                    std::to_integer<std::uint64_t>(data[layout.begin_bytes - 2]) +
                    std::to_integer<std::uint64_t>(data[layout.begin_bytes - 1]));
    case kEnd:
      return within(kBufferEndBytes);
    case kPadSkip:
      if (left < kPadSkipBytes) return {0, true};
      // Sound if either reading of the size stays within the buffer.
      return within(std::max(kPadSkipBytes, std::uint64_t{load_value<std::uint32_t>(data + 1)}));
    case kNameProcess:
    case kNameThread:
      if (!layout.has_pid) return {};
      if (left < kNameEventBytes) return {0, true};
      return within(kNameEventBytes + std::to_integer<std::uint64_t>(data[1]));
    default:
      return {};
  }
}

bool may_be_buffer(const BufferLayout& layout, const Input& input, std::uint64_t offset,
                   bool strict) {
  std::uint64_t end = 0;
  const bool sound = begins_soundly(layout, input, offset, strict, end);
  if (sound && !strict) return true;
  if (end == 0 || (strict && !sound)) return false;
  const std::uint64_t size_bytes = input.wait_for(end + 1);
  if (end >= size_bytes) return end == size_bytes;
  std::uint64_t next_end = 0;
  return begins_soundly(layout, input, end, false, next_end);
}

std::uint64_t skip_target(const BufferLayout& layout, const Input& input, std::uint64_t at,
                          std::uint64_t end) {
  const Pin skip = pinned(input, at, kPadSkipBytes);
  if (skip.size() < kPadSkipBytes) return 0;
  const std::uint64_t size = load_value<std::uint32_t>(skip.at(at + 1));
  const auto lands = [&](std::uint64_t target) {
    if (target >= end) return target == end;
    const Pin pin = pinned(input, target, kMostRecordBytes);
    if (pin.size() == 0) return false;
    const std::uint64_t left = input.wait_for(target + kMostRecordBytes) - target;
    const RecordSize found = record_size(layout, pin.at(target), left);
    return found.cut || found.bytes != 0;
  };
  const std::uint64_t after = at + kPadSkipBytes + size;
  const std::uint64_t counted = at + size;
  if (lands(after)) return after;
  if (size >= kPadSkipBytes && lands(counted)) return counted;
  return after <= end ? after : 0;
}

std::uint64_t first_tick(const BufferLayout& layout, const Input& input,
                         std::uint64_t header_bytes) {
  std::uint64_t at = header_bytes + layout.buffer_header_bytes;
  const Pin pin = pinned(input, at, kFirstTickRecords * kMostRecordBytes);
  while (at < pin.end()) {
    const std::byte* data = pin.at(at);
    const RecordSize size = record_size(layout, data, pin.end() - at);
    if (size.bytes == 0) break;
    if (layout.micro) return load_value<std::uint64_t>(data) & ((std::uint64_t{1} << 56) - 1);
    if (data[0] == std::byte{kBegin}) return load_value<std::uint64_t>(data + layout.begin_time_at);
    if (data[0] == std::byte{kEnd}) return load_value<std::uint64_t>(data + 1);
    at += size.bytes;
  }
  return 0;
}

}  // namespace cinderscope::spall
