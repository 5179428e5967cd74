#include "formats/perfetto/text/describe_event.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "formats/perfetto/events/track_event.h"
#include "formats/perfetto/text/message_json.h"
#include "formats/perfetto/wire/fields.h"

namespace cinderscope::perfetto {
namespace {

// Arguments in the order in which they come, each name once.
class Arguments {
 public:
  void put(std::string name, std::string json) {
    const auto [found, fresh] = places_.try_emplace(name, members_.size());
    if (fresh) {
      members_.emplace_back(std::move(name), std::move(json));
    } else {
      members_[found->second].second = std::move(json);
    }
  }
  // More would not be shown.
  bool full() const { return members_.size() > ArgsLimits{}.max_nodes; }
  ArgsTree tree() const {
    if (members_.empty()) return {};
    std::string json = "{";
    for (const auto& [name, value] : members_) {
      if (json.size() > 1) json += ',';
      json += json_quoted(name) + ":" + value;
    }
    return parse_args(json + "}");
  }

 private:
  std::vector<std::pair<std::string, std::string>> members_;
  std::map<std::string, std::size_t> places_;
};

std::string hex(std::uint64_t id) {
  return fmt::format("0x{:x}", id);
}

void take_annotations(const EventRecord& record, const MessageTypes& types, Arguments& arguments) {
  MessageJson json(record.texts, types);
  FieldReader field(record.packet.body);
  while (field.next() && !arguments.full()) {
    if (field.key() == bytes_field(4)) {
      arguments.put(json.annotation_name(field.bytes()), json.annotation(field.bytes()));
    }
  }
}

void take_typed(const EventRecord& record, const MessageTypes& types, Arguments& arguments) {
  MessageJson json(record.texts, types);
  for (auto& [name, value] : json.arguments(record.packet.body)) {
    arguments.put(std::move(name), std::move(value));
  }
}

constexpr std::size_t kMostFlows = 1000;  // that are told of one event

using Facts = std::vector<std::pair<std::string, std::string>>;

void take_legacy_facts(std::string_view body, RecordText& out) {
  FieldReader field(body);
  while (field.next()) {
    switch (field.key()) {
      case number_field(2):
        out.facts.emplace_back("phase", std::string(1, static_cast<char>(field.number())));
        break;
      case number_field(4):
        out.cpu_ns = static_cast<std::int64_t>(field.number() * 1000);
        break;
      case number_field(6):
      case number_field(10):
      case number_field(11):
        out.facts.emplace_back("id", hex(field.number()));
        break;
      case bytes_field(7):
        out.facts.emplace_back("id scope", std::string(field.bytes()));
        break;
      case number_field(8):
        out.facts.emplace_back("bind id", hex(field.number()));
        break;
      default:
        break;
    }
  }
}

std::string log_level(std::uint64_t priority) {
  constexpr std::string_view kLevels[] = {"",     "",        "verbose", "debug",
                                          "info", "warning", "error",   "fatal"};
  const bool known = priority < std::size(kLevels) && !kLevels[priority].empty();
  return known ? std::string(kLevels[priority]) : fmt::format("{}", priority);
}

void take_log(std::string_view body, const EpochTexts& texts, Facts& facts) {
  FieldReader field(body);
  while (field.next()) {
    if (field.key() == number_field(1))
      facts.emplace_back("logged at", texts.location(field.number()));
    if (field.key() == number_field(2)) {
      facts.emplace_back("log", texts.text(kLogBodies, field.number()));
    }
    if (field.key() == number_field(3)) facts.emplace_back("log level", log_level(field.number()));
  }
}

void take_facts(const EventRecord& record, RecordText& out) {
  const EpochTexts& texts = record.texts;
  TrackEvent event;
  read_track_event(record.packet.body, event);
  const auto tell_flows = [&](const std::vector<std::uint64_t>& ids, const char* what) {
    for (const std::uint64_t id : std::span(ids).first(std::min(ids.size(), kMostFlows))) {
      out.facts.emplace_back(what, hex(id));
    }
  };
  tell_flows(event.flows, "flow");
  tell_flows(event.ending_flows, "flow end");
  FieldReader field(record.packet.body);
  while (field.next()) {
    switch (field.key()) {
      case number_field(52):
        out.facts.emplace_back("correlation", fmt::format("{}", field.number()));
        break;
      case bytes_field(53):
        out.facts.emplace_back("correlation", std::string(field.bytes()));
        break;
      case number_field(54):
        out.facts.emplace_back("correlation", texts.text(kCorrelationTexts, field.number()));
        break;
      case bytes_field(33):
        out.facts.emplace_back("source", location_text(field.bytes(), 2, 3, 4));
        break;
      case number_field(34):
        out.facts.emplace_back("source", texts.location(field.number()));
        break;
      case bytes_field(5): {
        FieldReader task(field.bytes());
        while (task.next()) {
          if (task.key() != number_field(1)) continue;
          out.facts.emplace_back("posted from", texts.location(task.number()));
        }
        break;
      }
      case bytes_field(21):
        take_log(field.bytes(), texts, out.facts);
        break;
      case bytes_field(55):
        out.stack = inline_callstack(field.bytes());
        break;
      case number_field(56):
        out.stack = texts.callstack(field.number());
        break;
      case number_field(57):
        out.facts.emplace_back("callstack weight", fmt::format("{}", field.number()));
        break;
      case bytes_field(6):
        take_legacy_facts(field.bytes(), out);
        break;
      default:
        break;
    }
  }
}

}  // namespace

std::string category_of_event(const EventRecord& record) {
  std::string out;
  if (record.packet.kind != kTrackEvent) return out;
  FieldReader field(record.packet.body);
  while (field.next()) {
    if (field.number_of_field() == 3) {
      each_number(field, [&](std::uint64_t iid) {
        if (!out.empty()) out += ',';
        out += record.texts.text(kEventCategories, iid);
      });
    } else if (field.key() == bytes_field(22)) {
      if (!out.empty()) out += ',';
      out += field.bytes();
    }
  }
  return out;
}

RecordText describe_event(const EventRecord& begin, const EventRecord* end,
                          const MessageTypes& types) {
  RecordText out;
  if (begin.packet.kind != kTrackEvent) return out;
  out.category = category_of_event(begin);
  Arguments arguments;
  take_annotations(begin, types, arguments);
  if (end != nullptr) take_annotations(*end, types, arguments);
  take_typed(begin, types, arguments);
  if (end != nullptr) take_typed(*end, types, arguments);
  out.args = arguments.tree();
  take_facts(begin, out);
  if (end != nullptr) {
    RecordText of_end;
    take_facts(*end, of_end);
    for (auto& fact : of_end.facts) {
      if (fact.first != "phase") out.facts.push_back(std::move(fact));
    }
    if (out.stack.empty()) out.stack = std::move(of_end.stack);
  }
  return out;
}

RecordText describe_ftrace_event(std::string_view event) {
  RecordText out;
  FieldReader field(event);
  while (field.next()) {
    if (field.key() == number_field(2)) {
      out.facts.emplace_back("tid", fmt::format("{}", static_cast<std::int32_t>(field.number())));
    }
    if (field.key() != bytes_field(3)) continue;
    FieldReader print(field.bytes());
    while (print.next()) {
      if (print.key() != bytes_field(2)) continue;
      std::string_view text = print.bytes();
      while (!text.empty() && (text.back() == '\n' || text.back() == '\0')) text.remove_suffix(1);
      out.facts.emplace_back("mark", std::string(text));
    }
  }
  return out;
}

}  // namespace cinderscope::perfetto
