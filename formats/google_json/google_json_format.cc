// The format's entry: recognises a trace by its content and opens it.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "formats/google_json/google_json_source.h"
#include "ingest/base/json/raw_json.h"
#include "ingest/base/utf16.h"
#include "ingest/format/format.h"

namespace cinderscope {
namespace google_json {
namespace {

std::string_view text_of_bytes(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// `"ph"` as a key, anywhere.
bool has_phase_key(std::string_view text) {
  constexpr std::string_view kPhase = "\"ph\"";
  for (std::size_t at = text.find(kPhase); at != std::string_view::npos;
       at = text.find(kPhase, at + 1)) {
    std::string_view rest = text.substr(at + kPhase.size());
    while (!rest.empty() && json::is_blank(rest[0])) rest.remove_prefix(1);
    if (!rest.empty() && rest[0] == ':') return true;
  }
  return false;
}

Match match_of_object(std::string_view text) {
  json::MemberReader members(text);
  while (members.next()) {
    if (members.raw_key() == "ph" || members.raw_key() == "traceEvents") return Match::certain;
  }
  const std::string_view inside = json::trim_blanks(text.substr(1));
  return inside.empty() || inside[0] == '"' ? Match::maybe : Match::no;
}

// Text that begins a JSON array: elements that may be events, or nothing more.
Match match_of_array(std::string_view text) {
  if (has_phase_key(text)) return Match::certain;
  const std::string_view inside = json::trim_blanks(text.substr(1));
  if (inside.empty() || inside[0] == '{' || inside[0] == ']' || inside[0] == ',') {
    return Match::maybe;
  }
  return inside.starts_with("null") ? Match::maybe : Match::no;
}

Match match_of(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  text = json::trim_blanks(text);
  if (json::is_object(text)) return match_of_object(text);
  return json::is_array(text) ? match_of_array(text) : Match::no;
}

class GoogleJsonFormat final : public Format {
 public:
  std::string_view name() const override { return "google_json"; }
  std::string_view description() const override { return "Chrome/Google JSON"; }
  std::vector<std::string_view> name_endings() const override { return {".json"}; }

  bool can_load_prefix() const override { return true; }

  Match probe(const Input& input) const override {
    if (input.is_folder()) return Match::no;
    const std::string_view head = text_of_bytes(input.head());
    const std::optional<std::string> converted = utf8_from_utf16(head);
    return match_of(converted ? std::string_view(*converted) : head);
  }

  Result<std::unique_ptr<TraceSource>> open(Input input) const override {
    return std::unique_ptr<TraceSource>(std::make_unique<GoogleJsonSource>(std::move(input)));
  }
};

}  // namespace
}  // namespace google_json

const Format& google_json_format() {
  static const google_json::GoogleJsonFormat format;
  return format;
}

}  // namespace cinderscope
