#include "app/store/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <optional>
#include <utility>

#include "ingest/base/json/json_value.h"
#include "ingest/base/json/json_writer.h"
#include "ingest/base/number_text.h"
#include "ingest/base/path_text.h"
#include "ingest/base/utf8.h"

namespace cinderscope {
namespace {

constexpr float kMostPx = 20000;  // no screen is larger
constexpr std::size_t kMostKeys = 1000, kMostFolders = 100;
constexpr std::uint64_t kNone = 0, kMostMegabytes = 1'000'000;
constexpr std::size_t kLongestPath = 4096;

constexpr std::array<std::string_view, 3> kThemes = {"dark", "light", "system"};
constexpr std::array<std::string_view, 3> kPrepared = {"ask", "always", "never"};
constexpr std::array<std::string_view, 3> kTimes = {"start", "clock", "day"};
constexpr std::array<std::string_view, 2> kColours = {"usual", "colour-blind"};
constexpr std::array<std::string_view, 2> kColourBy = {"name", "package"};
constexpr std::array<std::string_view, 2> kWheels = {"zoom", "scroll"};

// Shortest text that reads as the same float.
std::string number(float value) {
  return fmt::format("{}", value);
}

template <std::integral Number>
void take(const JsonValue& value, Number lowest, Number highest, Number& to) {
  const auto read = value.number<Number>();
  if (read && *read >= lowest && *read <= highest) to = *read;
}

void take(const JsonValue& value, float lowest, float highest, float& to) {
  const auto read = value.number<float>();
  if (read && *read >= lowest && *read <= highest) to = *read;  // not a number is neither
}

void take(const JsonValue& value, bool& to) {
  to = value.boolean().value_or(to);
}

template <std::size_t kCount, class Choice>
void take(const JsonValue& value, const std::array<std::string_view, kCount>& names, Choice& to) {
  const auto* found = std::ranges::find(names, value.text);
  if (value.kind == JsonKind::string && found != names.end()) {
    to = static_cast<Choice>(found - names.begin());
  }
}

std::string window_json(const Settings& settings) {
  return fmt::format(R"({{"width": {}, "height": {}, "maximised": {}}})", settings.window_width,
                     settings.window_height, settings.maximised);
}

void take_window(const JsonValue& window, Settings& settings) {
  for (const auto& [key, value] : window.members) {
    if (key == "width") take(value, 0, static_cast<int>(kMostPx), settings.window_width);
    if (key == "height") take(value, 0, static_cast<int>(kMostPx), settings.window_height);
    if (key == "maximised") take(value, settings.maximised);
  }
}

std::string keys_json(const Settings& settings) {
  JsonWriter out;
  out.begin_object();
  for (const auto& [command, chords] : settings.keys) out.field(command, chords);
  return out.end_object().str();
}

std::string folders_json(const Settings& settings) {
  JsonWriter out;
  out.begin_array();
  for (const std::string& folder : settings.trace_folders) out.text(folder);
  return out.end_array().str();
}

void take_folders(const JsonValue& folders, Settings& settings) {
  for (const JsonMember& each : folders.members) {
    const std::string& path = each.value.text;
    if (is_absolute_path(path) && path.size() <= kLongestPath &&
        settings.trace_folders.size() < kMostFolders) {
      settings.trace_folders.push_back(path);
    }
  }
}

void take_keys(const JsonValue& keys, Settings& settings) {
  for (const auto& [command, chords] : keys.members) {
    if (chords.kind == JsonKind::string && settings.keys.size() < kMostKeys) {
      settings.keys[command] = chords.text;
    }
  }
}

}  // namespace

StoredMembers members_of(const Settings& settings) {
  return {
      {"theme", json_quoted(kThemes.at(static_cast<std::size_t>(settings.theme)))},
      {"colours", json_quoted(kColours.at(settings.colour_blind ? 1 : 0))},
      {"colour_by", json_quoted(kColourBy.at(settings.colours_by_package ? 1 : 0))},
      {"scale", number(settings.scale)},
      {"reduced_motion", settings.reduced_motion ? "true" : "false"},
      {"wheel", json_quoted(kWheels.at(settings.wheel_scrolls ? 1 : 0))},
      {"fit_rows", settings.fit_rows ? "true" : "false"},
      {"time_shown", json_quoted(kTimes.at(static_cast<std::size_t>(settings.time_shown)))},
      {"hand_over", settings.hand_over ? "true" : "false"},
      {"ask_on_drop", settings.ask_on_drop ? "true" : "false"},
      {"spreadsheet_texts", settings.spreadsheet_texts ? "true" : "false"},
      {"prepared_copies",
       json_quoted(kPrepared.at(static_cast<std::size_t>(settings.prepared_copies)))},
      {"prepared_most_mb", fmt::to_string(settings.prepared_most_mb)},
      {"prepared_percent", fmt::to_string(settings.prepared_percent)},
      {"lazy_above_mb", fmt::to_string(settings.lazy_above_mb)},
      {"lazy_memory_mb", fmt::to_string(settings.lazy_memory_mb)},
      {"panel_px", number(settings.panel_px)},
      {"gutter_px", number(settings.gutter_px)},
      {"window", window_json(settings)},
      {"trace_folders", folders_json(settings)},
      {"keys", keys_json(settings)},
  };
}

Settings settings_from(const StoredMembers& members) {
  Settings settings;
  for (const StoredMember& member : members) {
    const Result<JsonValue> value = read_json(member.json);
    if (!value) continue;
    if (member.key == "theme") take(*value, kThemes, settings.theme);
    if (member.key == "colours") take(*value, kColours, settings.colour_blind);
    if (member.key == "colour_by") take(*value, kColourBy, settings.colours_by_package);
    if (member.key == "scale") take(*value, kSmallestScale, kLargestScale, settings.scale);
    if (member.key == "reduced_motion") take(*value, settings.reduced_motion);
    if (member.key == "wheel") take(*value, kWheels, settings.wheel_scrolls);
    if (member.key == "fit_rows") take(*value, settings.fit_rows);
    if (member.key == "time_shown") take(*value, kTimes, settings.time_shown);
    if (member.key == "hand_over") take(*value, settings.hand_over);
    if (member.key == "ask_on_drop") take(*value, settings.ask_on_drop);
    if (member.key == "spreadsheet_texts") take(*value, settings.spreadsheet_texts);
    if (member.key == "prepared_copies") take(*value, kPrepared, settings.prepared_copies);
    if (member.key == "prepared_most_mb") {
      take(*value, kNone, kMostMegabytes, settings.prepared_most_mb);
    }
    if (member.key == "prepared_percent") take(*value, 1, 100, settings.prepared_percent);
    if (member.key == "lazy_above_mb") take(*value, kNone, kMostMegabytes, settings.lazy_above_mb);
    // Older versions called it memory_limit_mb.
    const bool old_limit =
        member.key == "memory_limit_mb" && member_named(members, "lazy_memory_mb") == nullptr;
    if (member.key == "lazy_memory_mb" || old_limit) {
      take(*value, kNone, kMostMegabytes, settings.lazy_memory_mb);
    }
    if (member.key == "panel_px") take(*value, 0, kMostPx, settings.panel_px);
    if (member.key == "gutter_px") take(*value, 0, kMostPx, settings.gutter_px);
    if (member.key == "window") take_window(*value, settings);
    if (member.key == "trace_folders") take_folders(*value, settings);
    if (member.key == "keys") take_keys(*value, settings);
  }
  return settings;
}

std::optional<std::uint64_t> megabytes_from(std::string_view text) {
  std::uint64_t each = 1;
  if (text.ends_with("GB")) each = 1000;
  if (text.ends_with("GB") || text.ends_with("MB")) text.remove_suffix(2);
  while (text.ends_with(' ')) text.remove_suffix(1);
  const auto number = parse_number<std::uint64_t>(text);
  if (!number || *number > kMostMegabytes / each) return std::nullopt;
  return *number * each;
}

std::string recent_json(const std::vector<RecentFile>& files) {
  JsonWriter out;
  out.begin_array();
  for (const RecentFile& file : files) {
    out.begin_object().field("path", std::string_view(file.path));
    out.field("size_bytes", file.size_bytes).field("opened_s", file.opened_s).end_object();
  }
  return json_object({{"recent", out.end_array().str()}});
}

std::vector<RecentFile> recent_from(const StoredMembers& members) {
  std::vector<RecentFile> files;
  const StoredMember* list = member_named(members, "recent");
  if (list == nullptr) return files;
  const Result<JsonValue> recent = read_json(list->json);
  if (!recent) return files;
  for (const JsonMember& each : recent->members) {
    RecentFile& file = files.emplace_back();
    for (const auto& [key, value] : each.value.members) {
      if (key == "path") file.path = value.text;
      if (key == "size_bytes") take(value, std::uint64_t{0}, UINT64_MAX, file.size_bytes);
      if (key == "opened_s") take(value, std::int64_t{0}, INT64_MAX, file.opened_s);
    }
  }
  std::erase_if(files, [](const RecentFile& file) {
    return !is_absolute_path(file.path) || file.path.size() > kLongestPath ||
           file.path.find('\0') != std::string::npos;
  });
  if (files.size() > kMostRecent) files.resize(kMostRecent);
  return files;
}

void add_recent(std::vector<RecentFile>& files, RecentFile file) {
  // JSON holds no other bytes than UTF-8.
  if (file.path.size() > kLongestPath || valid_utf8(file.path) != file.path) return;
  std::erase_if(files, [&](const RecentFile& each) { return each.path == file.path; });
  files.insert(files.begin(), std::move(file));
  if (files.size() > kMostRecent) files.resize(kMostRecent);
}

}  // namespace cinderscope
