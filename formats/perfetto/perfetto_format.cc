// Recognises Perfetto's traces by the fields of their first packets.
#include <algorithm>
#include <memory>
#include <utility>

#include "formats/perfetto/perfetto_source.h"
#include "formats/perfetto/wire/block_reader.h"
#include "formats/perfetto/wire/packet_hop.h"
#include "ingest/format/format.h"

namespace cinderscope {
namespace perfetto {
namespace {

constexpr std::uint32_t kTellingFields[] = {1,  2,  6,  9,  11, 33, 35, 36,
                                            43, 44, 45, 50, 60, 69, 89, 133};

enum class Body : std::uint8_t { good, telling, damaged, other_format };

// `cut`: only the beginning of a body.
Body body_kind(std::string_view body, bool cut) {
  bool has_time = false, has_message = false, telling = false;
  const char* at = body.data();
  const char* const end = at + body.size();
  while (at != end) {
    std::uint64_t tag = 0, value = 0;
    const bool has_tag = read_varint(at, end, tag);
    const std::uint64_t number = tag >> 3, type = tag & 7;
    if (has_tag &&
        (number == 0 || number > kLastFieldNumber || type == 3 || type == 4 || type > 5)) {
      return Body::damaged;
    }
    const bool is_number = type == 0, is_bytes = type == 2;
    bool whole = has_tag && (!(is_number || is_bytes) || read_varint(at, end, value));
    if (type == 1) value = 8;
    if (type == 5) value = 4;
    if (whole && is_number && (number == 1 || number == 2)) return Body::other_format;  // pprof
    if (whole && !is_number) {
      whole = value <= static_cast<std::uint64_t>(end - at);
      at += whole ? value : 0;
    }
    telling = telling || (has_tag && is_number && (number == 10 || number == 3));
    telling = telling || (has_tag && is_bytes &&
                          std::ranges::find(kTellingFields, number) != std::end(kTellingFields));
    has_time = has_time || (is_number && number == 8);
    has_message = has_message || is_bytes;
    if (!whole) {
      if (!cut) return Body::damaged;
      break;
    }
  }
  return telling || (has_time && has_message) ? Body::telling : Body::good;
}

// By the packets at the head of the file. Behind damage it may still be a trace.
Match match_packets(std::string_view head) {
  if (head.empty() || head[0] != '\n') return Match::no;
  bool telling = false, damaged = false;
  while (!head.empty() && !damaged) {
    const FieldHead field = read_head(head);
    damaged = field.kind == FieldHead::Kind::bad_tag;
    if (damaged || field.kind == FieldHead::Kind::cut) break;
    head.remove_prefix(field.head_bytes);
    const bool cut = field.body_bytes > head.size();
    const std::string_view body =
        head.substr(0, std::min<std::uint64_t>(field.body_bytes, head.size()));
    head.remove_prefix(body.size());
    if (field.kind != FieldHead::Kind::packet) continue;
    const Body kind = body_kind(body, cut);
    if (kind == Body::other_format) return Match::no;
    damaged = kind == Body::damaged;
    telling = telling || kind == Body::telling;
  }
  if (!telling) return Match::no;
  return damaged ? Match::maybe : Match::certain;
}

class PerfettoFormat final : public Format {
 public:
  std::string_view name() const override { return "perfetto"; }
  std::string_view description() const override { return "Perfetto"; }
  std::vector<std::string_view> name_endings() const override {
    return {".pftrace", ".perfetto-trace"};
  }
  bool can_load_prefix() const override { return true; }
  Match probe(const Input& input) const override {
    const auto head = input.head();
    return match_packets({reinterpret_cast<const char*>(head.data()), head.size()});
  }
  Result<std::unique_ptr<TraceSource>> open(Input input) const override {
    return std::unique_ptr<TraceSource>(std::make_unique<PerfettoSource>(std::move(input)));
  }
};

}  // namespace
}  // namespace perfetto

const Format& perfetto_format() {
  static const perfetto::PerfettoFormat format;
  return format;
}

}  // namespace cinderscope
