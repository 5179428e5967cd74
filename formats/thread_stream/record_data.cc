#include "formats/thread_stream/record_data.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <tuple>

namespace cinderscope::thread_stream {
namespace {

constexpr std::size_t kMostAttached = 20'000;
constexpr std::size_t kMostBytes = 4u << 20;
constexpr std::size_t kMostRecords = 1u << 20;  // looked at for what belongs to one

std::optional<std::uint32_t> chunk_at(const Recording& recording, std::uint64_t place) {
  const std::vector<Chunk>& chunks = recording.walked.chunks;
  const auto& lz4 = recording.lz4_chunks;
  if (!lz4.empty() && place >= chunks[lz4.front()].place) {
    const auto after =
        std::ranges::upper_bound(lz4, place, {}, [&](std::uint32_t i) { return chunks[i].place; });
    return *std::prev(after);
  }
  const auto after = std::ranges::upper_bound(chunks, place, {}, &Chunk::at);
  if (after == chunks.begin()) return std::nullopt;
  const Chunk& chunk = *std::prev(after);
  const bool has_records = chunk.kind != kTableChunk && !chunk.packed_lz4();
  if (!has_records || place < chunk.place) return std::nullopt;
  return static_cast<std::uint32_t>(&chunk - chunks.data());
}

std::uint64_t offset_at(const Recording& recording, std::uint32_t chunk, std::uint64_t place) {
  const auto& steps = recording.clock_steps;
  const auto after = std::ranges::upper_bound(
      steps, std::tuple(chunk, place), {},
      [](const ClockStep& step) { return std::tuple(step.chunk, step.place); });
  if (after == steps.begin() || std::prev(after)->chunk != chunk) return 0;
  return std::prev(after)->offset;
}

class Collector {
 public:
  explicit Collector(RecordData& out) : out_(out) {}

  // All attachments from here to the next timed record; true at the chunk's end.
  template <class Cursor>
  bool take(Cursor cursor) {
    Record next;
    while (cursor.next(next)) {
      if (next.kind < kind::kFirstAttachment) return false;
      if (++records_ > kMostRecords || out_.attached.size() == kMostAttached ||
          bytes_ > kMostBytes) {
        out_.cut = true;
        return false;
      }
      if (next.kind == kind::kClass) out_.class_token = next.site;
      if (next.kind == kind::kValue && !out_.value) out_.value = next.tick;
      if (next.kind == kind::kArg || next.kind == kind::kStack) take_value(next, cursor);
    }
    return true;
  }

 private:
  template <class Cursor>
  void take_value(const Record& head, Cursor behind) {
    AttachedValue value{head, std::vector<std::byte>(head.aux)};
    const auto first = std::as_bytes(std::span(&head.tick, 1));
    std::ranges::copy(first.first(std::min(first.size(), value.bytes.size())), value.bytes.begin());
    for (std::size_t at = kFirstValueBytes; at < value.bytes.size(); at += kContBytes) {
      Record cont;
      if (!behind.next(cont) || cont.kind != kind::kCont) return;
      std::byte data[kContBytes];
      std::memcpy(data, &cont.tick, 8);
      std::memcpy(data + 8, &cont.site, 4);
      std::memcpy(data + 12, &cont.aux, 2);
      std::memcpy(value.bytes.data() + at, data,
                  std::min<std::size_t>(kContBytes, value.bytes.size() - at));
    }
    bytes_ += value.bytes.size();
    out_.attached.push_back(std::move(value));
  }

  RecordData& out_;
  std::size_t records_ = 0, bytes_ = 0;
};

// True if what belongs to the record may go on in the next chunk.
template <class Cursor>
bool read_from(Cursor cursor, std::uint64_t at, std::optional<RecordData>& out) {
  cursor.move_to(at);
  Record record;
  if (!cursor.next(record) || record.at != at || record.kind >= kind::kFirstAttachment) {
    return false;
  }
  out.emplace().record = record;
  return Collector(*out).take(cursor);
}

// Ticks of packed records follow from all before them.
std::uint64_t packed_tick(const Chunk& chunk, LastRecord& last, std::uint64_t at) {
  if (at < last.at) last.cursor = PackedCursor(last.payload->bytes, chunk.first_tick);
  last.at = at;
  Record record;
  while (true) {
    const PackedCursor before = last.cursor;
    if (!last.cursor.next(record)) break;
    if (record.at < at) continue;
    const std::uint64_t tick = last.cursor.tick();
    last.cursor = before;
    return tick;
  }
  last.cursor = PackedCursor(last.payload->bytes, chunk.first_tick);
  return chunk.first_tick;
}

}  // namespace

std::optional<RecordData> read_record_data(const Input& input, const Recording& recording,
                                           std::uint64_t place, bool* outdated, LastRecord& last) {
  std::optional<RecordData> out;
  auto index = chunk_at(recording, place);
  if (!index) return out;
  const Chunk& first = recording.walked.chunks[*index];
  if (outdated != nullptr && !same_chunk_at(input, first)) {
    *outdated = true;
    return out;
  }
  if (last.chunk != *index || outdated != nullptr) {
    last = {.chunk = *index, .payload = read_again(input, first), .cursor = {}, .at = 0};
    if (last.payload) last.cursor = PackedCursor(last.payload->bytes, first.first_tick);
  }
  const auto& payload = last.payload;
  const std::uint64_t at = place - first.place;
  if (!payload || at >= payload->bytes.size()) return out;
  const bool packed = first.kind == kPackedChunk;
  bool more = packed ? read_from(PackedCursor(payload->bytes, first.first_tick), at, out)
                     : read_from(RawCursor(payload->bytes), at, out);
  if (!out) return out;
  if (packed) out->record.tick = packed_tick(first, last, at);
  out->effective_tick = out->record.tick + offset_at(recording, *index, place);
  while (more) {
    const auto link = std::ranges::lower_bound(recording.links, *index, {}, &ChunkLink::from);
    if (link == recording.links.end() || link->from != *index) break;
    index = link->to;
    const Chunk& chunk = recording.walked.chunks[*index];
    const auto further = read_again(input, chunk);
    if (!further) break;
    Collector collector(*out);
    more = chunk.kind == kPackedChunk
               ? collector.take(PackedCursor(further->bytes, chunk.first_tick))
               : collector.take(RawCursor(further->bytes));
  }
  return out;
}

}  // namespace cinderscope::thread_stream
