#include "app/cli/help/completions.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace cinderscope {
namespace {

using Words = std::vector<std::string>;

class CompletionsTest : public testing::Test {
 protected:
  CompletionsTest() {
    app_.name("cinderscope");
    app_.add_option("files", files_, "what's to open [or not]");
    CLI::App* stats = app_.add_subcommand("stats", "adds up: all");
    stats->footer(".first\n'second\\");
    stats->add_option("file", file_, "a trace")->required();
    stats->add_option("-o,--out", out_, "where to write");
    stats->add_option("--slices", slices_, "which")->check(CLI::IsMember({"calls", "both"}));
    stats->add_flag("--json", json_, "as JSON");
    app_.add_subcommand("worker")->group("");
  }

  CLI::App app_{"Opens traces."};
  Words files_;
  std::string file_, out_, slices_;
  bool json_ = false;
};

TEST_F(CompletionsTest, TablesHoldWhatHelpSays) {
  const HelpCommand program = help_tables(app_);
  ASSERT_EQ(program.commands.size(), 1u);  // not the hidden one
  const HelpCommand& stats = program.commands[0];
  ASSERT_EQ(stats.options.size(), 5u);
  EXPECT_EQ(stats.options[0].names, (Words{"--help", "-h"}));
  EXPECT_EQ(stats.options[0].value, "");
  EXPECT_TRUE(stats.options[1].positional && stats.options[1].required);
  EXPECT_EQ(stats.options[1].names, Words{"file"});
  EXPECT_EQ(stats.options[2].names, (Words{"--out", "-o"}));
  EXPECT_TRUE(stats.options[2].takes_path);
  EXPECT_EQ(stats.options[3].choices, (Words{"calls", "both"}));
  EXPECT_FALSE(stats.options[3].takes_path);
  EXPECT_EQ(stats.options[4].value, "");
}

TEST_F(CompletionsTest, ShellsGetEveryWordOnceAndQuoted) {
  const HelpCommand program = help_tables(app_);
  const std::string bash = bash_completion(program);
  EXPECT_NE(bash.find("stats) command=$word; break ;;"), std::string::npos);
  EXPECT_NE(
      bash.find("'stats --slices') COMPREPLY=($(compgen -W 'calls both' -- \"$cur\")); return ;;"),
      std::string::npos);
  EXPECT_NE(bash.find("'stats --out'|'stats -o') COMPREPLY=($(compgen -f"), std::string::npos);
  const std::string zsh = zsh_completion(program);
  EXPECT_EQ(zsh.find("#compdef cinderscope\n"), 0u);
  EXPECT_NE(zsh.find("'stats:adds up\\: all'"), std::string::npos);
  EXPECT_NE(zsh.find("'*--slices[which]:TEXT:(calls both)'"), std::string::npos);
  const std::string fish = fish_completion(program);
  EXPECT_NE(
      fish.find("-n '__fish_seen_subcommand_from stats' -l out -s o -r -F -d 'where to write'"),
      std::string::npos);
}

TEST_F(CompletionsTest, NoLineOfTheManPageIsAnOrderByAccident) {
  const std::string page = man_page(help_tables(app_), "1.2.3");
  EXPECT_NE(page.find("Cinderscope 1.2.3"), std::string::npos);
  EXPECT_NE(page.find("\n\\&.first\n\\&'second\\e\n"), std::string::npos);
  EXPECT_NE(page.find("\\fB\\-\\-slices\\fR \\fRcalls|both\n"), std::string::npos);
  EXPECT_EQ(page.find("worker"), std::string::npos);
}

}  // namespace
}  // namespace cinderscope
