// A whole format, as an example. Its traces begin with "ticktock 1"; then each line is an event:
// "THREAD begin NANOSECONDS NAME" or "THREAD end NANOSECONDS".
#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "ingest/base/number_text.h"
#include "ingest/format/format.h"

namespace cinderscope {
namespace {

constexpr std::string_view kMagic = "ticktock 1\n";
constexpr std::int64_t kMostNs = std::int64_t{1} << 62;
// A format's own kind of oddity; those that several formats have are in diagnostic_kinds.h.
constexpr DiagnosticKind kBadLine{"bad_line", Severity::damage,
                                  "A line is no event and was left out."};

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string_view take_word(std::string_view& line) {
  const std::string_view word = line.substr(0, line.find(' '));
  line.remove_prefix(std::min(word.size() + 1, line.size()));
  return word;
}

class TicktockSource final : public TraceSource {
 public:
  explicit TicktockSource(Input input) : input_(std::move(input)) {}

  Status load(TimelineBuilder& out, LoadContext& context) override {
    if (input_.complete()) context.set_total_bytes(input_.size_bytes());
    std::uint64_t at = kMagic.size(), next_tick = 0;
    while (input_.wait_for(at + 1) > at) {
      if (at >= next_tick) {
        if (!context.tick(out, at)) return Error{ErrorCode::cancelled, "Loading was cancelled."};
        next_tick = at + context.window_bytes();
      }
      const Result<std::string> line = line_at(at);
      if (!line) return line.error();
      read_event(*line, at, out);
      at += line->size() + 1;
    }
    return ok();
  }

  RecordText read_record(RecordOffset record, RecordOffset) const override {
    if (record >= record_end()) return {};
    const Result<std::string> line = line_at(record);
    return {.line = line ? *line : std::string()};
  }

  const Input& input() const override { return input_; }

 private:
  // Without its end; waits until that has come.
  Result<std::string> line_at(std::uint64_t at) const {
    for (std::uint64_t length = 128;; length *= 2) {
      const Result<Pin> pin = input_.pin(at, length);
      if (!pin) return pin.error();
      const std::string_view text = text_of(pin->bytes());
      const std::size_t end = text.find('\n');
      if (end != std::string_view::npos || text.size() < length) {
        return std::string(text.substr(0, end));
      }
    }
  }

  static void read_event(std::string_view line, std::uint64_t at, TimelineBuilder& out) {
    const std::string_view thread = take_word(line), kind = take_word(line);
    const auto time = parse_number<std::int64_t>(take_word(line));
    if (!time || (kind != "begin" && kind != "end")) {
      out.diagnostics().count(kBadLine, static_cast<std::int64_t>(at));
      return;
    }
    const std::int64_t time_ns = std::clamp(*time, -kMostNs, kMostNs);
    if (time_ns != *time) {
      out.diagnostics().count(diagnostic::kClampedTime, static_cast<std::int64_t>(at));
    }
    TrackWriter& slices = out.slices(out.thread(out.process("1"), thread));
    if (kind == "begin") slices.begin(time_ns, out.intern(line), at);
    if (kind == "end") slices.end(time_ns, kNoName, at);
    out.count_records(1);
  }

  Input input_;
};

class TicktockFormat final : public Format {
 public:
  std::string_view name() const override { return "ticktock"; }
  std::string_view description() const override { return "ticktock log"; }
  Match probe(const Input& input) const override {
    return text_of(input.head()).starts_with(kMagic) ? Match::certain : Match::no;
  }
  Result<std::unique_ptr<TraceSource>> open(Input input) const override {
    return std::unique_ptr<TraceSource>(std::make_unique<TicktockSource>(std::move(input)));
  }
};

}  // namespace

const Format& ticktock_format() {
  static const TicktockFormat format;
  return format;
}

}  // namespace cinderscope
