#include "app/convert/estimate.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <string>

#include "app/convert/open_inputs.h"
#include "formats/all_writers.h"
#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

// Threads whose records differ: short ones first, long ones behind, counters and instants between.
std::string uneven_trace() {
  std::string text = "{\"traceEvents\":[";
  const auto add = [&](const std::string& event) {
    if (text.back() != '[') text += ",\n";
    text += event;
  };
  for (int i = 0; i < 30'000; ++i) {
    add(fmt::format(R"({{"ph":"X","pid":1,"tid":1,"name":"f{}","ts":{},"dur":2}})", i % 7, 3 * i));
    if (i % 3 == 0) {
      add(fmt::format(
          R"({{"ph":"X","pid":1,"tid":2,"name":"a long name of a call, number {}","ts":{},"dur":5,)"
          R"("args":{{"path":"/a/path/of/some/length/{}","again":"{}"}}}})",
          i, 3 * i, i, std::string(static_cast<std::size_t>(i % 300), 'x')));
    }
    if (i % 5 == 0) {
      add(fmt::format(R"({{"ph":"C","pid":1,"name":"bytes","ts":{},"args":{{"used":{}}}}})", 3 * i,
                      i));
    }
    if (i % 10 == 0) {
      add(fmt::format(R"({{"ph":"i","pid":1,"tid":1,"name":"tick","ts":{}}})", 3 * i));
    }
  }
  return text + "]}";
}

TEST(EstimateTest, IsWithinAFifthOfWhatIsWritten) {
  const TempDir folder;
  const std::vector<MergeFile> files = {{folder.write("uneven.json", uneven_trace()).string(), {}}};
  LoadOptions load;
  load.for_writing = true;
  LoadContext context(load);
  const Result<OpenedTrace> trace = open_inputs(files, context);
  ASSERT_TRUE(trace);
  const auto time = [](std::int64_t ns) {
    TypedTime typed;
    typed.ns = ns;
    typed.has_unit = true;
    return typed;
  };
  for (const TraceWriter* writer : all_writers()) {
    for (const bool all : {true, false}) {
      ConvertRequest request{
          .out = (folder.path() / fmt::format("{}{}", all, writer->ending())).string(),
          .from = {},
          .to = {}};
      request.writer = writer;
      request.args = writer->name() != "json" || all;  // without: in the plain form
      if (!all) request.from = time(20'000'000);
      if (!all) request.to = time(70'000'000);
      const Result<Foreseen> foreseen = foresee(input_of(*trace, files), request, context);
      ASSERT_TRUE(foreseen) << writer->name();
      const Result<Converted> written = convert(input_of(*trace, files), request, context);
      ASSERT_TRUE(written) << writer->name() << written.error().text;
      const double share =
          static_cast<double>(foreseen->bytes) / static_cast<double>(written->bytes);
      EXPECT_LT(std::abs(share - 1), 0.2)
          << writer->name() << ' ' << foreseen->bytes << " for " << written->bytes;
      EXPECT_EQ(foreseen->slices, written->losses.slices()) << writer->name();
      // Where as much is free, nothing is estimated.
      const PartReader part(trace->timeline, trace->source.get(), {}, context);
      EXPECT_GT(ample_bytes(part), written->bytes) << writer->name();
      EXPECT_LT(ample_bytes(part), 100'000'000u);
    }
  }
}

TEST(EstimateTest, SaysWhatAFormatHasNoPlaceFor) {
  const TempDir folder;
  const std::vector<MergeFile> files = {{folder.write("uneven.json", uneven_trace()).string(), {}}};
  LoadContext context;
  const Result<OpenedTrace> trace = open_inputs(files, context);
  ASSERT_TRUE(trace);
  ConvertRequest request{.out = "x.spall", .from = {}, .to = {}};
  request.writer = writer_named("spall");
  const Result<Foreseen> foreseen = foresee(input_of(*trace, files), request, context);
  ASSERT_TRUE(foreseen);
  const std::string lost = foreseen->losses.lost_sentence("x.spall");
  EXPECT_NE(lost.find("3 000 instants"), std::string::npos) << lost;
  EXPECT_NE(lost.find("6 000 counter values"), std::string::npos) << lost;
}

TEST(EstimateTest, RefusesWhatWouldNotBeWritten) {
  const TempDir folder;
  const std::string two = R"([{"ph":"X","pid":1,"tid":1,"name":"a","ts":0,"dur":1},)"
                          R"({"ph":"X","pid":2,"tid":1,"name":"a","ts":0,"dur":1}])";
  const std::vector<MergeFile> files = {{folder.write("two.json", two).string(), {}}};
  LoadContext context;
  const Result<OpenedTrace> trace = open_inputs(files, context);
  ASSERT_TRUE(trace);
  ConvertRequest request{.out = "x.tsd", .from = {}, .to = {}};
  request.writer = writer_named("tsd");
  EXPECT_FALSE(foresee(input_of(*trace, files), request, context));
  request.out = "folder";
  EXPECT_TRUE(foresee(input_of(*trace, files), request, context));
}

}  // namespace
}  // namespace cinderscope
