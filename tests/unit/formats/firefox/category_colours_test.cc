#include "formats/firefox/category_colours.h"

#include <gtest/gtest.h>

#include <string>

#include "formats/all_formats.h"
#include "tests/support/load.h"

namespace cinderscope {
namespace {

// main (Other) calls draw and wait, and draw calls inner, which tells no category; "rest" has one
// that is not there.
constexpr std::string_view kCategories =
    R"({"meta":{"preprocessedProfileVersion":70,"interval":1,"startTime":0,"categories":[)"
    R"({"name":"Idle","color":"transparent"},{"name":"Other","color":"grey"},)"
    R"({"name":"Graphics","color":"green"},{"name":"Unused","color":"red"}]},"libs":[],)"
    R"("shared":{"stringArray":["main","draw","wait","rest","inner"],)"
    R"("stackTable":{"length":5,"frame":[0,1,2,3,4],"prefixOffset":[0,1,2,0,3]},)"
    R"("frameTable":{"length":5,"func":[0,1,2,3,4],"category":[1,2,0,9,null]},)"
    R"("funcTable":{"length":5,"name":[0,1,2,3,4],"isJS":[false,false,false,false,false]}},)"
    R"("threads":[{"name":"T","pid":"1","tid":1,"samples":{"length":3,"stack":[1,2,3],)"
    R"("time":[0,1,2]},"markers":{"length":0}}]})";

LoadedTrace loaded_by(bool category) {
  return load_trace(*format_named("firefox"), Input::from_memory("unknown", bytes_of(kCategories)),
                    {.names = {.colours_by_package = category}});
}

std::uint32_t colour_of(const Timeline& timeline, std::string_view name) {
  for (std::uint32_t i = 0; i < timeline.strings->size(); ++i) {
    if (timeline.text(StringId{i}) == name) return timeline.strings->colour(StringId{i});
  }
  ADD_FAILURE() << "no name " << name;
  return 0;
}

TEST(FirefoxCategories, ColourFunctionsWhereThatIsWanted) {
  const Timeline timeline = loaded_by(true).timeline;
  EXPECT_EQ(colour_of(timeline, "main"), firefox::colour_of_category("grey"));
  EXPECT_EQ(colour_of(timeline, "draw"), firefox::colour_of_category("green"));
  EXPECT_EQ(colour_of(timeline, "inner"), firefox::colour_of_category("green"));  // its caller's
  EXPECT_EQ(colour_of(timeline, "wait"), firefox::colour_of_category("transparent"));
  EXPECT_EQ(colour_of(timeline, "rest"), colour_from_hash(stable_hash("rest")));
  std::string legend;
  for (const LegendEntry& entry : timeline.legend) legend += entry.text + " " + entry.search + ";";
  EXPECT_EQ(legend, R"(Idle cat:"Idle";Other cat:"Other";Graphics cat:"Graphics";)");
}

TEST(FirefoxCategories, ElseColoursAreThoseOfNames) {
  const LoadedTrace trace = loaded_by(false);
  EXPECT_EQ(colour_of(trace.timeline, "draw"), colour_from_hash(stable_hash("draw")));
  ASSERT_EQ(trace.timeline.legend.size(), 1u);  // what is idle is told in any case
  EXPECT_EQ(trace.timeline.legend[0].search, "cat:\"Idle\"");
  EXPECT_TRUE(trace.source->has_group_colours());
}

TEST(FirefoxCategories, HaveColoursOfTheRing) {
  for (const char* word : {"transparent", "purple", "green", "orange", "yellow", "lightblue",
                           "blue", "brown", "magenta", "red", "lightred", "darkgrey", "grey"}) {
    EXPECT_LT(firefox::colour_of_category(word), kColourCount) << word;
  }
  EXPECT_EQ(firefox::colour_of_category("plaid"), firefox::colour_of_category("grey"));
}

}  // namespace
}  // namespace cinderscope
