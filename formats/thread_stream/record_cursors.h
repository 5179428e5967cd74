// Steps through the records of a chunk, raw or packed. Cheap to copy: a copy looks ahead.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

#include "formats/thread_stream/wire.h"

namespace cinderscope::thread_stream {

struct Record {
  std::uint64_t tick = 0;  // of an attachment: its data
  std::uint64_t at = 0;    // in the payload
  std::uint32_t site = 0;
  std::uint16_t aux = 0, kind = 0;
};

class RawCursor {
 public:
  RawCursor() = default;
  explicit RawCursor(std::span<const std::byte> bytes, std::uint64_t = 0)
      : data_(bytes.data()), end_(bytes.size() / kRecordBytes * kRecordBytes) {}

  // False at the chunk's end. Inline: every record comes through here.
  [[gnu::always_inline]] bool next(Record& out) {
    while (at_ < end_) {
      const auto meta = load_value<std::uint64_t>(data_ + at_ + 8);
      out.kind = static_cast<std::uint16_t>(meta >> 48);
      if (out.kind == 0) [[unlikely]] {
        RawCursor copy = *this;  // nobody knows this one's address: it can stay in registers
        const bool goes_on = copy.step_over_empty();
        *this = copy;
        if (!goes_on) break;
        continue;
      }
      out.tick = load_value<std::uint64_t>(data_ + at_);
      out.site = static_cast<std::uint32_t>(meta);
      out.aux = static_cast<std::uint16_t>(meta >> 32);
      out.at = at_;
      at_ += kRecordBytes;
      return true;
    }
    at_ = end_;
    return false;
  }
  std::uint64_t at() const { return at_; }
  bool ended() const { return at_ >= end_; }
  void move_to(std::uint64_t at) { at_ = at; }
  // The same chunk, whose bytes lie elsewhere by now.
  void use(std::span<const std::byte> bytes) {
    data_ = bytes.data();
    end_ = bytes.size() / kRecordBytes * kRecordBytes;
  }
  bool bad() const { return false; }
  std::uint64_t torn() const { return torn_; }
  std::uint64_t first_torn() const { return first_torn_; }
  // False: what comes next is no attachment for sure.
  bool may_be_attachment() const {
    return at_ >= end_ || load_value<std::uint16_t>(data_ + at_ + 14) == 0 ||
           load_value<std::uint16_t>(data_ + at_ + 14) >= kind::kFirstAttachment;
  }

 private:
  // False if the chunk ends here.
  [[gnu::noinline]] bool step_over_empty() {
    const std::uint64_t from = at_;
    while (at_ < end_ && load_value<std::uint16_t>(data_ + at_ + 14) == 0) {
      at_ += kRecordBytes;
      if (at_ - from == kMostEmptySlots * kRecordBytes) return false;
    }
    if (at_ == end_) return false;
    if (torn_ == 0) first_torn_ = from;
    torn_ += (at_ - from) / kRecordBytes;
    return true;
  }

  const std::byte* data_ = nullptr;
  std::uint64_t at_ = 0, end_ = 0;
  std::uint64_t torn_ = 0, first_torn_ = 0;
};

class PackedCursor {
 public:
  PackedCursor() = default;
  PackedCursor(std::span<const std::byte> bytes, std::uint64_t first_tick)
      : data_(bytes.data()), end_(bytes.size()), tick_(first_tick) {}

  // Begins, ends and instants without a branch that depends on which of them it is.
  [[gnu::always_inline]] bool next(Record& out) {
    if (end_ - at_ < kFastBytes) [[unlikely]]
      return slow_next(out);
    const Number head = number_at(at_);
    const unsigned type = head.value & 7;
    const std::uint64_t after = at_ + head.bytes;
    const Number site = number_at(after);
    const bool has_site = type != kExitOfInnermost;
    const bool usual = ((kUsualTypes >> type) & 1) != 0 && head.bytes != 0 && site.bytes != 0;
    std::uint64_t tick = 0;
    if (!usual || __builtin_add_overflow(tick_, std::uint64_t{head.value >> 3}, &tick)) [[unlikely]]
      return slow_next(out);
    out.at = at_;
    out.tick = tick_ = tick;
    out.kind = (kKinds >> (4 * type)) & 15;
    out.site = has_site ? site.value : 0;
    out.aux = 0;
    at_ = has_site ? after + site.bytes : after;
    return true;
  }
  std::uint64_t at() const { return at_; }
  bool ended() const { return at_ >= end_; }
  std::uint64_t tick() const { return tick_; }
  void move_to(std::uint64_t at) { at_ = at; }
  // The chunk ended because of something that is no record; or because it ends inside of one.
  bool bad() const { return bad_; }
  bool cut_inside() const { return cut_inside_; }
  std::uint64_t torn() const { return 0; }
  std::uint64_t first_torn() const { return 0; }
  bool may_be_attachment() const {
    if (at_ >= end_) return true;
    const std::byte type = data_[at_] & std::byte{7};
    return type == std::byte{0} || type == std::byte{6};
  }

 private:
  struct Number {
    std::uint32_t value = 0;
    std::uint32_t bytes = 0;  // 0: it has more than four
  };
  static constexpr std::uint64_t kFastBytes = 8;
  static constexpr unsigned kExitOfInnermost = 2;
  static constexpr unsigned kUsualTypes = 0b11110;
  static constexpr unsigned kKinds =
      kind::kEnter << 4 | kind::kExit << 8 | kind::kExit << 12 | kind::kInstant << 16;  // by type

  // Four bytes are there. Times and sites seldom need more, and how many it is changes from record
  // to record.
  Number number_at(std::uint64_t at) const {
    const auto bytes = load_value<std::uint32_t>(data_ + at);
    const std::uint32_t ends = ~bytes & 0x80808080u;
    std::uint32_t value = bytes & (ends ^ (ends - 1));  // up to the first that ends a number
    value = (value & 0x007f007fu) | (value & 0x7f007f00u) >> 1;
    value = (value & 0x3fffu) | (value & 0x3fff0000u) >> 2;
    return {value, ends == 0 ? 0 : (static_cast<std::uint32_t>(std::countr_zero(ends)) + 1) / 8};
  }

  // By way of copies: nobody knows the addresses of the cursor and the record, so that both can
  // stay in registers.
  [[gnu::always_inline]] bool slow_next(Record& out) {
    PackedCursor copy = *this;
    Record record;
    const bool found = copy.next_of_any(record);
    *this = copy;
    out = record;
    return found;
  }

  [[gnu::noinline]] bool next_of_any(Record& out) {
    while (at_ < end_) {
      const std::uint64_t begin = at_;
      std::uint64_t value = 0;
      if (!number(value)) return fail();
      const std::uint64_t step = value >> 3;
      const auto type = static_cast<unsigned>(value & 7);
      out.at = begin;
      out.aux = 0;
      out.site = 0;
      if (((kUsualTypes >> type) & 1) != 0) {
        out.kind = (kKinds >> (4 * type)) & 15;
        if (!forward(step) || (type != kExitOfInnermost && !part(out.site))) return fail();
      } else if (type == 6) {
        if (step > tick_) return fail();
        tick_ -= step;
        continue;
      } else {
        if (!other(type, step, out)) return fail();
        if (out.kind >= kind::kFirstAttachment) return true;
      }
      out.tick = tick_;
      return true;
    }
    return false;
  }
  bool fail() {
    bad_ = true;
    at_ = end_;
    return false;
  }
  bool forward(std::uint64_t step) { return !__builtin_add_overflow(tick_, step, &tick_); }
  // False if it is too long or not all there.
  bool number(std::uint64_t& out) {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
      if (at_ == end_) {
        cut_inside_ = true;
        return false;
      }
      const auto byte = std::to_integer<std::uint64_t>(data_[at_++]);
      if (shift == 63 && byte > 1) return false;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) {
        out = value;
        return true;
      }
    }
    return false;
  }
  template <class Part>
  bool part(Part& out) {
    std::uint64_t value = 0;
    if (!number(value) || value > static_cast<Part>(~Part{0})) return false;
    out = static_cast<Part>(value);
    return true;
  }
  bool other(unsigned type, std::uint64_t step, Record& out) {
    if (type == 5) {
      return forward(step) && part(out.kind) && out.kind != 0 &&
             out.kind < kind::kFirstAttachment && part(out.site) && part(out.aux);
    }
    if (type != 0 || step != 0) return false;
    if (end_ - at_ < kRecordBytes) {
      cut_inside_ = true;
      return false;
    }
    const auto meta = load_value<std::uint64_t>(data_ + at_ + 8);
    out.tick = load_value<std::uint64_t>(data_ + at_);
    out.site = static_cast<std::uint32_t>(meta);
    out.aux = static_cast<std::uint16_t>(meta >> 32);
    out.kind = static_cast<std::uint16_t>(meta >> 48);
    at_ += kRecordBytes;
    return out.kind >= kind::kFirstAttachment;
  }

  const std::byte* data_ = nullptr;
  std::uint64_t at_ = 0, end_ = 0;
  std::uint64_t tick_ = 0;
  bool bad_ = false, cut_inside_ = false;
};

}  // namespace cinderscope::thread_stream
