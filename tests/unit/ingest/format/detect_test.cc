#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "ingest/format/format.h"
#include "tests/support/load.h"
#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

using namespace std::string_view_literals;

class FixedFormat : public Format {
 public:
  FixedFormat(std::string_view name, Match match) : name_(name), match_(match) {}
  std::string_view name() const override { return name_; }
  std::string_view description() const override { return name_; }
  Match probe(const Input&) const override { return match_; }
  Result<std::unique_ptr<TraceSource>> open(Input) const override { return Error{}; }

 private:
  std::string_view name_;
  Match match_;
};

// What is said about `content` when no format claims it.
std::string said_of(std::string_view content) {
  const FixedFormat none("A trace", Match::no);
  const auto format = detect({&none}, Input::from_memory("it", bytes_of(content)));
  return format ? "recognised" : format.error().text;
}

TEST(DetectTest, TakesTheSurestFormat) {
  const FixedFormat no("no", Match::no);
  const FixedFormat maybe("maybe", Match::maybe);
  const FixedFormat certain("certain", Match::certain);
  const Input input = Input::from_memory("x", bytes_of("x"));
  const auto first = detect({&no, &maybe, &certain}, input);
  ASSERT_TRUE(first);
  EXPECT_EQ((*first)->name(), "certain");
  const auto second = detect({&maybe, &no}, input);
  ASSERT_TRUE(second);
  EXPECT_EQ((*second)->name(), "maybe");
}

// Some of them look a little like a trace: that is no reason to try.
TEST(DetectTest, NamesProfilesThatItDoesNotRead) {
  const FixedFormat maybe("maybe", Match::maybe);
  const FixedFormat certain("certain", Match::certain);
  const auto said = [&](std::string_view content) {
    const auto format = detect({&maybe}, Input::from_memory("it", bytes_of(content)));
    return format ? "recognised" : format.error().text;
  };
  EXPECT_NE(said(R"({"snapshot":{"meta":{}},"nodes":[1]})").find("heap snapshot"),
            std::string::npos);
  EXPECT_NE(said(R"({"profileJSON":{}})").find("Cleopatra"), std::string::npos);
  EXPECT_NE(said(R"({"dhatFileVersion":2,"mode":"rust"})").find("DHAT"), std::string::npos);
  EXPECT_NE(said(R"({"version":1,"mode":"cpu","frames":{},"raw":[]})").find("stackprof"),
            std::string::npos);
  EXPECT_NE(said(R"({"code":[],"functions":[],"ticks":[]})").find("log of V8"), std::string::npos);
  EXPECT_NE(said(R"({"version":1,"recording":{"sampleStackTraces":[]}})").find("Safari"),
            std::string::npos);
  EXPECT_NE(said("# callgrind format\nversion: 1\n").find("Callgrind"), std::string::npos);
  EXPECT_NE(said("positions: line\nevents: Ir\nfn=(1) main\n").find("Callgrind"),
            std::string::npos);
  for (const char* text : {"heap profile:  1: 2 [ 3: 4] @ x", "--- contention:\n", "--- threadz 1",
                           "goroutine profile: total 7\n"}) {
    EXPECT_NE(said(text).find("pprof -proto"), std::string::npos) << text;
  }
  EXPECT_NE(said("\0\0\0\0\3\0\0\0\0\0\0\0\x10\x27\0\0"sv).find("pprof -proto"), std::string::npos);
  EXPECT_NE(said("SIMPLEPERF\1").find("perf script"), std::string::npos);
  EXPECT_NE(said("JSLB01\r\n").find("Firefox"), std::string::npos);
  // What a format is sure of stays a trace, and so does an object with events.
  const Input input = Input::from_memory("it", bytes_of(R"({"snapshot":1})"));
  EXPECT_TRUE(detect({&maybe, &certain}, input));
  EXPECT_EQ(said(R"({"snapshot":1,"traceEvents":[]})"), "recognised");
  EXPECT_EQ(said(R"({"nodes":[]})"), "recognised");
}

TEST(DetectTest, SaysWhatTheFileIsInstead) {
  const auto is = [](std::string_view what) {
    return "\"it\" is not a trace: it is " + std::string(what) + ".";
  };
  EXPECT_EQ(said_of("\x89PNG\r\n\x1a\n...."), is("a PNG image"));
  EXPECT_EQ(said_of("\xff\xd8\xff\xe0"), is("a JPEG image"));
  EXPECT_EQ(said_of("GIF89a"), is("a GIF image"));
  EXPECT_EQ(said_of("\x7f"
                    "ELF\2\1\1"),
            is("an ELF program or library"));
  EXPECT_EQ(said_of("%PDF-1.7"), is("a PDF document"));
  EXPECT_EQ(said_of("PK\x03\x04"),
            is("a zip archive (or a jar); unpack it and open the trace inside"));
  EXPECT_EQ(said_of("\r\n<!DOCTYPE HTML><html>"),
            is("an HTML page (was a download page saved instead of the trace?)"));
  EXPECT_EQ(said_of("Dear reader,\n"), is("plain text"));
  EXPECT_EQ(said_of("{\"a\": 1}"), is("JSON, but without trace events"));
  EXPECT_EQ(said_of("\0\0\0\0"sv), is("nothing but zero bytes, as after a failed copy"));
  EXPECT_EQ(said_of("\1\2\3"), is("an unknown binary format (starts with 01 02 03)"));
  EXPECT_EQ(said_of(""), "\"it\" is empty (0 bytes).");
}

TEST(DetectTest, SaysWhatWasExpected) {
  const FixedFormat one("One", Match::no);
  const FixedFormat two("Two", Match::no);
  const FixedFormat three("Three", Match::no);
  const auto format = detect({&one, &two, &three}, Input::from_memory("x", bytes_of("x")));
  ASSERT_FALSE(format);
  EXPECT_EQ(format.error().code, ErrorCode::not_recognised);
  EXPECT_EQ(format.error().expected,
            "Cinderscope opens One, Two and Three traces, plain or compressed (gzip, zstd, lz4).");
}

TEST(DetectTest, SaysWhenPackedDataHoldNothing) {
  const std::string said = said_of("\x1f\x8b\x08\x00broken"sv);
  EXPECT_NE(said.find("Nothing could be read from \"it\""), std::string::npos) << said;
}

TEST(DetectTest, SaysThatAFolderHoldsNoTrace) {
  const TempDir dir;
  const FixedFormat none("A trace", Match::no);
  const auto empty = detect({&none}, *Input::from_path(dir.path()));
  ASSERT_FALSE(empty);
  EXPECT_NE(empty.error().text.find("has no files"), std::string::npos);
  dir.write("a", "x");
  const auto other = detect({&none}, *Input::from_path(dir.path()));
  ASSERT_FALSE(other);
  EXPECT_NE(other.error().text.find("has 1 file, and it is not a trace."), std::string::npos);
  dir.write("b", "x");
  const auto two = detect({&none}, *Input::from_path(dir.path()));
  ASSERT_FALSE(two);
  EXPECT_NE(two.error().text.find("has 2 files, and none of them is a trace."), std::string::npos);
}

}  // namespace
}  // namespace cinderscope
