#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "render/pictures/panel_picture.h"

namespace cinderscope {
namespace {

class TablePictureTest : public testing::Test {
 protected:
  TablePictureTest() {
    const auto strings = std::make_shared<StringPool>();
    table_.strings = strings;
    table_.row_count = 3;
    for (const std::uint32_t colour : {11u, 22u, 33u}) {
      const std::string text = "function " + std::to_string(colour);
      names_.push_back(strings->intern(text, text, colour));
    }
    table_.columns = {
        {.head = {.title = "Function"}, .texts = names_},
        {.head = {.title = "Longest", .kind = CellKind::duration, .hidden = true},
         .numbers = {1, 2, 3}},
        {.head = {.title = "Count", .kind = CellKind::number, .bar = true}, .numbers = {4, 8, 2}}};
    finish_columns(table_);
  }
  TablePicture picture() { return picture_of(table_, {1, 0, 2}, {}, 2); }

  ValueTable table_;
  std::vector<StringId> names_;
};

TEST_F(TablePictureTest, RowsAreInTheOrderThatIsAskedFor) {
  const TablePicture picture = this->picture();
  ASSERT_EQ(picture.row_count, 3u);
  ASSERT_EQ(picture.columns.size(), 2u);  // a hidden one is not shown
  EXPECT_TRUE(picture.columns[0].is_text);
  EXPECT_TRUE(picture.columns[1].bar && picture.columns[1].sorted);
  EXPECT_EQ(picture.text(0, 0), "function 22");
  EXPECT_EQ(picture.text(1, 1), "4");
  EXPECT_EQ(picture.share(0, 1), 1);
  EXPECT_EQ(picture.share(2, 1), 0.25);
}

TEST_F(TablePictureTest, NamesHaveTheirColours) {
  const TablePicture picture = this->picture();
  EXPECT_EQ(picture.name_hash(0), 22u);
  EXPECT_EQ(picture.name_hash(1), 11u);
  EXPECT_EQ(picture.name_hash(2), 33u);
}

TEST_F(TablePictureTest, RowsWithoutRoomAreLeftOut) {
  const auto texts_within = [&](float height_px) {
    DrawList list;
    const TextMeasure measure(built_in_fonts());
    PicturePen pen(list, measure, {});
    draw_table(picture(), pen, {0, 0}, 600, height_px);
    std::vector<std::string> texts;
    for (const PictureItem& item : list.items) {
      if (const auto* text = std::get_if<PictureText>(&item)) texts.push_back(text->text);
    }
    return texts;
  };
  const auto has = [](const std::vector<std::string>& texts, std::string_view text) {
    return std::ranges::find(texts, text) != texts.end();
  };
  EXPECT_TRUE(has(texts_within(0), "function 33"));
  const std::vector<std::string> few = texts_within(70);
  EXPECT_TRUE(has(few, "function 22"));
  EXPECT_FALSE(has(few, "function 33"));
}

}  // namespace
}  // namespace cinderscope
