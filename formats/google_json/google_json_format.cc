// The format's entry: recognises a trace by its content and opens it.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "formats/google_json/describe_event.h"
#include "formats/google_json/events/stack_frames.h"
#include "formats/google_json/text/utf16.h"
#include "formats/google_json/trace_loader.h"
#include "ingest/base/raw_json.h"
#include "ingest/format/format.h"

namespace cinderscope {
namespace google_json {
namespace {

constexpr std::uint64_t kDescribeBytes = 16u << 20;  // of one event; its args are shown cut anyway

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

class GoogleJsonSource final : public TraceSource {
 public:
  explicit GoogleJsonSource(Input input) : input_(std::move(input)) {}

  Status load(TimelineBuilder& out, LoadContext& context) override {
    if (out.replaying()) return TraceLoader(text(), out, context, frames_).replay(arrays_);
    const std::string_view head = text_of_bytes(input_.head());
    if (head.starts_with("\xff\xfe") || head.starts_with("\xfe\xff")) {
      const Result<Pin> all = input_.pin_all();
      if (!all) return all.error();
      const std::string text = *utf8_from_utf16(all->text());
      const auto bytes = std::as_bytes(std::span(text));
      converted_ = Input::from_memory(std::string(input_.name()), {bytes.begin(), bytes.end()});
    }
    TraceLoader loader(text(), out, context, frames_);
    Status status = loader.load();
    phase_counts_ = loader.phase_counts();
    arrays_ = loader.arrays();
    return status;
  }

  RecordText read_record(RecordOffset record, RecordOffset end_record) const override {
    const Pin begin = event_bytes(record), end = event_bytes(end_record);
    return describe_event(whole_event(begin.text()), whole_event(end.text()), frames_);
  }

  const Input& input() const override { return input_; }
  RecordOffset record_end() const override { return text().size_bytes(); }

  std::vector<std::pair<std::string, std::string>> details() const override {
    std::string phases;
    for (std::size_t i = 0; i < phase_counts_.size(); ++i) {
      if (phase_counts_[i] == 0) continue;
      const bool plain = i >= 0x20 && i < 0x7f && i != '"' && i != '\\';
      phases +=
          fmt::format("{}\"{}\":{}", phases.empty() ? "" : ",",
                      plain ? std::string(1, static_cast<char>(i)) : fmt::format("byte {}", i),
                      phase_counts_[i]);
    }
    return {{"phases", "{" + phases + "}"}};
  }

 private:
  // What is read: the input, or its text in UTF-8.
  const Input& text() const { return converted_ ? *converted_ : input_; }

  // The event and what follows it; empty for kNoRecord.
  Pin event_bytes(RecordOffset record) const {
    if (record == kNoRecord) return {};
    const std::uint64_t there = text().wait_for(record + kDescribeBytes);
    if (record >= there) return {};
    Result<Pin> pin = text().pin(record, std::min(kDescribeBytes, there - record));
    return pin ? std::move(*pin) : Pin();
  }
  static std::string_view whole_event(std::string_view text) {
    return text.substr(0, json::skip_value(text, 0));
  }

  Input input_;
  std::optional<Input> converted_;
  StackFrames frames_;
  PhaseCounts phase_counts_{};
  std::vector<TraceLoader::EventArray> arrays_;  // for a replay
};

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
