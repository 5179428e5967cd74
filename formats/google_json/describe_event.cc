#include "formats/google_json/describe_event.h"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <vector>

#include "formats/google_json/events/operation_id.h"
#include "formats/google_json/google_json_wire.h"
#include "ingest/base/decimal_time.h"
#include "ingest/base/json/raw_json.h"
#include "ingest/base/saturating.h"

namespace cinderscope::google_json {
namespace {

struct EventText {
  std::string category;
  std::string_view args, stack, cut;
  std::string stack_frame, end_stack_frame;
  std::optional<std::int64_t> cpu_time_ns, cpu_duration_ns;
  std::vector<std::pair<std::string, std::string>> facts;
  std::string thread;    // id of the one that recorded it
  bool is_wide = false;  // an instant that is not its thread's own
};

// Elements of an array, or the members of an object, as one line; a scalar as it is.
std::string line_of(std::string_view value) {
  if (!json::is_array(value)) return json::text_of(value);
  std::string line;
  json::MemberReader elements(value);
  while (elements.next()) line += (line.empty() ? "" : ",") + json::text_of(elements.value());
  return line;
}

std::optional<std::int64_t> ns_of(std::string_view value) {
  const auto time =
      time_from_decimal(json::is_string(value) ? json::text_of(value) : std::string(value));
  if (!time) return std::nullopt;
  return time->ns;
}

std::string scope_name(std::string_view value) {
  const std::string letter = json::text_of(value);
  if (letter == "g") return "global";
  return letter == "p" ? "process" : "thread";
}

EventText read_event(std::string_view text) {
  EventText out;
  json::MemberReader members(text);
  while (members.next()) {
    const std::string key = members.key();
    const std::string_view value = members.value();
    switch (key_from_text(key)) {
      case Key::phase:
      case Key::name:
      case Key::time:
      case Key::duration:
      case Key::pid:
        break;
      case Key::tid:
        out.thread = id_text(value);
        break;
      case Key::category:
        out.category = line_of(value);
        break;
      case Key::args:
        out.args = value;
        break;
      case Key::cut:
        out.cut = value;
        break;
      case Key::cpu_time:
        out.cpu_time_ns = ns_of(value);
        break;
      case Key::cpu_duration:
        out.cpu_duration_ns = ns_of(value);
        break;
      case Key::stack_frame:
        out.stack_frame = id_text(value);
        break;
      case Key::end_stack_frame:
        out.end_stack_frame = id_text(value);
        break;
      case Key::stack:
      case Key::end_stack:
        out.stack = value;
        break;
      case Key::instant_scope:
        out.facts.emplace_back("scope", scope_name(value));
        out.is_wide = out.facts.back().second != "thread";
        break;
      default:
        out.facts.emplace_back(key, json::text_of(value));
    }
  }
  if (out.is_wide && !out.thread.empty()) out.facts.emplace_back("recorded by", out.thread);
  return out;
}

bool is_plain_object(std::string_view value) {
  return json::is_object(value) && value.back() == '}';
}

// Members of both as one JSON text; `end` wins for equal keys.
std::string merged_args(std::string_view begin, std::string_view end) {
  std::unordered_set<std::string> ended;
  json::MemberReader later(end);
  while (later.next()) ended.insert(later.key());
  std::string out = "{";
  const auto append = [&out](const json::MemberReader& member) {
    if (out.size() > 1) out += ',';
    out.append("\"").append(member.raw_key()).append("\":").append(member.value());
  };
  json::MemberReader earlier(begin);
  while (earlier.next()) {
    if (!ended.contains(earlier.key())) append(earlier);
  }
  json::MemberReader last(end);
  while (last.next()) append(last);
  return out + '}';
}

ArgsTree args_of(std::string_view begin, std::string_view end) {
  if (end.empty()) return begin.empty() ? ArgsTree{} : parse_args(begin);
  if (begin.empty()) return parse_args(end);
  if (is_plain_object(begin) && is_plain_object(end)) return parse_args(merged_args(begin, end));
  return parse_args("{\"begin\":" + std::string(begin) + ",\"end\":" + std::string(end) + "}");
}

}  // namespace

RecordText describe_event(std::string_view begin, std::string_view end, const StackFrames& frames,
                          const EventClock& clock) {
  EventText event = read_event(begin);
  const EventText closing = read_event(end);
  RecordText out;
  out.category = std::move(event.category);
  out.facts = std::move(event.facts);
  out.cpu_ns = event.cpu_duration_ns;
  if (!out.cpu_ns && event.cpu_time_ns && closing.cpu_time_ns) {
    out.cpu_ns = saturating_difference(*closing.cpu_time_ns, *event.cpu_time_ns);
  }
  for (const auto& fact : closing.facts) {
    if (std::find(out.facts.begin(), out.facts.end(), fact) == out.facts.end()) {
      out.facts.push_back(fact);
    }
  }
  out.args = args_of(event.args, closing.args);
  const auto cut_begin = ns_of(json::member(event.cut, "ts"));
  const auto cut_duration = ns_of(json::member(event.cut, "dur"));
  if (cut_begin && cut_duration) {
    out.cut = CutFrom{clock.time(*cut_begin), clock.duration(*cut_duration)};
  } else if (!event.cut.empty()) {
    out.facts.emplace_back("cut", json::text_of(event.cut));
  }
  const std::string& frame = event.stack_frame.empty() ? event.end_stack_frame : event.stack_frame;
  if (!frame.empty()) {
    out.stack = frames.stack(frame);
    if (out.stack.empty()) out.facts.emplace_back("sf", frame);
  } else {
    json::MemberReader calls(event.stack);
    while (calls.next()) out.stack.push_back(json::text_of(calls.value()));
  }
  return out;
}

std::string category_of_event(std::string_view begin) {
  std::string_view category;
  json::MemberReader members(begin);
  while (members.next()) {
    const std::string_view key = members.raw_key();
    const bool is_plain = key.find('\\') == std::string_view::npos;
    const Key known = is_plain ? key_from_text(key) : key_from_text(members.key());
    if (known == Key::category) category = members.value();
  }
  return category_text(category);
}

std::string category_text(std::string_view value) {
  const bool is_plain =
      value.size() >= 2 && value.front() == '"' && value.find('\\') == std::string_view::npos;
  return is_plain ? std::string(value.substr(1, value.size() - 2)) : line_of(value);
}

}  // namespace cinderscope::google_json
