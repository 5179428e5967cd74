#include "formats/spall/write/thread_buffers.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>

#include "formats/spall/spall_wire.h"

namespace cinderscope::spall {
namespace {

template <class Number>
void append(std::string& out, Number number) {
  char bytes[sizeof(Number)];
  std::memcpy(bytes, &number, sizeof number);
  out.append(bytes, sizeof number);
}

// Of the begin or end at the text's begin.
std::size_t record_bytes(std::string_view records) {
  if (static_cast<std::uint8_t>(records.front()) == kEnd) return kBufferEndBytes;
  const auto length = [records](std::size_t at) { return static_cast<std::uint8_t>(records[at]); };
  constexpr std::size_t kHead = kV3.begin_bytes;
  return kHead + length(kHead - 2) + length(kHead - 1);
}

// How much of the records fits without cutting one. `ends` count from `base` bytes before them.
std::size_t fitting_bytes(std::string_view records, std::size_t base,
                          std::span<const std::size_t> ends, std::size_t room) {
  if (records.size() <= room) return records.size();
  std::size_t at = 0;
  const auto behind = std::ranges::upper_bound(ends, base + room);
  if (behind != ends.begin()) at = std::max(*std::prev(behind), base) - base;
  for (;;) {
    const std::size_t next = at + record_bytes(records.substr(at));
    if (next > room) return at;
    at = next;
  }
}

}  // namespace

void ThreadBuffers::name_process(std::string_view name) {
  make_room(kNameEventBytes + name.size(), 0);
  append(pending_, kNameProcess);
  append(pending_, static_cast<std::uint8_t>(name.size()));
  pending_ += name;
}

void ThreadBuffers::name_thread(std::string_view name) {
  make_room(kNameEventBytes + name.size(), 0);
  append(pending_, kNameThread);
  append(pending_, static_cast<std::uint8_t>(name.size()));
  pending_ += name;
}

void ThreadBuffers::begin(std::uint64_t time, std::string_view record) {
  make_room(record.size(), time);
  pending_ += record;
}

void ThreadBuffers::end(std::uint64_t time) {
  make_room(kBufferEndBytes, time);
  char record[kBufferEndBytes];
  record[0] = static_cast<char>(kEnd);
  std::memcpy(record + 1, &time, sizeof time);
  pending_.append(record, sizeof record);
}

void ThreadBuffers::add(std::string_view records, std::span<const std::size_t> ends) {
  std::size_t base = 0;
  while (!records.empty()) {
    const std::size_t room = kMostBufferBytes - open_.bytes;
    const std::size_t bytes = fitting_bytes(records, base, ends, room);
    note_first_time(records.substr(0, bytes));
    pending_ += records.substr(0, bytes);
    open_.bytes += bytes;
    records.remove_prefix(bytes);
    base += bytes;
    if (!records.empty()) close_buffer();
  }
}

// The first that is not 0, as of records that come one by one.
void ThreadBuffers::note_first_time(std::string_view records) {
  while (open_.first_time == 0 && !records.empty()) {
    std::memcpy(&open_.first_time, records.data() + 1, sizeof open_.first_time);
    records.remove_prefix(record_bytes(records));
  }
}

void ThreadBuffers::make_room(std::size_t bytes, std::uint64_t time) {
  if (open_.bytes + bytes > kMostBufferBytes) close_buffer();
  if (open_.first_time == 0) open_.first_time = time;
  open_.bytes += bytes;
}

void ThreadBuffers::close_buffer() {
  if (out_ != nullptr) {
    write_head(*out_, open_);
    out_->append(pending_);
    pending_.clear();
  } else {
    full_.push_back(open_);
  }
  open_ = {};
  wrote_ = true;
}

void ThreadBuffers::write_head(OutputFile& out, const Buffer& buffer) const {
  std::string head;
  append(head, static_cast<std::uint32_t>(buffer.bytes));
  append(head, tid_);
  append(head, pid_);
  append(head, buffer.first_time);
  out.append(head);
}

Status ThreadBuffers::spill(Spill& spill) {
  if (pending_.empty()) return ok();
  const Result<Spill::Piece> piece = spill.put(pending_);
  if (!piece) return piece.error();
  spilled_.push_back(*piece);
  pending_.clear();
  return ok();
}

void ThreadBuffers::finish(OutputFile& out, const Spill& spill) {
  if (out_ != nullptr) {
    // A thread without events is a buffer without any.
    if (wrote_ && open_.bytes == 0) return;
    write_head(out, open_);
    out.append(pending_);
    return;
  }
  if (!wrote_ || open_.bytes > 0) full_.push_back(open_);
  std::size_t next = 0;
  std::string_view piece;
  for (const Buffer& buffer : full_) {
    write_head(out, buffer);
    for (std::size_t left = buffer.bytes; left > 0;) {
      while (piece.empty()) {
        piece = next < spilled_.size() ? spill.get(spilled_[next]) : std::string_view(pending_);
        ++next;
      }
      const std::size_t bytes = std::min(left, piece.size());
      out.append(piece.substr(0, bytes));
      piece.remove_prefix(bytes);
      left -= bytes;
    }
  }
}

}  // namespace cinderscope::spall
