// What of a stream is rare: which chunks are used, what is lost between them, how it ends, and
// names that are looked up for the first time.
#include <algorithm>
#include <span>
#include <utility>

#include "formats/thread_stream/stream_load.h"
#include "formats/thread_stream/wire.h"

namespace cinderscope::thread_stream {
namespace {

// In bytes of packed records.
std::uint64_t work_of(const Chunk& chunk, std::uint64_t bytes) {
  return chunk.kind == kEventsChunk ? bytes / kRawToPacked : bytes;
}
std::uint64_t work_of(const Chunk& chunk) {
  return kChunkHeaderBytes +
         work_of(chunk, chunk.packed_lz4() ? chunk.full_bytes : chunk.there_bytes);
}

}  // namespace

void StreamLoad::take_chunks(std::vector<std::uint32_t> chunks) {
  chunks_ = std::move(chunks);
  left_work_ = 0;
  for (const std::uint32_t i : std::span(chunks_).subspan(next_)) {
    left_work_ += work_of(around_->chunks[i]);
  }
}

std::uint64_t StreamLoad::work_in_chunk() const {
  const std::uint64_t at = chunk_->kind == kEventsChunk ? raw_.at() : packed_.at();
  return work_of(*chunk_,
                 payload_->bytes.size() - std::min<std::uint64_t>(at, payload_->bytes.size()));
}

// False if the next chunk is not to be used.
bool StreamLoad::begin_chunk() {
  const Chunk& chunk = around_->chunks[chunks_[next_++]];
  left_work_ -= work_of(chunk);
  std::optional<Payload> payload = read_payload(around_->input, chunk, odd);
  if (!payload) return false;
  if (used_ && chunk.sequence == last_sequence_) {
    odd.count(Oddity::duplicate_chunk, chunk.at);
    return false;
  }
  if (!used_) first_chunk_at_ = chunk.at;
  const bool lost = chunk.ordinal > expected_;
  if (lost) lose(chunk.ordinal - expected_, chunk);
  if (used_ && !lost) links.push_back({index_of(*chunk_), index_of(chunk)});
  used_ = true;
  last_sequence_ = chunk.sequence;
  chunk_ = &chunk;
  current_ = next_ - 1;
  payload_ = std::make_shared<const Payload>(std::move(*payload));
  checks_ticks_ = payload_->damaged && chunk.first_tick <= chunk.last_tick;
  odd_each_ = chunk.kind == kEventsChunk && !chunk.packed_lz4();
  odd_base_ = odd_each_ ? chunk.payload_at() : chunk.at;
  if (offset_ != 0) note_offset(chunk.place);
  raw_ = RawCursor(payload_->bytes);
  packed_ = PackedCursor(payload_->bytes, chunk.first_tick);
  found_ = 0;
  in_chunk_ = true;
  return true;
}

void StreamLoad::end_chunk() {
  if (raw_.torn() > 0) odd.count(Oddity::torn, odd_at(raw_.first_torn()), raw_.torn());
  const bool cut = payload_->cut && packed_.cut_inside();
  if (packed_.bad() && !cut) odd.count(Oddity::bad_record, chunk_->at);
  const bool counted = !chunk_->open() && !payload_->cut;
  expected_ = chunk_->ordinal + (counted ? chunk_->count : found_);
  payload_.reset();
  in_chunk_ = false;
}

void StreamLoad::lose(std::uint64_t records, const Chunk& chunk) {
  odd.count(Oddity::lost, chunk.at, records);
  counts.lost += records;
  ++counts.gaps;
  if (has_time_) close_all(last_ns_);
  const std::uint64_t next = chunk.first_tick + offset_;
  StreamGap gap;
  if (has_time_) {
    gap.begin_ns = last_ns_;
  } else if (const auto entry = around_->tables.threads.find(number_);
             entry != around_->tables.threads.end() && entry->second.first_tick != 0 &&
             entry->second.first_tick < chunk.first_tick) {
    gap.begin_ns = clock_.ns(entry->second.first_tick + offset_);  // a ring has written over it
  }
  gap.end_ns = clock_.ns(has_time_ ? std::max(last_, next) : next);
  gaps.push_back(gap);
  owner_ = Owner::none;
}

// In a chunk that is not to be unpacked ahead, nor checked, they are taken to be there.
bool StreamLoad::next_chunk_begins_with_data() const {
  if (next_ == chunks_.size()) return false;
  const Chunk& next = around_->chunks[chunks_[next_]];
  if (next.packed_lz4()) return true;
  const Result<Pin> pin = around_->input.pin(
      next.payload_at(), std::min<std::uint64_t>(next.there_bytes, kRecordBytes));
  if (!pin || pin->size() == 0) return false;
  if (next.kind == kPackedChunk) return pin->bytes()[0] == std::byte{0};
  return pin->size() == kRecordBytes &&
         load_value<std::uint16_t>(pin->bytes().data() + 14) >= kind::kFirstAttachment;
}

void StreamLoad::finish(std::uint64_t most_tick) {
  const auto entry = around_->tables.threads.find(number_);
  const bool described = entry != around_->tables.threads.end();
  if (!described && used_) odd.count(Oddity::unknown_thread, first_chunk_at_);
  std::uint64_t end = last_;
  if (described && entry->second.last_tick != 0) {
    end = std::max(end, entry->second.last_tick + offset_);
  } else if (!described || (entry->second.flags & kThreadExited) == 0) {
    end = std::max(end, most_tick);
  }
  end_ns_ = clock_.ns(end);
  if (has_time_) {
    const std::int64_t latest_ns = open_.depth() > 0 ? end_ns_ : last_ns_;
    if (std::max(-clock_.ns(first_), latest_ns) >= kMostNs) odd.count(Oddity::clamped_time);
    close_all(end_ns_);
  }
  if (!described || entry->second.records <= expected_) return;
  const std::uint64_t missing = entry->second.records - expected_;
  odd.count(Oddity::lost, kNoOffset, missing);
  counts.lost += missing;
  ++counts.gaps;
  if (has_time_) gaps.push_back({last_ns_, end > last_ ? end_ns_ : DataGap::kToTheEnd});
}

StringId StreamLoad::far_site_name(std::uint32_t site, std::uint64_t at) {
  const auto [found, added] = far_sites_.try_emplace(site);
  if (added) {
    const CallName name = around_->names.site(site);
    found->second = {interned(name, *around_->out.strings()), name.known};
  }
  if (!found->second.known) odd.count(Oddity::unknown_name, odd_at(at));
  return found->second.name;
}

StringId StreamLoad::address_name(std::uint64_t address) {
  if (last_ >= snapshot_end_) {
    snapshot_ = around_->names.snapshot_at(last_);
    snapshot_end_ = around_->names.snapshot_end(snapshot_);
    addresses_.clear();
  }
  const auto [found, added] = addresses_.try_emplace(address, kEmptyString);
  if (!added) return found->second;
  const CallName name = around_->names.address(address, snapshot_);
  calls_unplaced_ = calls_unplaced_ || !around_->names.place(address, snapshot_);
  found->second = around_->out.intern(name.text);
  called.push_back({address_key(address), snapshot_, found->second, name.known});
  return found->second;
}

StringId StreamLoad::managed_name(std::uint16_t ordinal, std::uint32_t token,
                                  std::uint32_t class_token) {
  const std::uint64_t key = managed_key(ordinal, token);
  const auto [found, added] = methods_[key].try_emplace(class_token, kEmptyString);
  if (!added) return found->second;
  const CallName name = around_->names.managed(ordinal, token, class_token);
  found->second = around_->out.intern(name.text);
  called.push_back({key, class_token, found->second, name.known});
  return found->second;
}

}  // namespace cinderscope::thread_stream
