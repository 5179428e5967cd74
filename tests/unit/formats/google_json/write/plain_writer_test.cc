#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/support/written.h"

namespace cinderscope {
namespace {

TEST(PlainWriterTest, KeepsACategoryHoweverLongItIs) {
  const std::string category(100, 'c');
  const LoadedTrace json =
      load_bytes("google_json", R"([{"name":"call","cat":")" + category +
                                    R"(","ph":"X","ts":1,"dur":5,"pid":7,"tid":9},
          {"name":"wait","cat":")" + category +
                                    R"(","ph":"b","id":1,"ts":1,"pid":7,"tid":9},
          {"name":"wait","cat":")" + category +
                                    R"(","ph":"e","id":1,"ts":3,"pid":7,"tid":9}])");
  // A thread stream's events are written anew, those of JSON copied.
  const LoadedTrace stream = load_bytes("thread_stream", written(json, *writer_named("tsd")).bytes);
  const std::string bytes = written(stream, *writer_named("json")).bytes;
  const std::size_t first = bytes.find('"' + category + '"');
  ASSERT_NE(first, std::string::npos) << bytes;
  EXPECT_NE(bytes.find('"' + category + '"', first + 1), std::string::npos) << bytes;
}

// Names that stay as they are, but could not: so a track is read in one walk.
class NamesThatStay final : public NameChanger {
 public:
  bool keeps(std::string_view) override { return true; }
  std::string_view changed(std::string_view name) override { return name; }
};

TEST(PlainWriterTest, PiecesAreWhatOneWalkGivesForAnyNumberOfJobs) {
  std::string json = "[";
  for (int i = 0; i < 50'000; ++i) {
    const int at = i / 2 * 10, thread = i % 2;
    json += fmt::format(R"({}{{"name":"n{}","cat":"c{}","ph":"X","ts":{},"dur":{},"tid":{})",
                        i == 0 ? "" : ",", i % 7, i % 3, at, i % 40 < 2 ? 95 : 5, thread);
    if (i % 3 == 0) json += fmt::format(R"(,"args":{{"i":{}}})", i);
    json += "}";
    if (i % 11 == 0)
      json += fmt::format(R"(,{{"name":"mark","ph":"i","ts":{},"tid":{}}})", at, thread);
    if (i % 13 == 0) {
      json += fmt::format(R"(,{{"name":"to","ph":"s","id":{},"ts":{},"tid":{}}})", i, at, thread);
      json += fmt::format(R"(,{{"name":"to","ph":"f","bp":"e","id":{},"ts":{},"tid":{}}})", i,
                          at + 3, 1 - thread);
    }
  }
  json += R"(,{"name":"\ud800","ph":"X","ts":3,"dur":1,"tid":0}])";
  const LoadedTrace trace = load_bytes("google_json", json);
  LoadContext context;
  const PartReader part(trace.timeline, nullptr, {}, context);
  ASSERT_GT(part.pieces_of(part.tracks().front(), 16384).size(), 1u);
  PartOptions options{.rewrite = true};
  const TraceWriter& writer = *writer_named("json");
  options.names = std::make_shared<NamesThatStay>();
  const Written one_walk = written(trace, writer, options);
  options.names = nullptr;
  for (const unsigned jobs : {1u, 4u}) {
    const Written pieces = written(trace, writer, options, jobs);
    EXPECT_TRUE(pieces.bytes == one_walk.bytes) << jobs;
    EXPECT_EQ(pieces.losses.sentence("f"), one_walk.losses.sentence("f"));
  }
}

}  // namespace
}  // namespace cinderscope
