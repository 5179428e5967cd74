// The .jsonl variant and its forerunners (sections 4 and 5): one JSON object a line.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

#include "formats/flow/event_reader.h"
#include "ingest/base/ascii.h"
#include "ingest/base/json/json_tokens.h"
#include "ingest/base/number_text.h"
#include "ingest/base/utf8.h"

namespace cinderscope::flow {
namespace {

constexpr std::uint64_t kLongestLine = std::uint64_t{1} << 24;

struct JsonEvent {
  bool enter = false;
  std::string_view method, tid;  // as written, without quotes
  bool method_has_escapes = false;
};

// The agent's own spelling.
std::optional<JsonEvent> parse_usual(std::string_view line) {
  constexpr std::string_view kExit = R"({"e":"exit"})", kEnter = R"({"e":"enter","method":)";
  if (line == kExit) return JsonEvent{};
  if (!line.starts_with(kEnter) || !line.ends_with('}')) return std::nullopt;
  std::string_view id = line.substr(kEnter.size(), line.size() - kEnter.size() - 1);
  if (id.size() > 2 && id.front() == '"' && id.back() == '"') id = id.substr(1, id.size() - 2);
  if (!is_number(id)) return std::nullopt;
  return JsonEvent{.enter = true, .method = id};
}

// Any other spelling, with further members.
std::optional<JsonEvent> parse_any(std::string_view line) {
  JsonTokens tokens(line);
  if (tokens.next() != JsonToken::open_object) return std::nullopt;
  JsonEvent event;
  bool has_kind = false, has_method = false;
  for (;;) {
    if (tokens.next() != JsonToken::string) return std::nullopt;
    const std::string_view key = tokens.text();
    if (tokens.next() != JsonToken::colon) return std::nullopt;
    const JsonToken value = tokens.next();
    const std::string_view text = tokens.text();
    const bool plain = value == JsonToken::string || value == JsonToken::scalar;
    if (!plain && value != JsonToken::open_object && value != JsonToken::open_array) {
      return std::nullopt;
    }
    if (!plain && !tokens.skip_rest(value)) return std::nullopt;
    if (key == "e" && plain) {
      if (text != "enter" && text != "exit") return std::nullopt;
      has_kind = true;
      event.enter = text == "enter";
    } else if (key == "method" && plain) {
      has_method = true;
      event.method = text;
      event.method_has_escapes = text.find('\\') != std::string_view::npos;
    } else if (key == "tid" && plain) {
      event.tid = text;
    }
    const JsonToken next = tokens.next();
    if (next == JsonToken::close_object) break;
    if (next != JsonToken::comma) return std::nullopt;
  }
  if (!has_kind || event.enter != has_method || tokens.next() != JsonToken::end) {
    return std::nullopt;
  }
  return event;
}

class JsonReader : public EventReader {
 public:
  JsonReader(MethodTable& methods, OpenLane open_lane)
      : EventReader(methods, std::move(open_lane)) {}

  std::uint64_t read(const Pin& bytes, std::uint64_t at, std::uint64_t end, bool last) override {
    const std::string_view text = bytes.text();
    const auto index_of = [&](std::uint64_t offset) {
      return static_cast<std::size_t>(offset - bytes.begin());
    };
    while (at < end && !over()) {
      // A line may come in many pieces: none is looked through twice.
      const std::size_t found = text.find('\n', index_of(std::max(at, searched_)));
      const std::uint64_t line_end = bytes.begin() + std::min(found, text.size());
      searched_ = line_end;
      if (line_end - at > kLongestLine) {
        damaged(at, "A line is longer than 16 MiB");
        break;
      }
      if (found == std::string_view::npos && !last) break;
      const auto line_bytes = static_cast<std::size_t>(line_end - at);
      take(text.substr(index_of(at), line_bytes), at, found == std::string_view::npos);
      at = std::min(line_end + 1, bytes.end());
    }
    return at;
  }

 private:
  void take(std::string_view line, std::uint64_t offset, bool is_last) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    std::optional<JsonEvent> event = parse_usual(line);
    if (!event) event = parse_any(line);
    if (event) return add(*event, offset);
    if (is_blank(line)) return;
    if (is_last) return cut(offset, line.size());
    diagnostics_.count(diagnostic::kBadJsonLine, static_cast<std::int64_t>(offset));
  }

  void add(const JsonEvent& event, std::uint64_t offset) {
    // Most files are of one thread.
    if (lane_ == nullptr || event.tid != tid_) {
      lane_ = &lane(event.tid);
      tid_ = event.tid;
    }
    if (!event.enter) return lane_->exit(1, offset);
    if (const auto id = parse_number<std::uint64_t>(event.method)) {
      return lane_->enter(method(*id));
    }
    // The first writer gave the method's text.
    lane_->enter(methods_.of_key(event.method_has_escapes ? decode_json_string(event.method)
                                                          : std::string(event.method)));
  }

  Lane* lane_ = nullptr;
  std::string tid_;
  std::uint64_t searched_ = 0;  // there is no line end between the line's begin and here
};

}  // namespace

std::unique_ptr<EventReader> make_json_reader(MethodTable& methods, OpenLane open_lane) {
  return std::make_unique<JsonReader>(methods, std::move(open_lane));
}

}  // namespace cinderscope::flow
