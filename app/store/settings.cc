#include "app/store/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <optional>
#include <utility>

#include "app/store/json_writer.h"
#include "ingest/base/args_tree.h"
#include "ingest/base/number_text.h"
#include "ingest/base/utf8.h"

namespace cinderscope {
namespace {

constexpr float kMostPx = 20000;  // no screen is larger
constexpr std::size_t kMostKeys = 1000;
constexpr std::uint64_t kNone = 0, kMostMegabytes = 1'000'000;
constexpr std::size_t kLongestPath = 4096;

constexpr std::array<std::string_view, 3> kThemes = {"dark", "light", "system"};
constexpr std::array<std::string_view, 3> kTimes = {"start", "clock", "day"};
constexpr std::array<std::string_view, 2> kColours = {"usual", "colour-blind"};
constexpr std::array<std::string_view, 2> kColourBy = {"name", "package"};
constexpr std::array<std::string_view, 2> kWheels = {"zoom", "scroll"};

std::string quoted(std::string_view text) {
  return JsonWriter().text(text).str();
}

// Shortest text that reads as the same float.
std::string number(float value) {
  return fmt::format("{}", value);
}

template <class Number>
std::optional<Number> number_from(const ArgsNode& node) {
  return node.kind == ArgsKind::number ? parse_number<Number>(node.value) : std::nullopt;
}

template <std::integral Number>
void take(const ArgsNode& node, Number lowest, Number highest, Number& to) {
  const auto value = number_from<Number>(node);
  if (value && *value >= lowest && *value <= highest) to = *value;
}

void take(const ArgsNode& node, float lowest, float highest, float& to) {
  const auto value = number_from<float>(node);
  if (value && *value >= lowest && *value <= highest) to = *value;  // not a number is neither
}

void take(const ArgsNode& node, bool& to) {
  if (node.kind == ArgsKind::boolean) to = node.value == "true";
}

template <std::size_t kCount, class Choice>
void take(const ArgsNode& node, const std::array<std::string_view, kCount>& names, Choice& to) {
  const auto* found = std::ranges::find(names, node.value);
  if (node.kind == ArgsKind::string && found != names.end()) {
    to = static_cast<Choice>(found - names.begin());
  }
}

std::string window_json(const Settings& settings) {
  return fmt::format(R"({{"width": {}, "height": {}, "maximised": {}}})", settings.window_width,
                     settings.window_height, settings.maximised);
}

void take_window(const ArgsTree& tree, Settings& settings) {
  for (const ArgsNode& node : tree.nodes) {
    if (node.depth != 1) continue;
    if (node.key == "width") take(node, 0, static_cast<int>(kMostPx), settings.window_width);
    if (node.key == "height") take(node, 0, static_cast<int>(kMostPx), settings.window_height);
    if (node.key == "maximised") take(node, settings.maximised);
  }
}

std::string keys_json(const Settings& settings) {
  JsonWriter out;
  out.begin_object();
  for (const auto& [command, chords] : settings.keys) out.field(command, chords);
  return out.end_object().str();
}

void take_keys(const ArgsTree& tree, Settings& settings) {
  for (const ArgsNode& node : tree.nodes) {
    if (node.depth != 1 || node.kind != ArgsKind::string || settings.keys.size() >= kMostKeys) {
      continue;
    }
    settings.keys[node.key] = node.value;
  }
}

}  // namespace

JsonMembers members_of(const Settings& settings) {
  return {
      {"theme", quoted(kThemes.at(static_cast<std::size_t>(settings.theme)))},
      {"colours", quoted(kColours.at(settings.colour_blind ? 1 : 0))},
      {"colour_by", quoted(kColourBy.at(settings.colours_by_package ? 1 : 0))},
      {"scale", number(settings.scale)},
      {"reduced_motion", settings.reduced_motion ? "true" : "false"},
      {"wheel", quoted(kWheels.at(settings.wheel_scrolls ? 1 : 0))},
      {"time_shown", quoted(kTimes.at(static_cast<std::size_t>(settings.time_shown)))},
      {"hand_over", settings.hand_over ? "true" : "false"},
      {"lazy_above_mb", fmt::to_string(settings.lazy_above_mb)},
      {"memory_limit_mb", fmt::to_string(settings.memory_limit_mb)},
      {"panel_px", number(settings.panel_px)},
      {"gutter_px", number(settings.gutter_px)},
      {"window", window_json(settings)},
      {"keys", keys_json(settings)},
  };
}

Settings settings_from(const JsonMembers& members) {
  Settings settings;
  for (const JsonMember& member : members) {
    const ArgsTree tree = parse_args(member.json);
    if (tree.nodes.empty()) continue;
    const ArgsNode& node = tree.nodes.front();
    if (member.key == "theme") take(node, kThemes, settings.theme);
    if (member.key == "colours") take(node, kColours, settings.colour_blind);
    if (member.key == "colour_by") take(node, kColourBy, settings.colours_by_package);
    if (member.key == "scale") take(node, kSmallestScale, kLargestScale, settings.scale);
    if (member.key == "reduced_motion") take(node, settings.reduced_motion);
    if (member.key == "wheel") take(node, kWheels, settings.wheel_scrolls);
    if (member.key == "time_shown") take(node, kTimes, settings.time_shown);
    if (member.key == "hand_over") take(node, settings.hand_over);
    if (member.key == "lazy_above_mb") take(node, kNone, kMostMegabytes, settings.lazy_above_mb);
    if (member.key == "memory_limit_mb") {
      take(node, kNone, kMostMegabytes, settings.memory_limit_mb);
    }
    if (member.key == "panel_px") take(node, 0, kMostPx, settings.panel_px);
    if (member.key == "gutter_px") take(node, 0, kMostPx, settings.gutter_px);
    if (member.key == "window") take_window(tree, settings);
    if (member.key == "keys") take_keys(tree, settings);
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

std::vector<RecentFile> recent_from(const JsonMembers& members) {
  std::vector<RecentFile> files;
  const JsonMember* list = member_named(members, "recent");
  if (list == nullptr) return files;
  for (const ArgsNode& node : parse_args(list->json).nodes) {
    if (node.depth == 1) files.emplace_back();
    if (node.depth != 2 || files.empty()) continue;
    if (node.key == "path" && node.kind == ArgsKind::string) files.back().path = node.value;
    if (node.key == "size_bytes") take(node, std::uint64_t{0}, UINT64_MAX, files.back().size_bytes);
    if (node.key == "opened_s") take(node, std::int64_t{0}, INT64_MAX, files.back().opened_s);
  }
  std::erase_if(files, [](const RecentFile& file) {
    return !file.path.starts_with('/') || file.path.size() > kLongestPath ||
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
