#include "formats/firefox/profile_texts.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "formats/all_formats.h"
#include "tests/support/load.h"

namespace cinderscope {
namespace {

TEST(FirefoxTexts, HaveANumberEach) {
  firefox::ProfileTexts texts;
  const std::string raw = R"("caf\u00e9")", again = R"("café")";
  const firefox::TextNumber number = texts.number_of_raw(raw);
  EXPECT_EQ(texts.text(number), "café");
  EXPECT_EQ(texts.number_of_raw(raw), number);
  EXPECT_EQ(texts.number_of_raw(again), number);  // elsewhere
  EXPECT_EQ(texts.number_of("café"), number);
  EXPECT_EQ(texts.number_of_raw({}), firefox::kEmptyText);
  EXPECT_EQ(texts.number_of(""), firefox::kEmptyText);
  EXPECT_NE(texts.number_of("b"), number);
  EXPECT_EQ(texts.size(), 3u);
}

std::string column(std::size_t rows, std::string_view value) {
  std::string out = "[";
  for (std::size_t i = 0; i < rows; ++i) {
    out += i == 0 ? "" : ",";
    out += value == "#" ? fmt::to_string(i) : value;
  }
  return out + "]";
}

// Functions, files, modules and markers of all threads have the same name, which is a megabyte
// long; and texts are shared, while threads have tables of their own (versions 58 and 59).
TEST(FirefoxTexts, AreLookedAtOnceHoweverManyHaveThem) {
  constexpr std::size_t kFunctions = 3000, kThreads = 300;
  const std::string many = fmt::to_string(kFunctions);
  const std::string tables = fmt::format(
      R"("funcTable":{{"length":{0},"name":{1},"fileName":{1},"resource":{1},"lineNumber":{2}}},)"
      R"("resourceTable":{{"length":1,"name":[0]}},"frameTable":{{"length":1,"func":[7]}},)"
      R"("stackTable":{{"length":1,"frame":[0],"prefix":[null]}})",
      many, column(kFunctions, "0"), column(kFunctions, "#"));
  std::string text = fmt::format(
      R"({{"meta":{{"preprocessedProfileVersion":58,"interval":1,"startTime":0}},"libs":[],)"
      R"("shared":{{"stringArray":["{}","b"]}},"threads":[)",
      std::string(1 << 20, 'n'));
  for (std::size_t i = 0; i < kThreads; ++i) {
    text += fmt::format(
        R"({}{{"name":"T","pid":"1","tid":{},"samples":{{"length":1,"stack":[0],"time":[1]}},)"
        R"("markers":{{"length":1,"name":[0],"startTime":[1],"endTime":[2],"phase":[1]}},{}}})",
        i == 0 ? "" : ",", i,
        i == 0 ? tables
               : R"("funcTable":{"length":1,"name":[0]},"frameTable":{"length":1,"func":[0]},)"
                 R"("stackTable":{"length":1,"frame":[0],"prefix":[null]})");
  }
  const LoadedTrace trace =
      load_trace(*format_named("firefox"), Input::from_memory("unknown", bytes_of(text + "]}")));
  EXPECT_EQ(trace.timeline.slice_count, kThreads);
  EXPECT_EQ(trace.timeline.async_slice_count, kThreads);
  // The name itself, and the begin of it for each track.
  EXPECT_LT(trace.timeline.strings->kept_bytes(), 4u << 20);
  const SliceRow& row = trace.timeline.tracks.at(0).root().rows.at(0);
  EXPECT_EQ(trace.timeline.text(row.slice(0).name).size(), 1u << 20);
}

}  // namespace
}  // namespace cinderscope
