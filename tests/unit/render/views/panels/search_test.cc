#include "render/views/panels/search.h"

#include <set>
#include <string>

#include "render/views/chrome/search_field.h"
#include "tests/unit/render/views/view_window.h"

namespace cinderscope {
namespace {

class SearchViewTest : public ViewWindow {
 protected:
  // Lines are named after their number; how many were asked for is counted.
  SearchViewFrame lines(std::uint64_t count) {
    SearchViewFrame made{.theme = theme_, .area = kArea};
    made.line_count = count;
    made.line = [this](std::uint64_t line) {
      ++asked_;
      name_ = std::string(line % 7 == 0 ? 1'000'000 : 3, 'x') + "\n\xff";
      first_ = std::min(first_, line);
      return SearchLine{name_, 0xffffffff, "1.000 000 s", "5.00 ms", "main"};
    };
    return made;
  }
  SearchViewEvents draw(const SearchViewFrame& shown) {
    asked_ = 0;
    first_ = UINT64_MAX;
    SearchViewEvents events;
    frame([&](Actions& actions) { events = view_.draw(shown, actions); });
    return events;
  }
  // All that came of a click at this place.
  SearchViewEvents clicked(float x, float y, const SearchViewFrame& shown) {
    SearchViewEvents all;
    click(x, y, [&](Actions& actions) {
      const SearchViewEvents events = view_.draw(shown, actions);
      if (events.clicked) all.clicked = events.clicked;
      if (events.sort) all.sort = events.sort;
      if (events.scope) all.scope = events.scope;
    });
    return all;
  }

  static constexpr float kFirstLineTopY = 36 + 23, kFirstLineY = kFirstLineTopY + 11;
  SearchView view_;
  std::string name_;
  std::uint64_t asked_ = 0, first_ = 0;
};

TEST_F(SearchViewTest, BuildsOnlyTheLinesOnScreen) {
  draw(lines(100'000'000'000));
  EXPECT_LE(asked_, 18u);
  EXPECT_EQ(first_, 0u);
}

TEST_F(SearchViewTest, AClickNamesItsLine) {
  EXPECT_EQ(clicked(100, kFirstLineY + 44, lines(100)).clicked, 2u);
  EXPECT_FALSE(clicked(100, kFirstLineY + 44, lines(2)).clicked.has_value());
}

TEST_F(SearchViewTest, HeadsSortAndTheScopeSwitches) {
  EXPECT_EQ(clicked(30, 48, lines(5)).sort, 0u);
  EXPECT_EQ(clicked(1195, 48, lines(5)).sort.has_value(), false);
  EXPECT_TRUE(clicked(40, 18, lines(5)).scope == std::nullopt);  // it is on already
  bool thread = false;
  for (float x = 60; x < 400; x += 20)
    thread = thread || clicked(x, 18, lines(5)).scope == ScopeChoice::thread;
  EXPECT_TRUE(thread);
}

TEST_F(SearchViewTest, TheSwitchBetweenCallsAndSamplesRunsTheSearchsOwnCommand) {
  SearchViewFrame shown = lines(5);
  const auto commands = [&] {
    std::set<std::string> run;
    for (float x = 60; x < 700; x += 15) {
      for (const Action& action :
           click(x, 18, [&](Actions& actions) { view_.draw(shown, actions); })) {
        const auto* command = std::get_if<RunCommand>(&action);
        if (command != nullptr) run.insert(command->name + " " + command->argument);
      }
    }
    return run;
  };
  EXPECT_TRUE(commands().empty());
  shown.slices = {.shown = true, .slices = SlicesOf::calls, .searches = true};
  EXPECT_EQ(commands(), (std::set<std::string>{"search-slices both", "search-slices calls",
                                               "search-slices samples"}));
}

TEST_F(SearchViewTest, TheCurrentLineComesIntoSightOnceAndLetsGo) {
  SearchViewFrame shown = lines(1'000'000'000);
  shown.current = 999'999'999;
  shown.follow = 1;
  draw(shown);
  EXPECT_GT(first_, 999'999'900u);
  // Scrolled away it stays away.
  ImGui::GetIO().MousePos = {200, 200};
  draw(shown);
  for (int i = 0; i < 4; ++i) {
    ImGui::GetIO().MouseWheel = 100;
    draw(shown);
  }
  ImGui::GetIO().MouseWheel = 0;
  draw(shown);
  EXPECT_LT(first_, 999'999'000u);
}

TEST_F(SearchViewTest, LinesThatStandOutLeaveTheScrollBarFree) {
  SearchViewFrame shown = lines(100);
  shown.current = 0;
  ImGui::GetIO().MousePos = {200, kFirstLineY + 22};
  draw(shown);
  draw(shown);
  float right = 0, below = 0;
  const ImDrawData& drawn = *ImGui::GetDrawData();
  for (int i = 0; i < drawn.CmdListsCount; ++i) {
    for (const ImDrawVert& vertex : drawn.CmdLists[i]->VtxBuffer) {
      if (vertex.col != theme_.colours.raised || vertex.pos.y < kFirstLineTopY) continue;
      right = std::max(right, vertex.pos.x);
      below = std::max(below, vertex.pos.y);
    }
  }
  EXPECT_EQ(right, kArea.width - 10);
  EXPECT_EQ(below, kFirstLineTopY + 2 * 22);  // the current one and the one under the pointer
}

TEST_F(SearchViewTest, DrawsInHardlyAnyRoom) {
  for (const float size : {0.0f, 1.0f, 30.0f, 80.0f}) {
    SearchViewFrame shown = lines(50);
    shown.area = {0, 0, size, size};
    draw(shown);
    EXPECT_LE(asked_, 2u) << size;
    shown.line_count = 0;
    shown.shows_examples = true;
    shown.message = std::string(100'000, 'm');
    draw(shown);
    EXPECT_EQ(asked_, 0u) << size;
  }
}

class SearchFieldTest : public ViewWindow {
 protected:
  SearchFieldEvents draw() {
    SearchFieldEvents events;
    frame([&](Actions&) {
      events = field_.draw({.theme = theme_, .area = {10, 10, 300, 28}, .count = "3 of 7"});
    });
    return events;
  }
  SearchFieldEvents type(const char* text) {
    ImGui::GetIO().AddInputCharactersUTF8(text);
    return draw();
  }
  SearchField field_;
};

TEST_F(SearchFieldTest, TypingGivesTheWholeText) {
  draw();
  field_.focus();
  draw();
  draw();
  EXPECT_TRUE(field_.focused());
  EXPECT_EQ(type("ab").edited, "ab");
  EXPECT_EQ(type("c").edited, "abc");
  field_.show("");
  field_.leave();
  EXPECT_FALSE(draw().edited.has_value());
  EXPECT_FALSE(type("d").edited.has_value());
}

TEST_F(SearchFieldTest, TellsWhatItTakesWhileItIsEmpty) {
  const auto notes = [this] {
    ImGui::GetIO().MousePos = {60, 24};
    for (int i = 0; i < 3; ++i) draw();
    int shown = 0;
    const ImDrawData& all = *ImGui::GetDrawData();
    for (int i = 0; i < all.CmdListsCount; ++i) {
      shown += std::string_view(all.CmdLists[i]->_OwnerName).starts_with("##Tooltip") ? 1 : 0;
    }
    return shown;
  };
  EXPECT_EQ(notes(), 1);
  field_.show("parse");
  EXPECT_EQ(notes(), 0);
}

TEST_F(SearchFieldTest, ATextFromElsewhereReplacesWhatIsTyped) {
  field_.focus();
  for (int i = 0; i < 3; ++i) draw();
  type("ab");
  field_.show("other");
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(draw().edited.has_value());
  EXPECT_TRUE(field_.focused());
  EXPECT_EQ(type("x").edited, "x");  // all of it was selected
}

TEST_F(SearchFieldTest, WhatNoFieldCanHoldStaysAsItIs) {
  field_.show(std::string(1 << 20, 'q') + "\n\xff");
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(draw().edited.has_value());
  field_.show("line\nline");
  EXPECT_FALSE(draw().edited.has_value());
}

}  // namespace
}  // namespace cinderscope
