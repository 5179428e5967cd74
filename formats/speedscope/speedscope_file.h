// A file of speedscope as its parts: frames that all profiles share, and raw members of profiles.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cinderscope::speedscope {

struct SharedFrame {
  std::string_view name, file, line, column;  // raw; empty where there is none
};

enum class ProfileType : std::uint8_t { unknown, evented, sampled };

// Lists are raw and may be cut.
struct FileProfile {
  ProfileType type = ProfileType::unknown;
  std::string name, unit;
  std::string_view start, end;  // raw numbers
  std::string_view events, samples, weights;

  // The power of ten that makes nanoseconds of its unit; nothing if that is no time.
  std::optional<int> time_power() const;
};

struct SpeedscopeFile {
  std::string_view text;  // all of it
  std::string name, exporter;
  std::string_view active_profile;  // raw
  std::vector<SharedFrame> frames;
  std::vector<FileProfile> profiles;
  std::optional<std::size_t> cut_at;  // what follows is not there or no JSON

  // Every profile tells time.
  bool has_clock() const;
  std::vector<std::string> types() const;  // each once, in order
  std::vector<std::string> units() const;
};

// Takes what is whole of text that may be cut; everything points into it.
SpeedscopeFile read_speedscope(std::string_view text);

// A raw JSON number that is whole and not negative.
std::optional<std::uint64_t> index_of(std::string_view raw);

}  // namespace cinderscope::speedscope
