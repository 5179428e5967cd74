// What of a stream that grows is there to stay, and going on behind it.
#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "formats/thread_stream/stream_load.h"
#include "ingest/input/load_value.h"

namespace cinderscope::thread_stream {

StreamLoad::StreamLoad(const StreamLoad& other, const StreamSurroundings& around)
    : StreamLoad(other) {
  around_ = &around;
  clock_ = ClockInHand(around.clock);
}

bool StreamLoad::go_on(const StreamSurroundings& around, std::vector<std::uint32_t> chunks,
                       const std::vector<std::uint32_t>& index_now) {
  const bool grows =
      chunks.size() >= next_ &&
      std::ranges::equal(std::span(chunks_).first(next_), std::span(chunks).first(next_), {},
                         [&](std::uint32_t then) { return index_now[then]; });
  if (!grows) return false;
  around_ = &around;
  clock_ = ClockInHand(around.clock);
  take_chunks(std::move(chunks));
  for (ChunkLink& link : links) link = {index_now[link.from], index_now[link.to]};
  for (ClockStep& step : clock_steps) step.chunk = index_now[step.chunk];
  if (snapshot_end_ != 0) snapshot_end_ = around.names.snapshot_end(snapshot_);
  if (!used_) return true;
  chunk_ = &around.chunks[chunks_[current_]];
  if (!in_chunk_) return true;
  // One that was closed meanwhile has a checksum now.
  OddityCounts damage;
  std::optional<Payload> payload = read_payload(around.input, *chunk_, damage);
  if (!payload || payload->damaged || payload->cut) return false;
  payload_ = std::make_shared<const Payload>(std::move(*payload));
  raw_.use(payload_->bytes);
  return true;
}

bool StreamLoad::settle(std::uint64_t share, const TickClock::Settled& clock,
                        const std::atomic<bool>& cancelled) {
  const std::uint64_t before = left_work();
  while (before - left_work() < share && !cancelled.load(std::memory_order_relaxed)) {
    if (!in_chunk_) {
      if (!can_begin_next(clock)) return false;
      settles_ = begin_chunk() && !payload_->damaged && !payload_->cut;
      if (!settles_) return false;
    }
    const std::uint64_t end = settled_end(clock);
    run(raw_, end);
    if (raw_.at() < end || !raw_.ended()) return false;
    end_chunk();
  }
  return true;
}

bool StreamLoad::can_begin_next(const TickClock::Settled& clock) const {
  if (next_ == chunks_.size()) return false;
  const Chunk& next = around_->chunks[chunks_[next_]];
  return next.kind == kEventsChunk && !next.packed_lz4() && !next.cut() &&
         clock.has(next.first_tick + offset_) && next_chunk_has_begun();
}

// Its first record is there.
bool StreamLoad::next_chunk_has_begun() const {
  if (next_ == chunks_.size()) return false;
  const Chunk& next = around_->chunks[chunks_[next_]];
  const Result<Pin> pin = around_->input.pin(next.payload_at(), kRecordBytes);
  return pin && pin->size() == kRecordBytes &&
         load_value<std::uint16_t>(pin->bytes().data() + 14) != 0;
}

bool StreamLoad::has_name(const Record& record) const {
  switch (record.kind) {
    case kind::kEnter:
    case kind::kInstant:
    case kind::kCounter:
    case kind::kAsyncBegin:
    case kind::kAsyncEnd:
    case kind::kFlow:
      return (record.site < around_->near_sites.size() &&
              around_->near_sites[record.site] != kNoName) ||
             around_->names.site(record.site).known;
    default:
      return true;
  }
}

// Where the first record of the chunk begins that may still change, or what belongs to it: the
// last timed one so far; all of a chunk that is closed and goes on in the next.
std::uint64_t StreamLoad::settled_end(const TickClock::Settled& clock) const {
  RawCursor cursor = raw_;
  std::uint64_t end = raw_.at(), offset = offset_;
  Record record;
  while (true) {
    const std::uint64_t at = cursor.at();
    if (!cursor.next(record)) break;
    const bool behind_empty = record.at != at;
    // In an open chunk it may still be written.
    if (behind_empty && chunk_->open()) return end;
    if (record.kind >= kind::kFirstAttachment) continue;
    if (record.kind == kind::kClockStep) {
      RawCursor behind = cursor;
      Record value;
      if (behind.next(value) && value.kind == kind::kValue) offset += value.tick - record.tick;
    }
    if (!behind_empty) end = record.at;
    if (!has_name(record) || !clock.has(record.tick + offset)) return end;
  }
  const bool over = !chunk_->open() && next_chunk_has_begun();
  return over ? payload_->bytes.size() / kRecordBytes * kRecordBytes : end;
}

}  // namespace cinderscope::thread_stream
