#include "formats/spall/buffer_layout.h"

#include <algorithm>
#include <span>

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
  const std::span<const std::byte> bytes = input.wait_for(wanted);
  if (bytes.size() < offset + layout.buffer_header_bytes) return false;
  const BufferHeader header = buffer_header(layout, bytes.data(), offset);
  end = header.end;
  if (header.begin == header.end) return !strict;
  const std::uint64_t there = std::min<std::uint64_t>(header.end, bytes.size());
  std::uint64_t at = header.begin;
  for (int i = 0; i < kTrialRecords && at < there; ++i) {
    const RecordSize size = record_size(layout, bytes.data() + at, there - at);
    if (size.cut) return !strict;
    // A buffer whose size is too large goes on with the header of the next: its own are good.
    if (size.bytes == 0) return !strict && i >= kFewestSound;
    at += size.bytes;
  }
  return at > header.begin || !strict;
}

}  // namespace

BufferHeader buffer_header(const BufferLayout& layout, const std::byte* bytes,
                           std::uint64_t offset) {
  const std::byte* data = bytes + offset;
  BufferHeader header;
  header.begin = offset + layout.buffer_header_bytes;
  header.end = header.begin + load<std::uint32_t>(data);
  header.thread.tid = load<std::uint32_t>(data + 4);
  if (layout.has_pid) header.thread.pid = load<std::uint32_t>(data + 8);
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
      return within(std::max(kPadSkipBytes, std::uint64_t{load<std::uint32_t>(data + 1)}));
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
  const std::uint64_t size_bytes = input.wait_for(end + 1).size();
  if (end >= size_bytes) return end == size_bytes;
  std::uint64_t next_end = 0;
  return begins_soundly(layout, input, end, false, next_end);
}

std::uint64_t skip_target(const BufferLayout& layout, const Input& input, std::uint64_t at,
                          std::uint64_t end) {
  const std::uint64_t size =
      load<std::uint32_t>(input.wait_for(at + kPadSkipBytes).data() + at + 1);
  const auto lands = [&](std::uint64_t target) {
    if (target >= end) return target == end;
    const std::span<const std::byte> bytes = input.wait_for(target + kMostRecordBytes);
    if (target >= bytes.size()) return false;
    const RecordSize found = record_size(layout, bytes.data() + target, bytes.size() - target);
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
  const std::uint64_t wanted = at + kFirstTickRecords * kMostRecordBytes;
  const std::span<const std::byte> bytes = input.wait_for(wanted);
  while (at < std::min<std::uint64_t>(bytes.size(), wanted)) {
    const std::byte* data = bytes.data() + at;
    const RecordSize size = record_size(layout, data, bytes.size() - at);
    if (size.bytes == 0) break;
    if (layout.micro) return load<std::uint64_t>(data) & ((std::uint64_t{1} << 56) - 1);
    if (data[0] == std::byte{kBegin}) return load<std::uint64_t>(data + layout.begin_time_at);
    if (data[0] == std::byte{kEnd}) return load<std::uint64_t>(data + 1);
    at += size.bytes;
  }
  return 0;
}

}  // namespace cinderscope::spall
