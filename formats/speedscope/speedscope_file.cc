#include "formats/speedscope/speedscope_file.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "ingest/base/json/json_walk.h"
#include "ingest/base/json/raw_json.h"
#include "ingest/base/number_text.h"

namespace cinderscope::speedscope {
namespace {

// A member that is no list is worth nothing if it is cut.
std::string_view whole_value(json::JsonWalk& walk) {
  const std::string_view raw = walk.value();
  return walk.cut() ? std::string_view() : raw;
}

void read_frames(json::JsonWalk& walk, std::vector<SharedFrame>& frames) {
  if (!walk.enter('[')) return;
  while (walk.next_item()) {
    SharedFrame frame;
    if (walk.enter('{')) {
      while (walk.next_key()) {
        const std::string_view key = walk.key(), raw = whole_value(walk);
        if (key == "name") frame.name = raw;
        if (key == "file") frame.file = raw;
        if (key == "line") frame.line = raw;
        if (key == "col") frame.column = raw;
      }
    }
    if (!walk.cut()) frames.push_back(frame);
  }
}

void read_shared(json::JsonWalk& walk, std::vector<SharedFrame>& frames) {
  if (!walk.enter('{')) return;
  while (walk.next_key()) {
    if (walk.key() == "frames") {
      read_frames(walk, frames);
    } else {
      walk.skip();
    }
  }
}

FileProfile read_profile(json::JsonWalk& walk) {
  FileProfile profile;
  if (!walk.enter('{')) return profile;
  while (walk.next_key()) {
    const std::string_view key = walk.key();
    const bool is_list = walk.kind() == '[';
    const std::string_view raw = is_list ? walk.value() : whole_value(walk);
    if (key == "type") {
      profile.type = raw == "\"evented\""   ? ProfileType::evented
                     : raw == "\"sampled\"" ? ProfileType::sampled
                                            : ProfileType::unknown;
    } else if (key == "name") {
      profile.name = json::text_of(raw);
    } else if (key == "unit") {
      profile.unit = json::text_of(raw);
    } else if (key == "startValue") {
      profile.start = raw;
    } else if (key == "endValue") {
      profile.end = raw;
    } else if (is_list && key == "events") {
      profile.events = raw;
    } else if (is_list && key == "samples") {
      profile.samples = raw;
    } else if (is_list && key == "weights") {
      profile.weights = raw;
    }
  }
  if (profile.type == ProfileType::unknown && !profile.events.empty()) {
    profile.type = ProfileType::evented;
  } else if (profile.type == ProfileType::unknown && !profile.samples.empty()) {
    profile.type = ProfileType::sampled;
  }
  return profile;
}

}  // namespace

std::optional<int> FileProfile::time_power() const {
  constexpr std::array<std::pair<std::string_view, int>, 4> kUnits = {
      {{"nanoseconds", 0}, {"microseconds", 3}, {"milliseconds", 6}, {"seconds", 9}}};
  for (const auto& [word, power] : kUnits) {
    if (unit == word) return power;
  }
  return std::nullopt;
}

bool SpeedscopeFile::has_clock() const {
  return std::ranges::all_of(
      profiles, [](const FileProfile& profile) { return profile.time_power().has_value(); });
}

std::vector<std::string> SpeedscopeFile::types() const {
  std::set<std::string> types;
  for (const FileProfile& profile : profiles) {
    if (profile.type == ProfileType::evented) types.emplace("evented");
    if (profile.type == ProfileType::sampled) types.emplace("sampled");
  }
  return {types.begin(), types.end()};
}

std::vector<std::string> SpeedscopeFile::units() const {
  std::set<std::string> units;
  for (const FileProfile& profile : profiles) units.insert(profile.unit);
  return {units.begin(), units.end()};
}

SpeedscopeFile read_speedscope(std::string_view text) {
  SpeedscopeFile file{.text = text};
  json::JsonWalk walk(text);
  if (!walk.enter('{')) return file;
  while (walk.next_key()) {
    const std::string_view key = walk.key();
    if (key == "shared") {
      read_shared(walk, file.frames);
    } else if (key == "profiles") {
      if (!walk.enter('[')) continue;
      while (walk.next_item()) file.profiles.push_back(read_profile(walk));
    } else {
      const std::string_view raw = whole_value(walk);
      if (key == "name") file.name = json::text_of(raw);
      if (key == "exporter") file.exporter = json::text_of(raw);
      if (key == "activeProfileIndex") file.active_profile = raw;
    }
  }
  if (walk.cut()) file.cut_at = walk.offset();
  return file;
}

std::optional<std::uint64_t> index_of(std::string_view raw) {
  return parse_number<std::uint64_t>(raw);
}

}  // namespace cinderscope::speedscope
