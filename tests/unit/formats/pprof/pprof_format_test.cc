#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "formats/all_formats.h"
#include "formats/pprof/frame_table.h"
#include "ingest/format/trace_source.h"
#include "tests/support/load.h"
#include "tests/support/source_dir.h"

namespace cinderscope {
namespace {

const Format& pprof_of_all() {
  return *format_named("pprof");
}

std::vector<std::byte> golden(const std::string& name) {
  return read_file(test::source_dir() + "/tests/golden/pprof/" + name + "/input.pb");
}

LoadedTrace loaded(const std::string& name, LoadOptions options = {}) {
  return load_trace(pprof_of_all(), Input::from_memory("unknown", golden(name)),
                    std::move(options));
}

Match match_of(std::string_view bytes) {
  return pprof_of_all().probe(Input::from_memory("unknown", bytes_of(bytes)));
}

RecordText described_call(const LoadedTrace& trace, std::string_view name) {
  for (const SliceRow& row : trace.timeline.tracks.at(0).root().rows) {
    for (std::uint64_t i = 0; i < row.count(); ++i) {
      const Slice slice = row.slice(i);
      if (trace.timeline.text(slice.name) != name) continue;
      return trace.source->describe(slice.record, slice.end_record);
    }
  }
  return {};
}

std::string fact(const RecordText& text, std::string_view name) {
  const auto found =
      std::ranges::find_if(text.facts, [&](const auto& each) { return each.first == name; });
  return found == text.facts.end() ? "" : found->second;
}

TEST(PprofFormat, IsRecognisedByTheShapeOfItsFields) {
  EXPECT_EQ(match_of({"\x0a\x04\x08\x01\x10\x02\x32\x00", 8}), Match::certain);
  EXPECT_EQ(match_of({"\x0a\x04\x08\x01\x10\x02", 6}), Match::certain);     // all there is
  EXPECT_EQ(match_of({"\x0a\x00\x32\x00", 4}), Match::no);                  // an empty type
  EXPECT_EQ(match_of({"\x0a\x04\x08\x01\x10\x02\x33\x00", 8}), Match::no);  // a group
  EXPECT_EQ(match_of({"\x0a\x04\x08\x01\x10\x02\x00\x00", 8}), Match::no);  // field 0
  EXPECT_EQ(match_of({"\x0a\x04\x0a\x00\x10\x02\x32\x00", 8}), Match::no);  // a text as type
  EXPECT_EQ(match_of({"\x0a\x04\x08\x01\x10\x02\x4d\x00\x00\x00\x00", 11}), Match::no);
  EXPECT_EQ(match_of({"\x0a\x04\x08\x01\x10\x02\x32\x7f", 8}), Match::certain);  // cut
  EXPECT_EQ(match_of("text"), Match::no);
  EXPECT_EQ(match_of(""), Match::no);
}

TEST(PprofFormat, LaysOutByTheWeightThatIsWanted) {
  const Timeline usual = loaded("plain").timeline;
  EXPECT_EQ(usual.axis.word(), "nanoseconds");
  EXPECT_EQ(usual.weight, 1u);
  EXPECT_EQ(usual.slices_end_ns, 40);
  const Timeline samples = loaded("plain", {.weight = "samples"}).timeline;
  EXPECT_EQ(samples.axis.word(), "count");
  EXPECT_EQ(samples.slices_end_ns, 4);
}

TEST(PprofFormat, TellsWhatACallIsMadeOf) {
  const LoadedTrace trace = loaded("plain");
  const RecordText parse = described_call(trace, "parse");
  EXPECT_EQ(fact(parse, "file"), "parse.c");
  EXPECT_EQ(fact(parse, "line"), "33 (2 samples)");
  EXPECT_EQ(fact(parse, "module"), "/usr/bin/shop");
  EXPECT_EQ(fact(parse, "build id"), "abc123");
  EXPECT_EQ(fact(parse, "address"), "0x1020");
  EXPECT_EQ(fact(parse, "inlined"), "yes");
  EXPECT_EQ(fact(described_call(trace, "serve"), "inlined"), "");
  EXPECT_EQ(fact(described_call(loaded("negative"), "main"), "signed weight"), "5");
}

TEST(PprofFormat, TellsTheLabelsOfAllSamplesInACall) {
  const LoadedTrace trace = loaded("labels");
  const auto values_of = [&](std::string_view call) {
    std::string text;
    for (const ArgsNode& node : described_call(trace, call).args.nodes) {
      if (node.kind == ArgsKind::array) text += node.key + ":";
      if (node.depth > 1) text += " " + node.value;
    }
    return text;
  };
  EXPECT_EQ(values_of("main"), "thread: a bthread weights: 50 10bytes: 64 bytesbytes weights: 20");
  EXPECT_EQ(values_of("read"), "thread: athread weights: 50bytes: 64 bytesbytes weights: 20");
}

TEST(PprofFormat, SimplifiesNamesForPatternsAsPprofDoes) {
  using pprof::name_for_patterns;
  EXPECT_EQ(name_for_patterns("f(int)"), "f");
  EXPECT_EQ(name_for_patterns(".f"), "f");
  EXPECT_EQ(name_for_patterns("(anonymous namespace)::f(int)"), "(anonymous namespace)::f");
  EXPECT_EQ(name_for_patterns("S::operator()(int) const"), "S::operator()");
  EXPECT_EQ(name_for_patterns("plain"), "plain");
}

TEST(PprofFormat, ShowsWhatIsWholeWhereverItIsCut) {
  for (const char* name : {"labels", "drop_frames"}) {
    const std::vector<std::byte> whole = golden(name);
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const std::vector<std::byte> part(whole.begin(),
                                        whole.begin() + static_cast<std::ptrdiff_t>(size));
      const auto source = pprof_of_all().open(Input::from_memory("unknown", part));
      ASSERT_TRUE(source);
      LoadContext context;
      const Result<Timeline> timeline = read_timeline(**source, context);
      if (timeline) {
        EXPECT_LE(timeline->slice_count, 20u) << size;
      }
    }
  }
}

TEST(PprofFormat, SurvivesAnyByteThatIsAnother) {
  const std::vector<std::byte> whole = golden("labels");
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const unsigned value : {0u, 0x7fu, 0xffu}) {
      std::vector<std::byte> bytes = whole;
      bytes[at] = std::byte{static_cast<unsigned char>(value)};
      const auto source = pprof_of_all().open(Input::from_memory("unknown", bytes));
      ASSERT_TRUE(source);
      LoadContext context;
      const Result<Timeline> timeline = read_timeline(**source, context);
      if (!timeline || timeline->tracks.empty()) continue;
      for (RecordOffset record = 0; record < (*source)->record_end(); ++record) {
        (*source)->describe(record, kNoRecord);
      }
    }
  }
}

TEST(PprofFormat, RefusesTwoProfilesInOneFile) {
  std::vector<std::byte> twice = golden("notes");
  const std::vector<std::byte> again = twice;
  twice.insert(twice.end(), again.begin(), again.end());
  const auto source = pprof_of_all().open(Input::from_memory("unknown", twice));
  ASSERT_TRUE(source);
  LoadContext context;
  const Result<Timeline> timeline = read_timeline(**source, context);
  ASSERT_FALSE(timeline);
  EXPECT_NE(timeline.error().text.find("two profiles"), std::string::npos);
}

TEST(PprofFormat, ColoursFunctionsThatAreInlinedWhereverTheyAreCalled) {
  const Timeline timeline = loaded("plain").timeline;
  ASSERT_EQ(timeline.legend.size(), 1u);
  EXPECT_EQ(timeline.legend[0].text, "inlined");
  const auto hash = [&](std::string_view name) {
    return timeline.strings->hash(*timeline.strings->find(name));
  };
  EXPECT_EQ(hash("parse"), timeline.legend[0].colour);
  EXPECT_EQ(hash("serve"), stable_hash("serve"));
}

// Messages of protobuf, as few bytes as can be.
std::string varint_text(std::uint64_t value) {
  std::string out;
  for (; value > 0x7f; value >>= 7) out += static_cast<char>((value & 0x7f) | 0x80);
  return out + static_cast<char>(value);
}
std::string message_text(int field, const std::string& body) {
  return varint_text(static_cast<std::uint64_t>(field) << 3 | 2) + varint_text(body.size()) + body;
}
std::string number_field(int field, std::uint64_t value) {
  return varint_text(static_cast<std::uint64_t>(field) << 3) + varint_text(value);
}
std::string many(std::size_t count, const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += text;
  return out;
}

LoadedTrace loaded_bytes(const std::string& bytes) {
  return load_trace(pprof_of_all(), Input::from_memory("unknown", bytes_of(bytes)));
}

// A thousand stacks, each of a location with 5000 inlined frames, in 40 KB.
TEST(PprofFormat, LimitsTheFramesOfAFile) {
  const std::string type = message_text(1, number_field(1, 1) + number_field(2, 1));
  const std::string location =
      message_text(4, number_field(1, 1) + many(5000, message_text(4, number_field(1, 1))));
  const std::string sample = message_text(2, message_text(1, "\1") + message_text(2, "\1"));
  const Timeline timeline = loaded_bytes(type + many(1000, sample) + location +
                                         message_text(5, number_field(1, 1) + number_field(2, 1)) +
                                         message_text(6, "") + message_text(6, "f"))
                                .timeline;
  EXPECT_EQ(timeline.slice_count, 5000u);
  EXPECT_EQ(timeline.sample_count, 1000u);
  EXPECT_TRUE(timeline.diagnostics.by_code().contains("samples_cut"));
}

// A name of a megabyte, which thousands of functions, mappings, types, comments and labels have.
TEST(PprofFormat, LooksOnceAtATextThatManyHave) {
  constexpr std::size_t kMany = 5000;
  std::string bytes = message_text(1, number_field(1, 1) + number_field(2, 1));
  for (std::size_t i = 1; i <= kMany; ++i) {
    bytes += message_text(5, number_field(1, i) + number_field(2, 1) + number_field(4, 2));
    bytes += message_text(3, number_field(1, i) + number_field(5, 1));
    bytes += message_text(4, number_field(1, i) + number_field(2, i) + number_field(3, i));
    bytes += message_text(1, number_field(1, 1));
    const std::string label = number_field(1, i % 3) + number_field(2, 1);
    bytes += message_text(2, message_text(1, varint_text(i)) + message_text(2, varint_text(1)) +
                                 message_text(3, label));
  }
  bytes += message_text(13, std::string(kMany, '\1')) + number_field(7, 3);
  bytes += message_text(6, "") + message_text(6, std::string(1 << 20, 'n')) + message_text(6, "f");
  bytes += message_text(6, "x.*y");
  const LoadedTrace trace = loaded_bytes(bytes);
  EXPECT_EQ(trace.timeline.weights.size(), 1000u);
  std::size_t note_bytes = 0;
  for (const TraceNote& note : trace.timeline.notes) note_bytes += note.text.size();
  EXPECT_LT(note_bytes, 4'000'000u);
}

TEST(PprofFormat, ShowsFramesThatItsPatternsLeaveOutIfThatIsWanted) {
  const LoadedTrace usual = loaded("drop_frames"),
                    all = loaded("drop_frames", {.dropped_frames = true});
  EXPECT_GT(all.timeline.slice_count, usual.timeline.slice_count);
  const auto dropped = [](const LoadedTrace& trace) {
    for (const auto& [key, value] : trace.source->details()) {
      if (key == "dropped_frames") return value;
    }
    return std::string();
  };
  EXPECT_NE(dropped(usual), "0");
  EXPECT_EQ(dropped(all), "0");
}

}  // namespace
}  // namespace cinderscope
