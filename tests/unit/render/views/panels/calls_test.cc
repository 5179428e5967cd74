#include "render/views/panels/calls.h"

#include <numeric>

#include "tests/unit/render/views/view_window.h"

namespace cinderscope {
namespace {

class CallsViewTest : public ViewWindow {
 protected:
  // Two rows, three columns; many more of both if asked for.
  void fill(std::size_t rows = 2, std::size_t more_columns = 0) {
    table_.strings = strings_;
    table_.row_count = rows;
    ValueColumn call{.head = {.title = "Call", .width_px = 200, .grows = true}};
    ValueColumn duration{.head = {.title = "Duration", .kind = CellKind::duration}};
    ValueColumn memory{.head = {.title = "Memory", .unit = "bytes", .kind = CellKind::number}};
    for (std::size_t i = 0; i < rows; ++i) {
      call.texts.push_back(strings_->intern("GET /" + std::to_string(i % 100)));
      duration.numbers.push_back(static_cast<std::int64_t>(i) * 1000);
      memory.numbers.push_back(i % 2 == 0 ? kNoNumber : 5);
      table_.slices.push_back({.track = TrackId{0}, .slice = i});
    }
    table_.columns = {call, duration, memory};
    for (std::size_t i = 0; i < more_columns; ++i) {
      table_.columns.push_back(call);
      table_.columns.back().head.title = "Parameter " + std::to_string(i);
    }
    rows_.resize(rows);
    std::iota(rows_.begin(), rows_.end(), 0);
  }
  CallsFrame shown() {
    return {
        .theme = theme_, .area = kArea, .has_statements = true, .table = &table_, .rows = rows_};
  }
  Draw drawn() {
    return [this](Actions& actions) { view_.draw(shown(), actions); };
  }

  std::shared_ptr<StringPool> strings_ = std::make_shared<StringPool>();
  ValueTable table_;
  std::vector<std::uint32_t> rows_;
  CallsView view_;
};

TEST_F(CallsViewTest, HeadsSortByEveryColumn) {
  fill();
  std::set<std::string> sorted;
  for (const RunCommand& call : click_everywhere<RunCommand>(drawn(), 20)) {
    if (call.name == "sort-calls") sorted.insert(call.argument);
  }
  EXPECT_EQ(sorted, (std::set<std::string>{"Call", "Duration", "Memory"}));
}

TEST_F(CallsViewTest, AClickOnARowGoesToTheCall) {
  fill();
  std::set<std::uint64_t> revealed;
  for (const RevealSlice& reveal : click_everywhere<RevealSlice>(drawn(), 15)) {
    revealed.insert(reveal.slice.slice);
  }
  EXPECT_EQ(revealed, (std::set<std::uint64_t>{0, 1}));
}

TEST_F(CallsViewTest, AClickOnAStatementCopiesIt) {
  fill();
  table_.slices.clear();
  std::set<std::string> copied;
  for (const CopyText& copy : click_everywhere<CopyText>(drawn(), 15)) copied.insert(copy.text);
  EXPECT_EQ(copied, (std::set<std::string>{"GET /0", "GET /1"}));
}

TEST_F(CallsViewTest, OffersStatementsAndToTakeTheTableAway) {
  fill();
  std::set<std::string> asked;
  for (const RunCommand& call : click_everywhere<RunCommand>(drawn(), 12)) {
    asked.insert(call.name + " " + call.argument);
  }
  for (const char* command :
       {"calls-shown statements", "calls-shown calls", "copy-calls ", "save-calls "}) {
    EXPECT_TRUE(asked.contains(command)) << command;
  }
}

TEST_F(CallsViewTest, WhatIsDrawnDoesNotGrowWithTheRows) {
  fill(50, 30);
  frame(drawn());
  frame(drawn());
  const std::size_t few = vertices();
  fill(150'000, 30);
  view_ = {};
  frame(drawn());
  frame(drawn());
  EXPECT_LT(vertices(), few * 2);
}

TEST_F(CallsViewTest, ColumnsThatDoNotFitScrollIntoView) {
  fill(5, 30);
  std::set<std::string> sorted;
  for (int i = 0; i < 40; ++i) {
    ImGui::GetIO().MousePos = {600, 200};
    frame(drawn());
    ImGui::GetIO().MouseWheelH = -2;
    frame(drawn());
    ImGui::GetIO().MouseWheelH = 0;
    for (float x = 20; x < kArea.width; x += 60) {
      for (const Action& action : click(x, 47, drawn())) {
        const auto* call = std::get_if<RunCommand>(&action);
        if (call != nullptr && call->name == "sort-calls") sorted.insert(call->argument);
      }
    }
  }
  EXPECT_TRUE(sorted.contains("Parameter 29"));
  EXPECT_GT(sorted.size(), 30u);
}

TEST_F(CallsViewTest, DrawsNothingBadWithoutATable) {
  CallsFrame empty{.theme = theme_, .area = kArea, .working = true};
  frame([&](Actions& actions) { view_.draw(empty, actions); });
  EXPECT_GT(vertices(), 0u);
}

}  // namespace
}  // namespace cinderscope
