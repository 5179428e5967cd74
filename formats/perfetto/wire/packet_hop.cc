#include "formats/perfetto/wire/packet_hop.h"

#include <algorithm>
#include <optional>

#include "formats/perfetto/wire/fields.h"

namespace cinderscope::perfetto {
namespace {

constexpr std::uint64_t kHeadBytes = 20;  // two varints
constexpr std::uint64_t kLookedAtBytes = 4096;
constexpr int kPacketsInARow = 4;
constexpr std::uint64_t kGoOnEvery = 16u << 20;

// Whether the body of a packet looks like one; `cut` if it is only its beginning.
bool looks_like_packet(std::string_view body, bool cut) {
  bool has_time_or_sequence = false;
  FieldReader field(body);
  while (field.next()) {
    const std::uint64_t key = field.key();
    if (key == number_field(8) || key == number_field(10)) has_time_or_sequence = true;
  }
  return has_time_or_sequence && (cut || !field.damaged());
}

// Searches the place where packets go on behind damage. Looks at each byte a bounded number of
// times: at the beginnings of bodies only, and at less of them where many look like packets.
class PacketSearch {
 public:
  PacketSearch(const ByteSource& source, std::uint64_t from, std::uint64_t size)
      : window_(source, 1u << 20), from_(from), size_(size) {}

  // Fewer than four packets will do if they end with the file, and `may_be_last`.
  std::optional<std::uint64_t> find(bool may_be_last) {
    for (std::uint64_t at = from_; at < size_;) {
      const std::string_view text = window_.at(at, std::min<std::uint64_t>(size_ - at, 1u << 16));
      if (text.empty()) return std::nullopt;
      const std::size_t next = text.find('\n');
      if (next == std::string_view::npos) {
        at += text.size();
        continue;
      }
      at += next;
      if (packets_begin(at, may_be_last)) return at;
      ++at;
    }
    return std::nullopt;
  }

 private:
  bool packets_begin(std::uint64_t at, bool may_be_last) {
    const std::uint64_t budget = 16 * (at - from_) + (64u << 20);
    const std::uint64_t most = looked_at_ < budget ? kLookedAtBytes : 64;
    for (int i = 0; i < kPacketsInARow; ++i) {
      if (at == size_) return may_be_last && i > 0;
      const FieldHead head = read_head(window_.at(at, std::min(kHeadBytes, size_ - at)));
      if (head.kind != FieldHead::Kind::packet || head.body_bytes == 0) return false;
      const std::uint64_t left = size_ - at - head.head_bytes;
      if (head.body_bytes > left) return false;
      const std::uint64_t looked = std::min(head.body_bytes, most);
      looked_at_ += looked;
      if (!looks_like_packet(window_.at(at + head.head_bytes, looked), looked < head.body_bytes)) {
        return false;
      }
      at += head.head_bytes + head.body_bytes;
    }
    return true;
  }

  ByteWindow window_;
  std::uint64_t from_, size_;
  std::uint64_t looked_at_ = 0;
};

// How many bytes of whole packets `bytes` begin with, up to `most` and the packet that reaches
// there. Nearly all of a file is read here, packet by packet.
std::uint64_t hop_over_packets(std::string_view bytes, std::uint64_t most) {
  const char* const begin = bytes.data();
  const char* const end = begin + bytes.size();
  const char* at = begin;
  while (end - at >= static_cast<std::ptrdiff_t>(kHeadBytes) && *at == '\n' &&
         static_cast<std::uint64_t>(at - begin) < most) {
    const char* body = at + 1;
    std::uint64_t length = 0;
    if (!read_varint(body, end, length) || length > static_cast<std::uint64_t>(end - body)) break;
    at = body + length;
  }
  return static_cast<std::uint64_t>(at - begin);
}

}  // namespace

FieldHead read_head(std::string_view bytes) {
  using Kind = FieldHead::Kind;
  const char* at = bytes.data();
  const char* const end = at + bytes.size();
  // A varint that the end cuts is no damage; one that is too long is.
  const auto failed = [&](const char* from) {
    return FieldHead{end - from < 10 ? Kind::cut : Kind::bad_tag};
  };
  std::uint64_t tag = 0, value = 0;
  if (!read_varint(at, end, tag)) return failed(at);
  if (tag >> 3 == 0 || tag >> 3 > kLastFieldNumber) return {Kind::bad_tag};
  FieldHead head{tag == bytes_field(1) ? Kind::packet : Kind::other};
  const char* const behind_tag = at;
  switch (tag & 7) {
    case 0:
      if (!read_varint(at, end, value)) return failed(behind_tag);
      break;
    case 1:
      head.body_bytes = 8;
      break;
    case 2:
      if (!read_varint(at, end, head.body_bytes)) return failed(behind_tag);
      break;
    case 5:
      head.body_bytes = 4;
      break;
    default:
      return {Kind::bad_tag};
  }
  head.head_bytes = static_cast<std::uint64_t>(at - bytes.data());
  return head;
}

Hop hop_packets(const ByteSource& source, std::uint64_t block_bytes,
                const std::function<bool(std::uint64_t done_bytes)>& go_on) {
  Hop hop;
  const std::uint64_t size = source.size_bytes();
  ByteWindow window(source, std::max<std::uint64_t>(block_bytes, 1u << 16));
  std::uint64_t at = 0, block_begin = 0, next_question = 0;
  const auto end_block = [&](std::uint64_t next_begin) {
    if (at > block_begin) hop.blocks.push_back({block_begin, at});
    block_begin = next_begin;
  };
  while (at < size) {
    if (at >= next_question) {
      if (!go_on(at)) {
        hop.cancelled = true;
        break;
      }
      next_question = at + kGoOnEvery;
    }
    const std::uint64_t hopped =
        hop_over_packets(window.from(at), block_bytes - (at - block_begin));
    if (hopped != 0) {
      at += hopped;
      if (at - block_begin >= block_bytes) end_block(at);
      continue;
    }
    const std::string_view bytes = window.at(at, std::min(kHeadBytes, size - at));
    if (bytes.empty()) break;
    const FieldHead head = read_head(bytes);
    const bool fits = head.kind != FieldHead::Kind::cut && head.kind != FieldHead::Kind::bad_tag &&
                      head.body_bytes <= size - at - head.head_bytes;
    if (fits) {
      at += head.head_bytes + head.body_bytes;
      if (at - block_begin >= block_bytes) end_block(at);
      continue;
    }
    const bool bad_tag = head.kind == FieldHead::Kind::bad_tag;
    const std::optional<std::uint64_t> next = PacketSearch(source, at + 1, size).find(bad_tag);
    if (!next && !bad_tag) {
      hop.is_cut = true;
      hop.cut_at = at;
    } else {
      hop.damaged_at.push_back(at);
    }
    end_block(next.value_or(size));
    at = next.value_or(size);
  }
  end_block(at);
  return hop;
}

}  // namespace cinderscope::perfetto
