#include "formats/perfetto/text/epoch_texts.h"

#include <fmt/format.h>

#include "formats/perfetto/wire/fields.h"

namespace cinderscope::perfetto {
namespace {

constexpr std::size_t kMostFrames = 1024;

std::uint64_t number_in(std::string_view message, std::uint32_t field_number) {
  std::uint64_t number = 0;
  FieldReader field(message);
  while (field.next()) {
    if (field.key() == number_field(field_number)) number = field.number();
  }
  return number;
}

}  // namespace

std::string location_text(std::string_view message, std::uint32_t file_field,
                          std::uint32_t function_field, std::uint32_t line_field) {
  std::string_view file, function;
  std::uint64_t line = 0;
  FieldReader field(message);
  while (field.next()) {
    if (field.key() == bytes_field(file_field)) file = field.bytes();
    if (field.key() == bytes_field(function_field)) function = field.bytes();
    if (field.key() == number_field(line_field)) line = field.number();
  }
  std::string place(file);
  if (line != 0) place += fmt::format(":{}", line);
  if (function.empty()) return place;
  return place.empty() ? std::string(function) : fmt::format("{} ({})", function, place);
}

std::string EpochTexts::entry(std::uint32_t field, std::uint64_t iid) const {
  if (epoch_ == nullptr) return {};
  const auto address = epoch_->places.find(field, iid, end_);
  if (!address) return {};
  const Pin pin = bytes_->packet_at(*address);
  FieldReader reader(pin.text());
  return reader.next() ? std::string(reader.bytes()) : std::string();
}

std::string EpochTexts::text(std::uint32_t field, std::uint64_t iid) const {
  const std::string whole = entry(field, iid);
  return whole.empty() ? fmt::format("#{}", iid) : std::string(read_interned(field, whole).text);
}

std::string EpochTexts::location(std::uint64_t iid) const {
  const std::string whole = entry(kSourceLocations, iid);
  return whole.empty() ? fmt::format("#{}", iid) : location_text(whole, 2, 3, 4);
}

std::string EpochTexts::frame(std::uint64_t iid) const {
  const std::string whole = entry(kFrames, iid);
  if (whole.empty()) return fmt::format("#{}", iid);
  const std::uint64_t function = number_in(whole, 2);
  if (function != 0) {
    std::string name = text(kFunctionNames, function);
    if (!name.empty()) return name;
  }
  std::string path;
  const std::string mapping = entry(kMappings, number_in(whole, 3));
  FieldReader field(mapping);
  while (field.next()) {
    if (field.number_of_field() != 7) continue;
    each_number(field, [&](std::uint64_t part) { path += "/" + text(kMappingPaths, part); });
  }
  return fmt::format("{}+0x{:x}", path, number_in(whole, 4));
}

std::vector<std::string> EpochTexts::callstack(std::uint64_t iid) const {
  std::vector<std::string> frames;
  const std::string whole = entry(kCallstacks, iid);
  FieldReader field(whole);
  while (field.next()) {
    if (field.number_of_field() != 2) continue;
    each_number(field, [&](std::uint64_t part) {
      if (frames.size() < kMostFrames) frames.push_back(frame(part));
    });
  }
  return frames;
}

}  // namespace cinderscope::perfetto
