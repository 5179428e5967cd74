#include "render/views/chrome/toolbar.h"

#include <algorithm>

#include "tests/unit/render/views/view_window.h"

namespace cinderscope {
namespace {

class ToolbarViewTest : public ViewWindow {
 protected:
  Draw drawn() {
    return [this](Actions& actions) {
      draw_toolbar({.tabs = tabs_,
                    .active = active_,
                    .can_go_back = can_go_back_,
                    .has_trace = true,
                    .theme = theme_,
                    .area = {0, 0, kArea.width, 40},
                    .progress = progress_},
                   actions);
    };
  }
  // All commands that clicks along the bar ask for.
  std::vector<std::string> commands(float from_x = 4, float to_x = kArea.width) {
    std::vector<std::string> all;
    for (float x = from_x; x < to_x; x += 8) {
      for (const Action& action : click(x, 20, drawn())) {
        const auto& command = std::get<RunCommand>(action);
        const std::string text =
            command.name + (command.argument.empty() ? "" : " " + command.argument);
        if (all.empty() || all.back() != text) all.push_back(text);
      }
    }
    return all;
  }

  // Between the arrows.
  static constexpr float kTabsPx = 160, kTabsEndPx = 520;

  std::vector<ToolbarTab> tabs_ = {{"first.json", "/a/first.json"}, {"second.spall", "", true}};
  std::size_t active_ = 0;
  bool can_go_back_ = true;
  double progress_ = -1;
};

TEST_F(ToolbarViewTest, AsksForTabsAndCommandsFromLeftToRight) {
  EXPECT_EQ(commands(), (std::vector<std::string>{"close 1", "tab 2", "open", "context-menu open",
                                                  "back", "fit", "time-unit", "theme", "help"}));
}

TEST_F(ToolbarViewTest, DoesNotAskForWhatIsDisabled) {
  can_go_back_ = false;
  tabs_.clear();
  EXPECT_EQ(commands(), (std::vector<std::string>{"open", "context-menu open", "fit", "time-unit",
                                                  "theme", "help"}));
}

TEST_F(ToolbarViewTest, ClosesAnyTabWithTheMiddleButton) {
  bool closed = false;
  for (float x = 200; x < 500; x += 8) {
    for (const Action& action : click(x, 20, drawn(), 2)) {
      const auto* command = std::get_if<RunCommand>(&action);
      closed |= command != nullptr && command->name == "close" && command->argument == "2";
    }
  }
  EXPECT_TRUE(closed);
}

TEST_F(ToolbarViewTest, AsksForATabsMenuWithTheRightButton) {
  std::set<std::string> menus;
  for (float x = 100; x < 500; x += 8) {
    for (const Action& action : click(x, 20, drawn(), 1)) {
      const auto* command = std::get_if<RunCommand>(&action);
      if (command != nullptr) menus.insert(command->name + " " + command->argument);
    }
  }
  EXPECT_EQ(menus, (std::set<std::string>{"context-menu tab 1", "context-menu tab 2"}));
}

TEST_F(ToolbarViewTest, AsksForTheUsersKeys) {
  std::set<std::string> asked;
  const Draw draw = [&](Actions& actions) {
    draw_toolbar({.tabs = tabs_,
                  .has_trace = true,
                  .theme = theme_,
                  .area = {0, 0, kArea.width, 40},
                  .keys_of =
                      [&](std::string_view name) {
                        asked.emplace(name);
                        return std::string("F9");
                      }},
                 actions);
  };
  click(300, 20, draw);
  EXPECT_TRUE(asked.contains("open"));
  EXPECT_TRUE(asked.contains("theme"));
}

TEST_F(ToolbarViewTest, ShowsTheActiveOneOfAThousandTabs) {
  tabs_.assign(1000, {std::string(1 << 20, 'x') + "\n\xff", "/p"});
  active_ = 700;
  progress_ = 0.5;
  const std::vector<std::string> asked = commands(kTabsPx, kTabsEndPx);
  EXPECT_NE(std::find(asked.begin(), asked.end(), "close 701"), asked.end());
  EXPECT_NE(std::find(asked.begin(), asked.end(), "tab 702"), asked.end());
}

TEST_F(ToolbarViewTest, ScrollsByTheWheelWhileTheActiveTabStays) {
  tabs_.clear();
  for (int i = 1; i <= 60; ++i) {
    tabs_.push_back({"a long name before it " + std::to_string(i) + ".json", "/p"});
  }
  const auto scrolled = [this](float wheel) {
    ImGui::GetIO().MousePos = {300, 20};
    for (int i = 0; i < 5; ++i) {
      ImGui::GetIO().MouseWheel = wheel;
      frame(drawn());
    }
    ImGui::GetIO().MouseWheel = 0;
    return commands(kTabsPx, kTabsEndPx);
  };
  const auto has = [](const std::vector<std::string>& all, const char* command) {
    return std::ranges::find(all, command) != all.end();
  };
  frame(drawn());
  const std::vector<std::string> first = scrolled(0);
  EXPECT_TRUE(has(first, "close 1") && has(first, "tab 2"));
  EXPECT_FALSE(has(first, "tab 30"));
  const std::vector<std::string> later = scrolled(-10);
  EXPECT_FALSE(has(later, "tab 2"));
  EXPECT_TRUE(has(later, "close 1"));  // the active one
  const std::vector<std::string> end = scrolled(-100);
  EXPECT_TRUE(has(end, "tab 60"));
  active_ = 1;  // chosen in the list of all
  frame(drawn());
  EXPECT_TRUE(has(commands(kTabsPx, kTabsEndPx), "close 2"));
  EXPECT_TRUE(has(commands(), "tabs"));
}

TEST_F(ToolbarViewTest, AFewTabsHaveNoListOfAll) {
  const std::vector<std::string> all = commands();
  EXPECT_EQ(std::ranges::find(all, "tabs"), all.end());
}

TEST_F(ToolbarViewTest, TheProgramsNameStandsWholeOrNotAtAll) {
  const auto name_end = [this](float width) {
    frame([&](Actions& actions) {
      draw_toolbar({.tabs = tabs_, .theme = theme_, .area = {0, 0, width, 40}}, actions);
    });
    float end = 0;
    for (const ImDrawVert& vertex : ImGui::GetDrawData()->CmdLists[0]->VtxBuffer) {
      if (vertex.col == theme_.colours.accent) end = std::max(end, vertex.pos.x);
    }
    return end;
  };
  const float whole = name_end(1200);
  EXPECT_GT(whole, 12);
  for (float width = 300; width < 700; width += 10) {
    const float end = name_end(width);
    if (end > 0) {
      EXPECT_EQ(end, whole);
      EXPECT_LT(end, search_field_area(theme_, {0, 0, width, 40}).x);
    }
  }
  EXPECT_EQ(name_end(400), 0);
}

TEST_F(ToolbarViewTest, DrawsInHardlyAnyRoom) {
  theme_.scale = 4;
  EXPECT_TRUE(frame([this](Actions& actions) {
                draw_toolbar({.tabs = tabs_, .theme = theme_, .area = {0, 0, 20, 1}, .progress = 2},
                             actions);
              }).empty());
}

}  // namespace
}  // namespace cinderscope
