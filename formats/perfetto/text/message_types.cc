#include "formats/perfetto/text/message_types.h"

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <vector>

#include "formats/perfetto/wire/fields.h"
#include "ingest/base/text_hash.h"
#include "ingest/input/unpack/decoders.h"

namespace cinderscope::perfetto {
namespace {

constexpr std::string_view kTrackEventType = ".perfetto.protos.TrackEvent";
constexpr std::uint64_t kRepeatedLabel = 3;
// Of descriptors that are read: what they are kept as takes some times as much.
constexpr std::size_t kMostDescriptorBytes = 16u << 20;

std::string name_in(std::string_view message) {
  FieldReader field(message);
  while (field.next()) {
    if (field.key() == bytes_field(1)) return std::string(field.bytes());
  }
  return {};
}

// What gzip packed; nothing if it is more than `most_bytes`.
std::string unpacked_text(std::string_view packed, std::size_t most_bytes) {
  const std::unique_ptr<Decoder> decoder = make_decoder(Packing::gzip);
  std::string text;
  if (!decoder) return text;
  auto in = std::as_bytes(std::span(packed));
  const auto piece = std::make_unique<std::array<std::byte, 64u << 10>>();
  while (true) {
    const Decoder::Step step = decoder->step(in, *piece);
    in = in.subspan(step.consumed_bytes);
    if (step.produced_bytes > most_bytes - text.size()) return {};
    text.append(reinterpret_cast<const char*>(piece->data()), step.produced_bytes);
    if (step.state != Decoder::State::more) return text;
    if (step.consumed_bytes == 0 && step.produced_bytes == 0) return text;
  }
}

// Those that Perfetto itself has, of which traces carry no description.
struct BuiltInArgument {
  std::uint32_t number;
  std::string_view name;
};
constexpr BuiltInArgument kBuiltInArguments[] = {
    {24, "cc_scheduler_state"},
    {25, "chrome_user_event"},
    {26, "chrome_keyed_service"},
    {27, "chrome_legacy_ipc"},
    {28, "chrome_histogram_sample"},
    {29, "chrome_latency_info"},
    {32, "chrome_frame_reporter"},
    {35, "chrome_message_pump"},
    {38, "chrome_mojo_event_info"},
    {39, "chrome_application_state_info"},
    {40, "chrome_renderer_scheduler_state"},
    {41, "chrome_window_handle_event_info"},
    {43, "chrome_content_settings_event_info"},
    {49, "chrome_active_processes"},
    {50, "screenshot"},
};
constexpr std::string_view kHistogramType = ".perfetto.protos.ChromeHistogramSample";

}  // namespace

MessageTypes::MessageTypes() {
  for (const BuiltInArgument& known : kBuiltInArguments) {
    arguments_[known.number] = {std::string(known.name), FieldType::kMessage, false, {}};
  }
  arguments_[28].type_name = kHistogramType;
  messages_[std::string(kHistogramType)] = {{1, {"name_hash", FieldType::kUint64, false, {}}},
                                            {2, {"name", FieldType::kString, false, {}}},
                                            {3, {"sample", FieldType::kInt64, false, {}}},
                                            {4, {"name_iid", FieldType::kUint64, false, {}}}};
}

const MessageType* MessageTypes::message(std::string_view full_name) const {
  const auto found = messages_.find(std::string(full_name));
  return found == messages_.end() ? nullptr : &found->second;
}

std::string_view MessageTypes::enum_name(std::string_view full_name, std::int64_t value) const {
  const auto found = enums_.find(std::string(full_name));
  if (found == enums_.end()) return {};
  const auto named = found->second.find(value);
  return named == found->second.end() ? std::string_view() : named->second;
}

const FieldType* MessageTypes::track_event_argument(std::uint32_t number) const {
  const auto found = arguments_.find(number);
  const FieldType* const known = found == arguments_.end() ? nullptr : &found->second;
  if (known != nullptr && !known->type_name.empty()) return known;
  // What is built in may be described as a field of the event itself.
  const MessageType* const event = message(kTrackEventType);
  if (event == nullptr || (known == nullptr && number < 1000)) return known;
  const auto described = event->find(number);
  return described == event->end() ? known : &described->second;
}

void MessageTypes::add_descriptor(std::string_view body) {
  FieldReader field(body);
  while (field.next()) {
    if (field.key() == bytes_field(1)) add_files(field.bytes());
    if (field.key() != bytes_field(2)) continue;
    const std::size_t left = kMostDescriptorBytes - std::min(kMostDescriptorBytes, read_bytes_);
    add_files(unpacked_text(field.bytes(), left));
  }
}

void MessageTypes::add_files(std::string_view file_set) {
  if (file_set.size() > kMostDescriptorBytes - std::min(kMostDescriptorBytes, read_bytes_)) return;
  if (!read_.insert(text_hash(file_set)).second) return;
  read_bytes_ += file_set.size();
  FieldReader field(file_set);
  while (field.next()) {
    if (field.key() == bytes_field(1)) add_file(field.bytes());
  }
}

void MessageTypes::add_file(std::string_view file) {
  struct Scope {
    std::string name;  // that its messages lie in
    std::string_view message;
  };
  std::string package;
  FieldReader top(file);
  while (top.next()) {
    if (top.key() == bytes_field(2)) package = "." + std::string(top.bytes());
  }
  std::vector<Scope> todo;  // messages within messages, to any depth
  const auto add_enum = [&](std::string_view body, const std::string& scope) {
    auto& values = enums_[scope + "." + name_in(body)];
    FieldReader part(body);
    while (part.next()) {
      if (part.key() != bytes_field(2)) continue;
      std::int64_t number = 0;
      FieldReader value(part.bytes());
      while (value.next()) {
        if (value.key() == number_field(2)) number = static_cast<std::int32_t>(value.number());
      }
      values.emplace(number, name_in(part.bytes()));
    }
  };
  FieldReader field(file);
  while (field.next()) {
    if (field.key() == bytes_field(4)) todo.push_back({package, field.bytes()});
    if (field.key() == bytes_field(5)) add_enum(field.bytes(), package);
    if (field.key() == bytes_field(7)) add_field(field.bytes(), nullptr);
  }
  constexpr std::size_t kMostScopeBytes = 1000;  // of names within names within names
  while (!todo.empty()) {
    const Scope scope = std::move(todo.back());
    todo.pop_back();
    const std::string name = scope.name + "." + name_in(scope.message);
    if (name.size() > kMostScopeBytes) continue;
    MessageType& type = messages_[name];
    FieldReader part(scope.message);
    while (part.next()) {
      if (part.key() == bytes_field(2)) add_field(part.bytes(), &type);
      if (part.key() == bytes_field(3)) todo.push_back({name, part.bytes()});
      if (part.key() == bytes_field(4)) add_enum(part.bytes(), name);
      if (part.key() == bytes_field(6)) add_field(part.bytes(), nullptr);
    }
  }
}

// `of` null: an extension, which says itself what it extends.
void MessageTypes::add_field(std::string_view body, MessageType* of) {
  FieldType type;
  std::uint64_t number = 0;
  std::string_view extendee;
  FieldReader field(body);
  while (field.next()) {
    switch (field.key()) {
      case bytes_field(1):
        type.name = field.bytes();
        break;
      case bytes_field(2):
        extendee = field.bytes();
        break;
      case number_field(3):
        number = field.number();
        break;
      case number_field(4):
        type.repeated = field.number() == kRepeatedLabel;
        break;
      case number_field(5):
        type.type = static_cast<std::uint32_t>(field.number());
        break;
      case bytes_field(6):
        type.type_name = field.bytes();
        break;
      default:
        break;
    }
  }
  if (number == 0 || number > kLastFieldNumber) return;
  if (of == nullptr) {
    if (extendee != kTrackEventType) return;
    of = &arguments_;
  }
  (*of)[static_cast<std::uint32_t>(number)] = std::move(type);
}

}  // namespace cinderscope::perfetto
