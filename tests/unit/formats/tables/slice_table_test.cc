#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "tests/support/written.h"

namespace cinderscope {
namespace {

std::string table(std::string_view name, std::string_view json, const PartOptions& options = {}) {
  return written(load_bytes("google_json", json), *writer_named(name), options).bytes;
}

constexpr std::string_view kTrace =
    R"([{"name":"main","cat":"c,d","ph":"X","ts":1,"dur":10,"pid":7,"tid":1},
        {"name":"","ph":"X","ts":2,"dur":2,"pid":7,"tid":1},
        {"name":"x\ny","ph":"B","ts":8,"pid":7,"tid":2}])";

TEST(SliceTableTest, CsvHasARowForEachSlice) {
  EXPECT_EQ(table("csv", kTrace),
            "slice_id,trace_id,track_id,thread_id,process_id,ts,dur,ts_end,self_dur,depth,"
            "parent_slice_id,name_id,name,category,unfinished,overlapping,cut_begin,cut_end\n"
            "1,1,1,1,1,1000,10000,11000,8000,1,,2,main,\"c,d\",0,0,0,0\n"
            "2,1,1,1,1,2000,2000,4000,2000,2,1,1,\"\",,0,0,0,0\n"
            "3,1,2,2,1,8000,0,8000,0,1,,3,\"x\ny\",,1,0,0,0\n");
}

TEST(SliceTableTest, CategoriesThatAreNotToBeToldStayOut) {
  EXPECT_EQ(table("csv", kTrace, {.categories = false}).find("c,d"), std::string::npos);
}

TEST(SliceTableTest, CategoriesAreReadAsDetailsReadThem) {
  const std::string text = table("csv", R"([
    {"cat":"first","name":"a","ph":"X","ts":1,"dur":1,"args":{"cat":"inner"},"cat":"last"},
    {"c\u0061t":["x","y"],"name":"b","ph":"X","ts":2,"dur":1},
    {"cat":null,"name":"c","ph":"X","ts":3,"dur":1}])");
  EXPECT_NE(text.find(",a,last,"), std::string::npos) << text;
  EXPECT_NE(text.find(",b,\"x,y\","), std::string::npos) << text;
  EXPECT_NE(text.find(",c,,"), std::string::npos) << text;
}

TEST(SliceTableTest, ManyRowsAreTheSameWithAnyJobs) {
  std::string json = "[";
  for (int i = 0; i < 20'000; ++i) {
    json += (i == 0 ? "" : ",") + std::string(R"({"name":"n)") + std::to_string(i % 77) +
            R"(","cat":"k)" + std::to_string(i % 5) + R"(","ph":"X","ts":)" + std::to_string(i) +
            R"(,"dur":)" + std::to_string(i % 9) + R"(.5,"pid":7,"tid":)" + std::to_string(i % 2) +
            "}";
  }
  const LoadedTrace trace = load_bytes("google_json", json + "]");
  const std::string one = written(trace, *writer_named("csv"), {}, 1).bytes;
  EXPECT_EQ(written(trace, *writer_named("csv"), {}, 4).bytes, one);
  EXPECT_EQ(std::ranges::count(one, '\n'), 20'001);
}

// Names that stay as they are, but could not: so a track is read in one walk.
class KeptNames final : public NameChanger {
 public:
  bool keeps(std::string_view) override { return true; }
  std::string_view changed(std::string_view name) override { return name; }
};

TEST(SliceTableTest, PiecesAreWhatOneWalkGives) {
  std::string json = R"([{"name":"all","ph":"X","ts":0,"dur":500000,"pid":7,"tid":0})";
  for (int i = 0; i < 40'000; ++i) {
    const int at = i * 10, parts = i % 60 == 0 ? 599 : i % 6 == 0 ? 59 : 5 + i % 5;
    json +=
        fmt::format(R"(,{{"name":"n{}","cat":"k{}","ph":"X","ts":{},"dur":{},"pid":7,"tid":0}})",
                    i % 77, i % 5, at, parts);
  }
  const LoadedTrace trace = load_bytes("google_json", json + "]");
  LoadContext context;
  const PartReader part(trace.timeline, nullptr, {}, context);
  ASSERT_GT(part.pieces_of(part.tracks().front(), 8192).size(), 1u);
  const TraceWriter& writer = *writer_named("csv");
  for (const PartOptions& whole :
       {PartOptions{}, PartOptions{.zero = true},
        PartOptions{.from = 77'777'777, .to = 333'333'333},
        PartOptions{.from = 77'777'777, .to = 333'333'333, .edges = RangeEdges::whole}}) {
    PartOptions options = whole;
    options.names = std::make_shared<KeptNames>();
    const std::string one_walk = written(trace, writer, options).bytes;
    EXPECT_GT(std::ranges::count(one_walk, '\n'), 20'000);
    for (const unsigned jobs : {1u, 3u}) {
      EXPECT_TRUE(written(trace, writer, whole, jobs).bytes == one_walk) << jobs;
    }
  }
}

TEST(SliceTableTest, TsvHasNoLineBreaksInFields) {
  const std::string text = table("tsv", kTrace);
  EXPECT_NE(text.find("\tx y\t"), std::string::npos);
  EXPECT_EQ(std::ranges::count(text, '\n'), 4);
}

TEST(SliceTableTest, JsonLinesSayWhatIsNotThere) {
  const std::string text = table("jsonl", kTrace);
  EXPECT_TRUE(text.starts_with(
      R"({"slice_id":1,"trace_id":1,"track_id":1,"thread_id":1,"process_id":1,"ts":1000,)"
      R"("dur":10000,"ts_end":11000,"self_dur":8000,"depth":1,"parent_slice_id":null,)"
      R"("name_id":2,"name":"main","category":"c,d","unfinished":0,"overlapping":0,)"
      R"("cut_begin":0,"cut_end":0})"))
      << text;
}

TEST(SliceTableTest, APartHasItsOwnSelfTimesAndMarks) {
  const std::string text = table("csv", kTrace, {.from = 3'000, .to = 9'000});
  EXPECT_NE(text.find("1,1,1,1,1,3000,6000,9000,5000,1,,2,main,\"c,d\",0,0,1,1\n"),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace cinderscope
