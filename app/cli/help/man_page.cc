#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/help/completions.h"

namespace cinderscope {
namespace {

// A line that begins with . or ' would be an order to roff, a bare - a hyphen.
std::string roff(std::string_view text) {
  std::string out;
  bool at_begin = true;
  for (const char c : text) {
    if (at_begin && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
    at_begin = c == '\n';
  }
  return out;
}

// In italics, in a line of its own.
std::string value_of(const HelpOption& option) {
  if (option.value.empty()) return {};
  if (option.choices.empty()) return fmt::format(" \\fI{}\\fR", roff(option.value));
  return fmt::format(" \\fR{}", roff(fmt::format("{}", fmt::join(option.choices, "|"))));
}

std::string options_of(const HelpCommand& command) {
  std::string out;
  for (const HelpOption& option : command.options) {
    if (option.positional) {
      out += fmt::format(".TP\n\\fI{}\\fR\n{}\n", roff(option.names.front()), roff(option.help));
      continue;
    }
    std::string names;
    for (const std::string& name : option.names) {
      names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", roff(name));
    }
    out += fmt::format(".TP\n{}{}\n{}\n", names, value_of(option), roff(option.help));
  }
  return out;
}

std::string synopsis(const HelpCommand& command) {
  std::string out;
  for (const HelpOption& option : command.options) {
    if (!option.positional) continue;
    const std::string name = fmt::format("\\fI{}\\fR", roff(option.names.front()));
    out += option.required ? " " + name : " [" + name + "]";
  }
  return out;
}

}  // namespace

std::string man_page(const HelpCommand& program, std::string_view version) {
  std::string out = fmt::format(
      ".TH CINDERSCOPE 1 \"\" \"Cinderscope {}\" \"User Commands\"\n"
      ".SH NAME\ncinderscope \\- look at call traces of any size\n"
      ".SH SYNOPSIS\n.B cinderscope\n[\\fIoptions\\fR]{}\n.br\n"
      ".B cinderscope\n\\fIcommand\\fR [\\fIoptions\\fR] ...\n"
      ".SH DESCRIPTION\n{}\n.PP\n"
      "Without a command its window is opened. All commands print to standard output and need no "
      "display.\n"
      ".SH OPTIONS\n{}.SH COMMANDS\n",
      roff(version), synopsis(program), roff(program.help), options_of(program));
  for (const HelpCommand& each : program.commands) {
    out +=
        fmt::format(".SS \"cinderscope {}\"\n\\fBcinderscope {}\\fR [\\fIoptions\\fR]{}\n.PP\n{}\n",
                    roff(each.name), roff(each.name), synopsis(each), roff(each.help));
    out += options_of(each);
    if (!each.footer.empty()) out += fmt::format(".PP\n.nf\n{}\n.fi\n", roff(each.footer));
  }
  return out +
         ".SH EXIT STATUS\n.TP\n0\ndone\n.TP\n1\ncannot be opened, answered or written\n.TP\n2\n"
         "wrong usage\n.TP\n3\nwhat was asked to fail did (\\-\\-fail\\-if, "
         "\\-\\-fail\\-if\\-rows, "
         "\\-\\-strict), or a session misses traces\n.TP\n4\ncompare: a name that occurs nowhere\n"
         ".PP\nrecord ends with the program\\(aqs own status, 127 if it cannot be started.\n"
         ".SH FILES\n.TP\n\\fI~/.config/cinderscope/settings.json\\fR\nsettings "
         "(XDG_CONFIG_HOME)\n.TP\n\\fI~/.local/state/cinderscope\\fR\n"
         "recent files, and the view of each trace (XDG_STATE_HOME)\n";
}

}  // namespace cinderscope
