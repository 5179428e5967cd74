#include "formats/perfetto/text/epoch_texts.h"

#include <fmt/format.h>

#include "formats/perfetto/wire/fields.h"

namespace cinderscope::perfetto {
namespace {

constexpr std::size_t kMostFrames = 1024;  // that are told of one event
// Frames are as many as their file likes, so each is read in little time.
constexpr std::size_t kMostPathBytes = 4096, kMostNameBytes = 16384;

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

std::vector<std::string> inline_callstack(std::string_view stack) {
  std::vector<std::string> frames;
  FieldReader field(stack);
  std::size_t further = 0;
  while (field.next()) {
    if (field.key() != bytes_field(1)) continue;
    if (frames.size() < kMostFrames) {
      frames.push_back(location_text(field.bytes(), 2, 1, 3));
    } else {
      ++further;
    }
  }
  if (further > 0) frames.push_back(fmt::format("({} further frames)", further));
  return frames;
}

Pin EpochTexts::entry_at(std::uint32_t field, std::uint64_t iid) const {
  if (epoch_ == nullptr) return {};
  const auto address = epoch_->places.find(field, iid, end_);
  return address ? bytes_->packet_at(*address) : Pin();
}

std::string EpochTexts::entry(std::uint32_t field, std::uint64_t iid) const {
  const Pin pin = entry_at(field, iid);
  FieldReader reader(pin.text());
  return reader.next() ? std::string(reader.bytes()) : std::string();
}

bool EpochTexts::is_entry(std::uint32_t field, std::uint64_t iid, std::string_view entry) const {
  const Pin pin = entry_at(field, iid);
  FieldReader reader(pin.text());
  return reader.next() && reader.bytes() == entry;
}

std::string EpochTexts::text(std::uint32_t field, std::uint64_t iid, std::size_t most_bytes) const {
  const Pin pin = entry_at(field, iid);
  FieldReader reader(pin.text());
  if (!reader.next() || reader.bytes().empty()) return fmt::format("#{}", iid);
  return std::string(read_interned(field, reader.bytes()).text.substr(0, most_bytes));
}

std::string EpochTexts::location(std::uint64_t iid) const {
  const std::string whole = entry(kSourceLocations, iid);
  return whole.empty() ? fmt::format("#{}", iid) : location_text(whole, 2, 3, 4);
}

std::vector<std::string> EpochTexts::frame(std::uint64_t iid) const {
  const std::string whole = entry(kFrames, iid);
  if (whole.empty()) return {fmt::format("#{}", iid)};
  const std::uint64_t function = number_in(whole, 2);
  if (function != 0) {
    std::string name = text(kFunctionNames, function, kMostNameBytes);
    if (!name.empty()) return {std::move(name)};
  }
  std::string path;
  std::string mapping = entry(kMappings, number_in(whole, 3));
  if (mapping.size() > kMostPathBytes) mapping.clear();
  FieldReader field(mapping);
  while (field.next() && path.size() < kMostPathBytes) {
    if (field.key() != number_field(7) && field.key() != bytes_field(7)) continue;
    each_number(field, [&](std::uint64_t part) {
      if (path.size() < kMostPathBytes) path += "/" + text(kMappingPaths, part, kMostPathBytes);
    });
  }
  const std::uint64_t relative_pc = number_in(whole, 4);
  if (symbols_ != nullptr) {
    const std::uint64_t build_id = number_in(mapping, 2);
    const auto* const known = symbols_->functions(
        path, build_id == 0 ? std::string() : text(kBuildIds, build_id, kMostPathBytes),
        relative_pc);
    if (known != nullptr) return *known;
  }
  return {fmt::format("{}+0x{:x}", path, relative_pc)};
}

std::vector<std::uint64_t> EpochTexts::frame_ids_in(std::string_view stack) {
  std::vector<std::uint64_t> frames;
  FieldReader field(stack);
  while (field.next()) {
    if (field.key() != number_field(2) && field.key() != bytes_field(2)) continue;
    each_number(field, [&](std::uint64_t frame) { frames.push_back(frame); });
  }
  return frames;
}

std::vector<std::uint64_t> EpochTexts::frame_ids(std::uint64_t iid) const {
  return frame_ids_in(entry(kCallstacks, iid));
}

std::vector<std::string> EpochTexts::callstack(std::uint64_t iid) const {
  std::vector<std::string> functions;
  const std::vector<std::uint64_t> frames = frame_ids(iid);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    if (functions.size() >= kMostFrames) {
      functions.push_back(fmt::format("({} further frames)", frames.size() - i));
      break;
    }
    for (std::string& function : frame(frames[i])) functions.push_back(std::move(function));
  }
  return functions;
}

}  // namespace cinderscope::perfetto
