#include "app/commands/setting_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "ingest/base/json/json_value.h"
#include "render/text/size_text.h"

namespace cinderscope {
namespace {

// What a command takes, and how a page says it.
struct Choice {
  std::string_view argument, label;
};

// A setting that is one of some words. Its command takes them as they are stored; what is true or
// false is "on" or "off".
struct ChosenSetting {
  std::string_view member, group, label, command;
  std::array<Choice, 3> choices;  // the last ones may be empty
};

constexpr std::string_view kLook = "Look", kTimeline = "Timeline", kOpening = "Opening",
                           kTables = "Tables", kKeys = "Keys";

constexpr std::array<ChosenSetting, 11> kChosen = {{
    {"theme",
     kLook,
     "Theme",
     "theme",
     {{{"dark", "Dark"}, {"light", "Light"}, {"system", "As the desktop"}}}},
    {"colours",
     kLook,
     "Colours of boxes",
     "colours",
     {{{"usual", "Usual"}, {"colour-blind", "For the colour-blind"}}}},
    {"colour_by",
     kLook,
     "Functions are coloured by",
     "colour-by",
     {{{"name", "Name"}, {"package", "Package or category"}}}},
    {"reduced_motion", kLook, "Animation", "reduced-motion", {{{"off", "Yes"}, {"on", "None"}}}},
    {"wheel", kTimeline, "The plain wheel", "wheel", {{{"zoom", "Zooms"}, {"scroll", "Scrolls"}}}},
    {"time_shown",
     kTimeline,
     "Times",
     "time-shown",
     {{{"start", "From the start"}, {"clock", "As in the file"}, {"day", "Time of day"}}}},
    {"fit_rows",
     kTimeline,
     "Height of threads",
     "fit-rows",
     {{{"on", "What is in view"}, {"off", "All depths"}}}},
    {"ask_on_drop",
     kOpening,
     "Two traces dropped at once",
     "ask-on-drop",
     {{{"on", "Ask"}, {"off", "Open both"}}}},
    {"hand_over",
     kOpening,
     "A second start",
     "hand-over",
     {{{"off", "Opens a window"}, {"on", "Opens its file here"}}}},
    {"prepared_copies",
     kOpening,
     "A prepared copy after a long load",
     "prepared-copies",
     {{{"ask", "Ask"}, {"always", "Keep"}, {"never", "Never"}}}},
    {"spreadsheet_texts",
     kTables,
     "Names that look like formulas",
     "spreadsheet-texts",
     {{{"off", "As they are"}, {"on", "Marked as text"}}}},
}};

constexpr std::array<std::string_view, 7> kOthers = {
    "scale", "prepared_most_mb", "prepared_percent", "lazy_above_mb", "lazy_memory_mb",
    "keys",  "trace_folders"};
constexpr std::array<std::string_view, 3> kRemembered = {"panel_px", "gutter_px", "window"};

constexpr std::uint64_t kMegabyte = 1'000'000;

class Lines {
 public:
  Lines(const Settings& settings, const CommandTable& commands, const CommandState& state)
      : members_(members_of(settings)), commands_(commands), state_(state) {}

  void add_chosen(const ChosenSetting& setting) {
    SettingLine& line = add(setting.group, setting.label, setting.command);
    const std::string now = value_of(setting.member);
    for (const Choice& choice : setting.choices) {
      if (choice.argument.empty()) continue;
      if (choice.argument == now) line.chosen = line.words.size();
      line.words.push_back(
          {std::string(choice.label), std::string(setting.command), std::string(choice.argument)});
    }
  }
  SettingLine& add(std::string_view group, std::string_view label, std::string_view command) {
    SettingLine& line = lines_.emplace_back();
    line.group = group;
    line.label = label;
    const Command* found = commands_.named(command);
    line.enabled = found != nullptr && enabled(*found, state_);
    line.command = command;
    if (found != nullptr && !found->arguments.empty()) line.command += " ";
    if (found != nullptr) line.command += found->arguments;
    return line;
  }
  std::vector<SettingLine> take() { return std::move(lines_); }

 private:
  std::string value_of(std::string_view member) const {
    const StoredMember* found = member_named(members_, member);
    if (found == nullptr) return {};
    if (found->json == "true") return "on";
    if (found->json == "false") return "off";
    const Result<JsonValue> value = read_json(found->json);
    return value ? value->text : std::string();
  }

  StoredMembers members_;
  const CommandTable& commands_;
  const CommandState& state_;
  std::vector<SettingLine> lines_;
};

void add_scale(Lines& lines, const Settings& settings) {
  SettingLine& line = lines.add(kLook, "Size", "larger");
  line.words = {
      {"Smaller", "smaller", ""}, {"Normal", "normal-size", ""}, {"Larger", "larger", ""}};
  if (settings.scale == 1) line.chosen = 1;
  line.value = fmt::format("{:.0f} %", std::round(settings.scale * 100));
}

void add_sizes(Lines& lines, const Settings& settings) {
  const Settings usual;
  SettingLine& most = lines.add(kOpening, "Prepared copies together", "prepared-size");
  most.words = {{"Usual", "prepared-size", "auto"}, {"Size…", "prepared-size", ""}};
  most.chosen = settings.prepared_most_mb == usual.prepared_most_mb ? 0 : 1;
  most.value = "at most " + size_text(settings.prepared_most_mb * kMegabyte);
  SettingLine& share = lines.add(kOpening, "And of the free disk", "prepared-share");
  share.words = {{"Usual", "prepared-share", "auto"}, {"Percent…", "prepared-share", ""}};
  share.chosen = settings.prepared_percent == usual.prepared_percent ? 0 : 1;
  share.value = fmt::format("at most {} %", settings.prepared_percent);
  SettingLine& above = lines.add(kOpening, "Traces are read piece by piece", "lazy-above");
  above.words = {{"Usual", "lazy-above", "auto"}, {"Size…", "lazy-above", ""}};
  above.chosen = settings.lazy_above_mb == usual.lazy_above_mb ? 0 : 1;
  above.value = "above " + size_text(settings.lazy_above_mb * kMegabyte);
  SettingLine& memory = lines.add(kOpening, "Memory for these", "lazy-memory");
  memory.words = {{"Usual", "lazy-memory", "auto"}, {"Size…", "lazy-memory", ""}};
  memory.chosen = settings.lazy_memory_mb == usual.lazy_memory_mb ? 0 : 1;
  memory.value = settings.lazy_memory_mb == 0 ? "a quarter of the machine's"
                                              : size_text(settings.lazy_memory_mb * kMegabyte);
}

void add_folders(Lines& lines, const Settings& settings) {
  SettingLine& line = lines.add(kOpening, "Sessions look for traces in", "trace-folder");
  line.words = {{"Folder…", "trace-folder", ""}};
  const std::size_t count = settings.trace_folders.size();
  line.value = count == 0   ? "their own folder"
               : count == 1 ? settings.trace_folders.front()
                            : fmt::format("{} folders more", count);
}

void add_keys(Lines& lines, const Settings& settings) {
  SettingLine& line = lines.add(kKeys, "Shortcuts", "bind");
  line.words = {{"Change…", "help", ""}, {"Reset all", "default-keys", ""}};
  line.value =
      settings.keys.empty() ? "all as usual" : fmt::format("{} changed", settings.keys.size());
}

}  // namespace

std::vector<SettingLine> setting_lines(const Settings& settings, const CommandTable& commands,
                                       const CommandState& state) {
  Lines lines(settings, commands, state);
  std::string_view group = kChosen.front().group;
  const auto end_group = [&] {
    if (group == kLook) add_scale(lines, settings);
    if (group == kOpening) {
      add_sizes(lines, settings);
      add_folders(lines, settings);
    }
  };
  for (const ChosenSetting& setting : kChosen) {
    if (setting.group != group) end_group();
    group = setting.group;
    lines.add_chosen(setting);
  }
  end_group();
  add_keys(lines, settings);
  return lines.take();
}

std::span<const std::string_view> listed_settings() {
  static const std::vector<std::string_view> all = [] {
    std::vector<std::string_view> members(kOthers.begin(), kOthers.end());
    for (const ChosenSetting& setting : kChosen) members.push_back(setting.member);
    return members;
  }();
  return all;
}

std::span<const std::string_view> remembered_settings() {
  return kRemembered;
}

}  // namespace cinderscope
