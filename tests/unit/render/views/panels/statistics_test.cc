#include "render/views/panels/statistics.h"

#include "ingest/build/timeline_builder.h"
#include "tests/unit/render/views/view_window.h"

namespace cinderscope {
namespace {

class StatisticsViewTest : public ViewWindow {
 protected:
  void add(const std::string& name, std::int64_t begin, std::int64_t duration) {
    builder_.slices(builder_.thread(builder_.process("1"), "1"))
        .complete(begin, duration, builder_.intern(name), record_++);
  }
  void measure() {
    timeline_ = builder_.finish();
    statistics_ = slice_statistics(*slice_set_of(timeline_), {});
    table_ = statistics_table(statistics_, timeline_.strings);
    rows_ = rows_in_order(*table_, first_statistics_order(), {});
  }
  StatisticsFrame shown(Rect area = kArea) {
    return {.theme = theme_,
            .area = area,
            .statistics = &statistics_,
            .table = table_.get(),
            .rows = rows_};
  }
  Draw drawn(Rect area = kArea) {
    return [this, area](Actions& actions) { view_.draw(shown(area), actions); };
  }
  std::vector<std::string> commands_of(const Actions& actions) {
    std::vector<std::string> commands;
    for (const Action& action : actions) {
      if (const auto* call = std::get_if<RunCommand>(&action)) {
        commands.push_back(call->name + " " + call->argument);
      }
    }
    return commands;
  }

  TimelineBuilder builder_;
  RecordOffset record_ = 0;
  Timeline timeline_;
  SliceStatistics statistics_;
  std::shared_ptr<const ValueTable> table_;
  std::vector<std::uint32_t> rows_;
  StatisticsView view_;
};

TEST_F(StatisticsViewTest, HeadsSortByEveryColumn) {
  add("f", 0, 10);
  measure();
  std::set<std::string> sorted;
  for (const RunCommand& call : click_everywhere<RunCommand>(drawn(), 11)) {
    if (call.name == "sort-statistics") sorted.insert(call.argument);
  }
  std::set<std::string> shown;
  for (const StatisticsColumn& column : statistics_columns()) {
    if (!column.head.hidden) shown.insert(column.head.key);
  }
  EXPECT_EQ(sorted, shown);
}

TEST_F(StatisticsViewTest, AClickOnARowShowsTheLongestCall) {
  add("f", 0, 10);
  add("f", 20, 30);
  add("g", 60, 5);
  measure();
  std::set<std::uint64_t> revealed;
  for (const RevealSlice& reveal : click_everywhere<RevealSlice>(drawn(), 15)) {
    revealed.insert(reveal.slice.slice);
  }
  EXPECT_EQ(revealed, (std::set<std::uint64_t>{1, 2}));
}

TEST_F(StatisticsViewTest, ADoubleClickListsTheCountedCallsInSearch) {
  add("f \"x\"", 0, 10);
  measure();
  ImGuiIO& io = ImGui::GetIO();
  ScopeChoice scope = ScopeChoice::trace;
  const Draw draw = [&](Actions& actions) {
    StatisticsFrame frame = shown();
    frame.scope = scope;
    view_.draw(frame, actions);
  };
  const auto double_click = [&] {
    frame(draw);
    io.MousePos = {300, 36 + 22 + 22 + 12};
    Actions all;
    for (const bool down : {false, true, false, true, false}) {
      io.MouseDown[0] = down;
      for (const Action& action : frame(draw)) all.push_back(action);
    }
    for (int i = 0; i < 60; ++i) frame(draw);  // a later click is none of this one's
    return commands_of(all);
  };
  using Commands = std::vector<std::string>;
  const std::string search = "search =\"f \\\"x\\\"\"";
  EXPECT_EQ(double_click(), (Commands{search, "panel search", "search-scope trace"}));
  scope = ScopeChoice::range;
  EXPECT_EQ(double_click(), (Commands{search, "panel search", "search-scope range"}));
  scope = ScopeChoice::thread;
  EXPECT_EQ(double_click(), (Commands{search, "panel search", "search-scope thread"}));
}

TEST_F(StatisticsViewTest, ANameThatIsCutIsShownWholeUnderThePointer) {
  add(std::string(1'000'000, 'x') + "\n\xff", 0, 20);
  add("short", 20, 10);
  measure();
  const auto notes = [this](float x, float y) {
    ImGui::GetIO().MousePos = {x, y};
    for (int i = 0; i < 3; ++i) frame(drawn());
    int shown = 0;
    const ImDrawData& all = *ImGui::GetDrawData();
    for (int i = 0; i < all.CmdListsCount; ++i) {
      shown += std::string_view(all.CmdLists[i]->_OwnerName).starts_with("##Tooltip") ? 1 : 0;
    }
    return shown;
  };
  const float first_row = 36 + 22 + 22 + 12;
  EXPECT_EQ(notes(100, first_row), 1);
  EXPECT_EQ(notes(1100, first_row), 0);  // a number
  EXPECT_EQ(notes(100, first_row + 22), 0);
}

TEST_F(StatisticsViewTest, ScopesThatThereAreNoneOfTakeNoClicks) {
  add("f", 0, 10);
  measure();
  const auto scopes = [&](bool there) {
    std::set<std::string> chosen;
    const Draw draw = [&](Actions& actions) {
      StatisticsFrame frame = shown();
      frame.scopes = {.range = there, .thread = there, .call = there};
      view_.draw(frame, actions);
    };
    for (float x = 10; x < 400; x += 12) {
      for (const Action& action : click(x, 18, draw)) {
        const auto* call = std::get_if<RunCommand>(&action);
        if (call != nullptr && call->name == "scope") chosen.insert(call->argument);
      }
    }
    return chosen;
  };
  EXPECT_EQ(scopes(false), std::set<std::string>{"trace"});
  EXPECT_EQ(scopes(true), (std::set<std::string>{"trace", "range", "thread"}));
}

TEST_F(StatisticsViewTest, BuildsOnlyVisibleRowsOfAHundredThousandHostileNames) {
  for (int i = 0; i < 100'000; ++i) {
    std::string name = std::to_string(i) + "\n\x80\xe2\x80\xae";
    if (i % 10'000 == 0) name += std::string(1 << 20, 'w');
    add(name, i, 1);
  }
  measure();
  frame(drawn());
  EXPECT_TRUE(frame(drawn()).empty());
  EXPECT_LT(vertices(), 60'000u);
}

TEST_F(StatisticsViewTest, DrawsInAnyRoomAndWithoutNumbers) {
  add("f", 0, 10);
  measure();
  for (const float width : {0.0f, 1.0f, 60.0f, 300.0f, 500.0f}) {
    for (const float height : {0.0f, 20.0f, 70.0f}) {
      EXPECT_TRUE(frame(drawn({0, 0, width, height})).empty());
    }
  }
  EXPECT_TRUE(frame([&](Actions& actions) {
                StatisticsFrame nothing{.theme = theme_, .area = kArea};
                nothing.working = true;
                view_.draw(nothing, actions);
              }).empty());
}

TEST_F(StatisticsViewTest, ARightClickOpensAMenuThatEscapeCloses) {
  add("f", 0, 10);
  measure();
  EXPECT_FALSE(view_.close_menu());
  const auto is_open = [] { return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup); };
  for (float y = 4; y < kArea.height && !is_open(); y += 8) {
    click(kArea.width / 4, y, drawn(), 1);
    frame(drawn());
  }
  EXPECT_TRUE(is_open());
  EXPECT_TRUE(view_.close_menu());
  frame(drawn());
  frame(drawn());
  EXPECT_FALSE(is_open());
  EXPECT_FALSE(view_.close_menu());
}

TEST_F(StatisticsViewTest, SaysWhatIsMeasured) {
  add("f", 0, 1'500'000);
  measure();
  StatisticsFrame frame = shown();
  EXPECT_EQ(measured_text(frame), "All threads, 1.500 ms from the first call to the last");
  frame.thread = "main 7";
  statistics_.query.scope.begin_ns = 0;
  statistics_.query.whole_calls = true;
  EXPECT_EQ(measured_text(frame), "main 7, selected range of 1.500 ms, whole calls included");
}

}  // namespace
}  // namespace cinderscope
