#include "render/pictures/svg_writer.h"

#include <gtest/gtest.h>

#include <string>

#include "app/picture/picture_file.h"
#include "render/pictures/picture_pen.h"

namespace cinderscope {
namespace {

class SvgWriterTest : public ::testing::Test {
 protected:
  TextMeasure measure_{built_in_fonts()};
  DrawList list_;
  PicturePen pen_{list_, measure_, {}};

  // What follows the head.
  std::string body() {
    list_.width_px = 100;
    list_.height_px = 50;
    const std::string svg = svg_of(list_, measure_);
    return svg.substr(svg.find("</style>\n") + 9);
  }
};

TEST_F(SvgWriterTest, WritesNumbersWithAtMostTwoDecimals) {
  pen_.fill({1.0f, 2.5f, 3.25f, 1.0f / 3}, rgb(0x102030));
  EXPECT_EQ(body(),
            "<rect x=\"1\" y=\"2.5\" width=\"3.25\" height=\"0.33\" fill=\"#102030\"/>\n</svg>\n");
}

TEST_F(SvgWriterTest, GivesABoxItsTitle) {
  pen_.begin(PictureGroup::Kind::box, "a < b & \"c\"");
  pen_.fill({0, 0, 1, 1}, rgb(0xffffff, 51));
  pen_.end();
  EXPECT_EQ(body(),
            "<g><title>a &lt; b &amp; &quot;c&quot;</title><rect x=\"0\" y=\"0\" width=\"1\" "
            "height=\"1\" fill=\"#ffffff\" fill-opacity=\"0.2\"/>\n</g>\n</svg>\n");
}

TEST_F(SvgWriterTest, LeavesAGroupWithoutTitleOut) {
  pen_.begin(PictureGroup::Kind::box);
  pen_.fill({0, 0, 1, 1}, rgb(0));
  pen_.end();
  EXPECT_EQ(body().find("<g>"), std::string::npos);
}

TEST_F(SvgWriterTest, StartsTextThatRunsToTheLeftAtItsRightEnd) {
  const float width = pen_.text(PictureFont::words, 10, 20, rgb(0), "שלום");
  const std::string text = body();
  EXPECT_NE(text.find("direction=\"rtl\""), std::string::npos);
  EXPECT_NE(text.find(">שלום</text>"), std::string::npos) << "in logical order";
  EXPECT_EQ(text.find("x=\"10\""), std::string::npos);
  EXPECT_GT(width, 0);
}

// Else librsvg would move them together.
TEST_F(SvgWriterTest, SetsLettersOfSmallTablesApart) {
  pen_.text(PictureFont::words, 10, 20, rgb(0), "To <a é b");
  pen_.text(PictureFont::numbers, 10, 40, rgb(0), "12");
  const std::string text = body();
  EXPECT_NE(text.find(">T<tspan>o</tspan> &lt;<tspan>a</tspan> é b</text>"), std::string::npos)
      << text;
  EXPECT_NE(text.find(">12</text>"), std::string::npos);
  list_.items.clear();
  pen_.text(PictureFont::words, 10, 20, rgb(0), std::string(5000, 'x'));
  EXPECT_EQ(body().find("<tspan>"), std::string::npos);
  list_.items.clear();
  pen_.text(PictureFont::words, 10, 20, rgb(0), "To");
  pen_.begin(PictureGroup::Kind::box, "a");
  pen_.end();
  EXPECT_EQ(body().find("<tspan>"), std::string::npos);
}

TEST_F(SvgWriterTest, ReplacesWhatXmlForbids) {
  EXPECT_EQ(xml_text("a\x01z]]>"), "a\xEF\xBF\xBDz]]&gt;");
  EXPECT_EQ(xml_text("\xff\xEF\xBF\xBE\xF0\x9F\x98\x80"),
            "\xEF\xBF\xBD\xEF\xBF\xBD\xF0\x9F\x98\x80");
}

TEST_F(SvgWriterTest, ClosesWhatItOpens) {
  pen_.begin(PictureGroup::Kind::clip, {}, {0, 0, 5, 5});
  pen_.begin(PictureGroup::Kind::track, "a\"b");
  pen_.begin(PictureGroup::Kind::row);
  pen_.end();
  pen_.end();
  pen_.end();
  EXPECT_EQ(body(),
            "<clipPath id=\"c1\"><rect x=\"0\" y=\"0\" width=\"5\" height=\"5\"/></clipPath>\n"
            "<g clip-path=\"url(#c1)\">\n<g class=\"track\" data-name=\"a&quot;b\">\n"
            "<g class=\"row\">\n</g>\n</g>\n</g>\n</svg>\n");
}

TEST(TextMeasureTest, MeasuresByTheFontsThatAreBuiltIn) {
  const TextMeasure measure(built_in_fonts());
  const float one = measure.width(PictureFont::numbers, 10, "1");
  EXPECT_FLOAT_EQ(one, 6) << "600 of 1000 units";
  EXPECT_FLOAT_EQ(measure.width(PictureFont::numbers, 10, "1234"), 4 * one);
  EXPECT_LT(measure.width(PictureFont::words, 13, "iiii"),
            measure.width(PictureFont::words, 13, "WWWW"));
  EXPECT_EQ(measure.fit(PictureFont::numbers, 10, "12é4", 18.5f), 4u)
      << "bytes, at a character's end";
}

TEST(TextMeasureTest, KnowsWhichTextsRunToTheLeft) {
  EXPECT_TRUE(runs_to_the_left("(שלום) a"));
  EXPECT_FALSE(runs_to_the_left("12 a שלום"));
  EXPECT_FALSE(runs_to_the_left("42"));
}

}  // namespace
}  // namespace cinderscope
