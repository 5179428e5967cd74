// A whole format, as an example. Its traces begin with "ticktock 1"; then each line is an event:
// "THREAD begin NANOSECONDS NAME" or "THREAD end NANOSECONDS".
#include <algorithm>
#include <memory>
#include <utility>

#include "ingest/base/number_text.h"
#include "ingest/format/format.h"

namespace cinderscope {
namespace {

constexpr std::string_view kMagic = "ticktock 1\n";
constexpr std::int64_t kMostNs = std::int64_t{1} << 62;

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
    if (input_.complete()) context.set_total_bytes(input_.bytes().size());
    std::uint64_t at = kMagic.size(), next_tick = 0;
    while (input_.wait_for(at + 1).size() > at) {
      if (at >= next_tick) {
        if (!context.tick(out, at)) return Error{ErrorCode::cancelled, "Loading was cancelled."};
        next_tick = at + context.window_bytes();
      }
      const std::string_view line = line_at(at);
      read_event(line, at, out);
      at += line.size() + 1;
    }
    return ok();
  }

  RecordText describe(RecordOffset record, RecordOffset) const override {
    if (record >= record_end()) return {};
    return {.line = std::string(line_at(record))};
  }

  const Input& input() const override { return input_; }

 private:
  // Without its end; waits until that has come.
  std::string_view line_at(std::uint64_t at) const {
    for (std::uint64_t wanted = at + 64;; wanted += wanted - at) {
      const std::string_view text = text_of(input_.wait_for(wanted));
      const std::size_t end = text.find('\n', at);
      if (end != std::string_view::npos || text.size() < wanted) return text.substr(at, end - at);
    }
  }

  static void read_event(std::string_view line, std::uint64_t at, TimelineBuilder& out) {
    const std::string_view thread = take_word(line), kind = take_word(line);
    const auto time = parse_number<std::int64_t>(take_word(line));
    if (!time || (kind != "begin" && kind != "end")) {
      out.diagnostics().count("bad_line", static_cast<std::int64_t>(at),
                              "A line is no event and was left out.");
      return;
    }
    const std::int64_t time_ns = std::clamp(*time, -kMostNs, kMostNs);
    if (time_ns != *time) out.diagnostics().count("clamped_time", static_cast<std::int64_t>(at));
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
