#include "app/cli/help/help_tables.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <string_view>

namespace cinderscope {
namespace {

// What takes a path, of all that takes any text.
constexpr std::array<std::string_view, 14> kPaths = {
    "file",  "files",        "command", "a",         "b",         "--out",       "--play",
    "--ids", "--self-trace", "--into",  "--sysroot", "--look-in", "--debug-dir", "--save-side"};

// "TEXT:{calls,samples,both}": the words of CLI::IsMember.
std::vector<std::string> choices_in(const std::string& type) {
  std::vector<std::string> choices;
  const std::size_t begin = type.find('{'), end = type.find('}');
  if (begin == std::string::npos || end == std::string::npos || end < begin) return choices;
  std::size_t at = begin + 1;
  while (at < end) {
    const std::size_t comma = std::min(type.find(',', at), end);
    choices.push_back(type.substr(at, comma - at));
    at = comma + 1;
  }
  return choices;
}

// Words that CLI11 has for what an option is given; the rest are our own (TIME, THREAD, KEY).
bool is_path(const std::string& type, const HelpOption& option) {
  if (type == "DIR" || type == "FILE" || type == "PATH") return true;
  if (type != "TEXT") return false;
  return std::ranges::any_of(option.names, [](const std::string& name) {
    return std::ranges::find(kPaths, name) != kPaths.end();
  });
}

HelpOption table_of(const CLI::Option& from) {
  HelpOption option{.help = from.get_description(),
                    .positional = from.get_positional(),
                    .required = from.get_required()};
  for (const std::string& name : from.get_lnames()) option.names.push_back("--" + name);
  for (const std::string& name : from.get_snames()) option.names.push_back("-" + name);
  if (option.names.empty()) option.names.push_back(from.get_name(true));
  option.positional = from.get_lnames().empty() && from.get_snames().empty();
  if (from.get_items_expected_max() > 0) {
    const std::string type = from.get_type_name();
    option.choices = choices_in(type);
    option.value = type.substr(0, type.find_first_of(":{ "));
    if (option.value.empty()) option.value = "TEXT";
    option.takes_path = option.choices.empty() && is_path(option.value, option);
  }
  return option;
}

}  // namespace

HelpCommand help_tables(const CLI::App& app) {
  HelpCommand command{
      .name = app.get_name(), .help = app.get_description(), .footer = app.get_footer()};
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_group().empty()) command.options.push_back(table_of(*option));
  }
  for (const CLI::App* each : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!each->get_group().empty()) command.commands.push_back(help_tables(*each));
  }
  return command;
}

}  // namespace cinderscope
