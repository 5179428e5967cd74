#include "app/commands/arguments.h"

#include <gtest/gtest.h>

#include "render/base/actions.h"

namespace cinderscope {
namespace {

class ArgumentsTest : public testing::Test {
 protected:
  // The arguments between bars, or the error.
  static std::string read(std::string_view form, std::string_view typed,
                          std::span<const std::string> choices = {}) {
    const Command command{.name = "do", .arguments = form, .keys = {}, .help = {}};
    const Result<CommandArguments> found = parse_arguments(command, typed, choices);
    if (!found) return found.error().text;
    std::string text = "|";
    const std::size_t most = argument_forms(command).size();
    for (std::size_t i = 0; i < most; ++i) text += found->text(i) + "|";
    return text;
  }
};

TEST_F(ArgumentsTest, AreSeparatedByBlanksAndQuoted) {
  EXPECT_EQ(read("FROM TO", "  1\t 2 "), "|1|2|");
  EXPECT_EQ(read("[PATH [force]]", R"("a b" force)"), "|a b|force|");
  EXPECT_EQ(read("[PATH [force]]", R"("a \"b\" \\ c" force)"), R"(|a "b" \ c|force|)");
  EXPECT_EQ(read("[PATH [force]]", R"("a b)"), "do: a quote (\") is not closed.");
}

TEST_F(ArgumentsTest, TheLastNameOrPathTakesTheRestOfTheLine) {
  EXPECT_EQ(read("[PATH]", "/tmp/a b.json"), "|/tmp/a b.json|");
  EXPECT_EQ(read("[PATH]", R"("/tmp/a b.json")"), "|/tmp/a b.json|");
  EXPECT_EQ(read("THREAD", "worker 1"), "|worker 1|");
  EXPECT_EQ(read("[callees|function [NAME]]", "function a b"), "|function|a b|");
}

TEST_F(ArgumentsTest, AColumnMayHaveSeveralWords) {
  EXPECT_EQ(read("COLUMN", "CPU time"), "|CPU time|");
  EXPECT_EQ(read("COLUMN", R"("CPU time")"), "|CPU time|");
  const std::vector<std::string> columns = {"count", "total"};
  EXPECT_EQ(read("COLUMN", "total", columns), "|total|");
  EXPECT_EQ(read("COLUMN", "total count", columns),
            "do takes count or total, not \"total count\".");
}

TEST_F(ArgumentsTest, OneWordWhereMoreMayFollow) {
  EXPECT_EQ(read("[PATH [force]]", "a b"), "do takes force, not \"b\".");
  EXPECT_EQ(read("[PATH [OFFSET|start]]", "a +12ms"), "|a|+12ms|");
}

TEST_F(ArgumentsTest, ATextStaysAsItWasTyped) {
  EXPECT_EQ(read("[TEXT]", R"(="a b"  c)"), R"(|="a b"  c|)");
  EXPECT_EQ(read("COMMAND [KEYS]", "fit G Ctrl+O"), "|fit|G Ctrl+O|");
}

TEST_F(ArgumentsTest, WhatIsQuotedKeepsItsBlanks) {
  for (const std::string_view form : {"[WORDS]", "NOTE", "process|none|REGEX", "[TARGET]", "THREAD",
                                      "[callees|function [NAME]]", "PATH"}) {
    const std::string before = form.starts_with("[callees") ? "function " : "";
    const std::string text = read(form, before + R"(" a b  ")");
    EXPECT_TRUE(text.find("| a b  |") != std::string::npos) << form << " read " << text;
  }
  EXPECT_EQ(read("[WORDS]", "\"a\" b"), "|\"a\" b|");
  EXPECT_EQ(read("NOTE", "\"a"), "|\"a|");
}

TEST_F(ArgumentsTest, AThreadGoesOnToTheWordBehindIt) {
  constexpr std::string_view kMove = "THREAD up|down|before [THREAD]";
  EXPECT_EQ(read(kMove, "worker 1 up"), "|worker 1|up||");
  EXPECT_EQ(read(kMove, "up"), "||up||");
  EXPECT_EQ(read(kMove, "track 3 before track 4"), "|track 3|before|track 4|");
  EXPECT_EQ(read(kMove, R"("going up" down)"), "|going up|down||");
  EXPECT_EQ(read(kMove, "net sideways"), "do takes up, down or before, not \"sideways\".");
}

TEST_F(ArgumentsTest, UnknownWordsAreRefusedWithWhatWasExpected) {
  EXPECT_EQ(read("[dark|light|system]", "pink"), "do takes dark, light or system, not \"pink\".");
  EXPECT_EQ(read("[on|off]", "ON"), "do takes on or off, not \"ON\".");
  EXPECT_EQ(read("N", "0"), "do takes a number from 1 on, not \"0\".");
  EXPECT_EQ(read("BEGIN END", "1 x"), "do takes a time such as +1.2s, not \"x\".");
  EXPECT_EQ(read("[SIZE|auto]", "much"),
            "do takes auto or a size such as 500MB or 2GB, not \"much\".");
  EXPECT_EQ(read("OFFSET|start", "soon"),
            "do takes start or an offset such as +12ms or -3s, not \"soon\".");
}

TEST_F(ArgumentsTest, ATimeIsOneWordEvenWhereANoteIsQuoted) {
  EXPECT_EQ(read("BEGIN END", "+1.2s end-2ms"), "|+1.2s|end-2ms|");
  EXPECT_EQ(read("BEGIN END", R"(mark:"slow start" mark:b)"), "|mark:slow start|mark:b|");
  EXPECT_EQ(read("TIME", "09:30:01.25"), "|09:30:01.25|");
  EXPECT_EQ(read("TIME", "25:00"), "do takes a time such as +1.2s, not \"25:00\".");
}

TEST_F(ArgumentsTest, MoreThanTheFormTakesIsRefused) {
  EXPECT_EQ(read("", "x"), "do takes no argument, not \"x\".");
  EXPECT_EQ(read("[on|off]", "on off"), "do takes only [on|off], not \"on off\".");
}

TEST_F(ArgumentsTest, WhatIsMissingIsNamed) {
  EXPECT_EQ(read("BEGIN END", ""), "do needs BEGIN END.");
  EXPECT_EQ(read("BEGIN END", "1"), "do needs a time such as +1.2s.");
  EXPECT_EQ(read("[on|off]", ""), "||");
}

TEST_F(ArgumentsTest, ChoicesAreThoseOfNow) {
  const std::vector<std::string> panels = {"details", "search"};
  EXPECT_EQ(read("[PANEL]", "search", panels), "|search|");
  EXPECT_EQ(read("[PANEL]", "nonsense", panels), "do takes details or search, not \"nonsense\".");
}

TEST_F(ArgumentsTest, BearAMegabyteOfTyping) {
  EXPECT_LT(read("[on|off]", std::string(1 << 20, 'x')).size(), 200u);
  EXPECT_LT(read("BEGIN END", std::string(1 << 20, '"')).size(), 200u);
}

TEST_F(ArgumentsTest, OfOnAndOffNothingIsTheOtherOne) {
  EXPECT_TRUE(CommandArguments().switched(false));
  EXPECT_FALSE(CommandArguments().switched(true));
  EXPECT_TRUE(CommandArguments({"on"}).switched(true));
  EXPECT_TRUE(CommandArguments({"scroll"}).switched(false, "scroll"));
  EXPECT_FALSE(CommandArguments({"zoom"}).switched(true, "scroll"));
}

TEST_F(ArgumentsTest, AnyTextCanBeQuotedAsOne) {
  for (const std::string& text : {std::string("a"), std::string("a b"), std::string("\"\\ "),
                                  std::string(), std::string("\n"), std::string(" a")}) {
    const std::string quoted = quoted_argument(text);
    EXPECT_EQ(read("[PATH [force]]", quoted + " force"), "|" + text + "|force|") << quoted;
  }
}

TEST_F(ArgumentsTest, SplitsCallsAtTheFirstBlank) {
  EXPECT_EQ(split_call("zoom-to 1 2").name, "zoom-to");
  EXPECT_EQ(split_call("zoom-to 1 2").argument, "1 2");
  EXPECT_EQ(split_call("  fit\t\r").name, "fit");
  EXPECT_EQ(split_call("fit ").argument, "");
  EXPECT_EQ(split_call("").name, "");
  EXPECT_EQ(split_call(" \t ").name, "");
  EXPECT_EQ(split_call("filter\t a  b ").argument, "a  b");
}

}  // namespace
}  // namespace cinderscope
