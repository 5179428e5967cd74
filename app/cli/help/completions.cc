#include "app/cli/help/completions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

namespace cinderscope {
namespace {

// As a word of a shell.
std::string shell_word(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c == '\n' ? ' ' : c;
    }
  }
  return out + "'";
}

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

std::string names_of(const HelpCommand& command) {
  std::vector<std::string> names;
  for (const HelpOption& option : command.options) {
    if (!option.positional) names.insert(names.end(), option.names.begin(), option.names.end());
  }
  for (const HelpCommand& each : command.commands) names.push_back(each.name);
  return joined(names);
}

std::string command_names(const HelpCommand& program, const char* between) {
  std::vector<std::string> names;
  for (const HelpCommand& each : program.commands) names.push_back(each.name);
  return fmt::format("{}", fmt::join(names, between));
}

// Cases of bash for what stands behind an option that takes something.
std::string bash_values(const HelpCommand& command, const std::string& chosen) {
  std::string out;
  for (const HelpOption& option : command.options) {
    if (option.positional || option.value.empty()) continue;
    std::vector<std::string> patterns;
    for (const std::string& name : option.names)
      patterns.push_back(shell_word(fmt::format("{} {}", chosen, name)));
    const std::string gives = !option.choices.empty()
                                  ? fmt::format("COMPREPLY=($(compgen -W {} -- \"$cur\"))",
                                                shell_word(joined(option.choices)))
                              : option.takes_path ? "COMPREPLY=($(compgen -f -- \"$cur\"))"
                                                  : "COMPREPLY=()";
    out += fmt::format("    {}) {}; return ;;\n", fmt::join(patterns, "|"), gives);
  }
  return out;
}

// Text within '…[…]' of zsh's _arguments, and within the : : of its messages.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c == '\n' ? ' ' : c;
    }
  }
  return out;
}

std::string zsh_value(const HelpOption& option) {
  if (option.value.empty()) return {};
  const std::string what = option.choices.empty() ? (option.takes_path ? "_files" : " ")
                                                  : "(" + joined(option.choices) + ")";
  return fmt::format(":{}:{}", zsh_text(option.value), what);
}

std::string zsh_arguments(const HelpCommand& command) {
  std::string out;
  for (const HelpOption& option : command.options) {
    if (option.positional) continue;
    for (const std::string& name : option.names) {
      out +=
          fmt::format(" \\\n        '*{}[{}]{}'", name, zsh_text(option.help), zsh_value(option));
    }
  }
  return out;
}

std::string fish_option(const HelpOption& option, const std::string& where) {
  std::string out = "complete -c cinderscope " + where;
  for (const std::string& name : option.names) {
    out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  if (!option.choices.empty()) {
    out += " -x -a " + shell_word(joined(option.choices));
  } else if (!option.value.empty()) {
    out += option.takes_path ? " -r -F" : " -x";
  }
  return out + " -d " + shell_word(option.help) + "\n";
}

}  // namespace

std::string bash_completion(const HelpCommand& program) {
  std::string values = bash_values(program, {}), words;
  for (const HelpCommand& each : program.commands) {
    values += bash_values(each, each.name);
    words += fmt::format("    {}) words={} ;;\n", each.name, shell_word(names_of(each)));
  }
  return fmt::format(R"(# Completion of cinderscope for bash.
_cinderscope() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} command= words word
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case $word in
    {}) command=$word; break ;;
    esac
  done
  case "$command $prev" in
{}  esac
  case $command in
{}    *) words={} ;;
  esac
  case $cur in
    -*) COMPREPLY=($(compgen -W "$words" -- "$cur")) ;;
    *) COMPREPLY=($(compgen -f -- "$cur"))
       [ -z "$command" ] && COMPREPLY+=($(compgen -W {} -- "$cur")) ;;
  esac
}}
complete -o filenames -F _cinderscope cinderscope
)",
                     command_names(program, "|"), values, words, shell_word(names_of(program)),
                     shell_word(command_names(program, " ")));
}

std::string zsh_completion(const HelpCommand& program) {
  std::string commands, cases;
  for (const HelpCommand& each : program.commands) {
    commands += fmt::format("    '{}:{}'\n", each.name, zsh_text(each.help));
    cases += fmt::format("    {})\n      _arguments{} \\\n        '*:file:_files' ;;\n", each.name,
                         zsh_arguments(each));
  }
  return fmt::format(R"(#compdef cinderscope
# Completion of cinderscope for zsh.
_cinderscope_first() {{
  local -a commands=(
{}  )
  _describe -t commands command commands
  _files
}}
_cinderscope() {{
  local word chosen=
  for word in ${{words[2,CURRENT-1]}}; do
    case $word in
    {}) chosen=$word; break ;;
    esac
  done
  case $chosen in
{}    *)
      _arguments{} \
        '*:file:_cinderscope_first' ;;
  esac
}}
_cinderscope "$@"
)",
                     commands, command_names(program, "|"), cases, zsh_arguments(program));
}

std::string fish_completion(const HelpCommand& program) {
  std::string out = "# Completion of cinderscope for fish.\n";
  for (const HelpCommand& each : program.commands) {
    out += fmt::format("complete -c cinderscope -n __fish_use_subcommand -a {} -d {}\n", each.name,
                       shell_word(each.help));
  }
  for (const HelpOption& option : program.options) {
    if (!option.positional) out += fish_option(option, "-n __fish_use_subcommand");
  }
  for (const HelpCommand& each : program.commands) {
    const std::string where = fmt::format("-n '__fish_seen_subcommand_from {}'", each.name);
    for (const HelpOption& option : each.options) {
      if (!option.positional) out += fish_option(option, where);
    }
  }
  return out;
}

}  // namespace cinderscope
