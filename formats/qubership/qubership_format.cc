#include "formats/qubership/found_files.h"
#include "formats/qubership/qubership_source.h"
#include "formats/qubership/session_reader.h"
#include "ingest/base/path_text.h"
#include "ingest/format/format.h"

namespace cinderscope {
namespace {

using namespace qubership;

// Streams have no signature: their names tell what they are, and a time near their begin that they
// are no namesakes.
bool looks_like(Stream stream, std::span<const std::byte> head) {
  WireCursor in(head);
  if (stream == Stream::suspend && looks_blocked(stream, head)) in.skip(4);
  if (stream == Stream::calls || stream == Stream::call_ranges) {
    if (WireCursor(head).u32() == kCallsMagic) return true;
  }
  if (stream != Stream::trace && stream != Stream::calls && stream != Stream::call_ranges &&
      stream != Stream::suspend) {
    return !head.empty();
  }
  const std::int64_t time_ms = in.i64();
  return !in.cut() && time_ms >= kEarliestMs && time_ms <= kLatestMs;
}

class QubershipFormat : public Format {
 public:
  std::string_view name() const override { return "qubership"; }
  std::string_view description() const override { return "Qubership"; }

  bool can_load_prefix() const override { return true; }
  Match probe(const Input& input) const override {
    if (input.is_folder()) return find_files(input).empty() ? Match::no : Match::certain;
    const std::span<const std::byte> head = input.head();
    if (is_session(head)) return Match::certain;
    const auto loose = loose_name(input.name());
    if (loose) {
      return loose->stream != Stream::gc && looks_like(loose->stream, head) ? Match::certain
                                                                            : Match::no;
    }
    if (!rolled_index(input.name())) return Match::no;
    const auto stream = stream_named(cinderscope::utf8_of(input.path().parent_path().filename()));
    const bool known = stream && *stream != Stream::gc && looks_like(*stream, head);
    return known && !find_files(input).empty() ? Match::certain : Match::no;
  }

  Result<std::unique_ptr<TraceSource>> open(Input input) const override {
    return std::unique_ptr<TraceSource>(std::make_unique<QubershipSource>(std::move(input)));
  }
};

}  // namespace

const Format& qubership_format() {
  static const QubershipFormat format;
  return format;
}

}  // namespace cinderscope
