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

// What the beginning of a trace's packets says; `cut`: more bytes follow in the file.
Match match_packets(std::string_view head) {
  if (head.empty() || head[0] != '\n') return Match::no;
  bool telling = false;
  while (!head.empty()) {
    const FieldHead field = read_head(head);
    if (field.kind == FieldHead::Kind::bad_tag) return Match::no;
    if (field.kind == FieldHead::Kind::cut) break;
    head.remove_prefix(field.head_bytes);
    const bool cut = field.body_bytes > head.size();
    const std::string_view body =
        head.substr(0, std::min<std::uint64_t>(field.body_bytes, head.size()));
    head.remove_prefix(body.size());
    if (field.kind != FieldHead::Kind::packet) continue;
    bool has_time = false, has_message = false;
    const char* at = body.data();
    const char* const end = at + body.size();
    while (at != end) {
      std::uint64_t tag = 0, value = 0;
      // The head may end in the midst of a field, a packet may not.
      if (!read_varint(at, end, tag))
        return cut ? (telling ? Match::certain : Match::no) : Match::no;
      const std::uint64_t number = tag >> 3;
      if (number == 0 || number > kLastFieldNumber) return Match::no;
      const auto left = [&] { return static_cast<std::uint64_t>(end - at); };
      switch (tag & 7) {
        case 0:
          if (number == 1 || number == 2) return Match::no;  // pprof
          if (number == 10 || number == 3) telling = true;
          has_time = has_time || number == 8;
          break;
        case 2:
          has_message = true;
          if (std::ranges::find(kTellingFields, number) != std::end(kTellingFields)) telling = true;
          break;
        default:
          break;
      }
      const bool is_number = (tag & 7) == 0, is_bytes = (tag & 7) == 2;
      if ((is_number || is_bytes) && !read_varint(at, end, value)) {
        if (!cut) return Match::no;
        break;
      }
      if ((tag & 7) == 1 || (tag & 7) == 5) value = (tag & 7) == 1 ? 8 : 4;
      if ((tag & 7) == 3 || (tag & 7) == 4 || (tag & 7) > 5) return Match::no;
      if (is_number) continue;
      if (value > left()) {
        if (!cut) return Match::no;
        break;
      }
      at += value;
    }
    telling = telling || (has_time && has_message);
    if (cut) break;
  }
  return telling ? Match::certain : Match::no;
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
