#include "render/views/widgets/table.h"

#include "tests/unit/render/views/view_window.h"

namespace cinderscope {
namespace {

class TableViewTest : public ViewWindow {
 protected:
  TableFrame shown(std::uint64_t rows, Rect area = kArea) {
    TableFrame made{.theme = theme_, .area = area, .row_count = rows, .note = "nothing"};
    for (const TableColumn& column : columns_) made.columns.push_back(&column);
    made.cell = [this](std::uint64_t row, std::size_t column) {
      asked_.insert(column);
      first_row_ = std::min(first_row_, row);
      last_row_ = std::max(last_row_, row);
      return TableCell{.text = std::to_string(row)};
    };
    return made;
  }
  TableEvents draw(const TableFrame& shown) {
    asked_.clear();
    first_row_ = UINT64_MAX;
    last_row_ = 0;
    TableEvents events;
    frame([&](Actions&) { events = table_.draw(shown); });
    return events;
  }
  // All that came of a click at this place.
  TableEvents clicked(float x, float y, const TableFrame& shown, int button = 0) {
    TableEvents all;
    click(
        x, y,
        [&](Actions&) {
          const TableEvents events = table_.draw(shown);
          if (events.sort) all.sort = events.sort;
          if (events.clicked) all.clicked = events.clicked;
          if (events.right_clicked) all.right_clicked = events.right_clicked;
        },
        button);
    return all;
  }
  using Columns = std::set<std::size_t>;

  std::vector<TableColumn> columns_ = {
      {.title = "Name", .width_px = 200, .grows = true},
      {.title = "Count", .kind = CellKind::number, .width_px = 100, .importance = 2},
      {.title = "Total", .kind = CellKind::duration, .width_px = 100},
      {.title = "Self", .kind = CellKind::duration, .width_px = 100, .importance = 1},
      {.title = "In files", .kind = CellKind::number, .width_px = 100, .hidden = true}};
  TableView table_;
  Columns asked_;  // columns whose cells were drawn
  std::uint64_t first_row_ = 0, last_row_ = 0;
};

TEST_F(TableViewTest, DrawsTheRowsOnScreenOnly) {
  draw(shown(100'000'000'000));
  EXPECT_EQ(first_row_, 0u);
  EXPECT_LE(last_row_, kArea.height / 22);
  EXPECT_EQ(asked_, (Columns{0, 1, 2, 3}));
}

TEST_F(TableViewTest, WhereRoomIsShortTheLeastImportantColumnGoesFirst) {
  draw(shown(3, {0, 0, 32 + 500, 200}));
  EXPECT_EQ(asked_, (Columns{0, 1, 2, 3}));
  draw(shown(3, {0, 0, 32 + 450, 200}));
  EXPECT_EQ(asked_, (Columns{0, 1, 2}));
  draw(shown(3, {0, 0, 32 + 350, 200}));
  EXPECT_EQ(asked_, (Columns{0, 2}));
}

TEST_F(TableViewTest, ColumnsGetNarrowerBeforeTheyScroll) {
  for (TableColumn& column : columns_) column.importance = 0;
  const TableFrame narrow = shown(3, {0, 0, 32 + 430, 200});  // of 500
  draw(narrow);
  EXPECT_EQ(asked_, (Columns{0, 1, 2, 3}));
  ImGui::GetIO().MousePos = {100, 60};
  draw(narrow);
  ImGui::GetIO().MouseWheelH = -10;
  draw(narrow);
  ImGui::GetIO().MouseWheelH = 0;
  draw(narrow);
  EXPECT_TRUE(asked_.contains(0)) << "all fit";
}

TEST_F(TableViewTest, WhatCannotBeLeftOutScrollsSideways) {
  for (TableColumn& column : columns_) column.importance = 0;
  const TableFrame narrow = shown(3, {0, 0, 232, 200});
  draw(narrow);
  EXPECT_FALSE(asked_.contains(3));
  ImGui::GetIO().MousePos = {100, 60};
  draw(narrow);
  ImGui::GetIO().MouseWheelH = -10;
  draw(narrow);
  ImGui::GetIO().MouseWheelH = 0;
  draw(narrow);
  EXPECT_TRUE(asked_.contains(3));
  EXPECT_FALSE(asked_.contains(0));
  EXPECT_EQ(clicked(180, 10, narrow).sort, 3u);
}

TEST_F(TableViewTest, TellsWhatIsClicked) {
  EXPECT_EQ(clicked(30, 10, shown(5)).sort, 0u);
  EXPECT_EQ(clicked(kArea.width - 30, 10, shown(5)).sort, 3u);
  EXPECT_EQ(clicked(100, 23 + 22 + 5, shown(5)).clicked, 1u);
  EXPECT_EQ(clicked(100, 23 + 5, shown(5), 1).right_clicked, 0u);
  EXPECT_FALSE(clicked(100, 23 + 6 * 22, shown(5)).clicked);
}

TEST_F(TableViewTest, BringsARowIntoSight) {
  table_.show_row(999'999);
  draw(shown(1'000'000));
  EXPECT_EQ(last_row_, 999'999u);
  table_.show_row(999'998);
  draw(shown(1'000'000));
  EXPECT_EQ(last_row_, 999'999u) << "it is in sight already";
  table_.show_row(10);
  draw(shown(1'000'000));
  EXPECT_EQ(first_row_, 10u);
}

TEST_F(TableViewTest, TheBarScrollsThroughAllRows) {
  const TableFrame many = shown(1'000'000);
  ImGuiIO& io = ImGui::GetIO();
  io.MousePos = {kArea.width - 8, 23 + 5};
  draw(many);
  draw(many);
  io.MouseDown[0] = true;
  draw(many);
  io.MousePos.y = kArea.height + 50;
  draw(many);
  draw(many);
  io.MouseDown[0] = false;
  EXPECT_EQ(last_row_, 999'999u);
}

TEST_F(TableViewTest, DrawsInHardlyAnyRoomAndWithoutColumns) {
  for (const float size : {0.0f, 1.0f, 23.0f, 30.0f}) draw(shown(5, {0, 0, size, size}));
  columns_.clear();
  draw(shown(5));
  EXPECT_TRUE(asked_.empty());
}

TEST_F(TableViewTest, KeysGoFromRowToRow) {
  const TableFrame all = shown(1000);
  const auto press = [&](TableKey key) {
    table_.press(key);
    return draw(all);
  };
  draw(all);
  EXPECT_EQ(press(TableKey::down).reached, 0u);  // enters the table
  EXPECT_EQ(press(TableKey::down).reached, 1u);
  EXPECT_EQ(press(TableKey::up).reached, 0u);
  EXPECT_EQ(press(TableKey::up).reached, std::nullopt);
  const std::uint64_t page = *press(TableKey::page_down).reached;
  EXPECT_GT(page, 1u);
  EXPECT_LE(page, kArea.height / 22);
  EXPECT_EQ(press(TableKey::last).reached, 999u);
  EXPECT_EQ(last_row_, 999u);
  EXPECT_EQ(press(TableKey::page_up).reached, 999 - page);
  EXPECT_EQ(press(TableKey::first).reached, 0u);
  EXPECT_EQ(first_row_, 0u);
  EXPECT_EQ(press(TableKey::enter).entered, 0u);
  EXPECT_EQ(press(TableKey::space).checked, 0u);
  // Keys pressed within a frame are all taken.
  for (int i = 0; i < 3; ++i) table_.press(TableKey::down);
  EXPECT_EQ(draw(all).reached, 3u);
}

TEST_F(TableViewTest, KeysStartAtTheCurrentRowAndAtTheClickedOne) {
  TableFrame all = shown(100);
  all.is_current = [](std::uint64_t row) { return row == 3; };
  table_.set_focus(true);
  table_.press(TableKey::down);
  EXPECT_EQ(draw(all).reached, 4u);
  all.is_current = nullptr;
  EXPECT_EQ(clicked(100, 60, all).clicked, 1u);
  table_.press(TableKey::down);
  EXPECT_EQ(draw(all).reached, 2u);
}

TEST_F(TableViewTest, KeysFindNothingInATableWithoutRowsOrWithFewerThanBefore) {
  table_.press(TableKey::enter);
  const TableEvents none = draw(shown(0));
  EXPECT_FALSE(none.reached || none.entered);
  table_.press(TableKey::last);
  EXPECT_EQ(draw(shown(50)).reached, 49u);
  table_.press(TableKey::enter);
  EXPECT_EQ(draw(shown(2)).entered, 1u);
}

}  // namespace
}  // namespace cinderscope
