// What a timeline of a recording holds that a dump of it does not show at a glance.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "formats/all_formats.h"
#include "tests/support/dump.h"
#include "tests/support/load.h"
#include "tests/support/open_input.h"
#include "tests/support/source_dir.h"
#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

namespace fs = std::filesystem;

LoadedTrace load_golden(const std::string& name) {
  const fs::path folder = fs::path(test::source_dir() + "/tests/golden/qubership") / name;
  const bool is_session = fs::exists(folder / "input.protocol");
  Result<Input> input = Input::from_path(folder / (is_session ? "input.protocol" : "input"));
  return load_trace(*format_named("qubership"), std::move(*input));
}

RecordText text_of(const LoadedTrace& trace, std::string_view name,
                   TrackKind kind = TrackKind::thread) {
  for (const Track& track : trace.timeline.tracks) {
    if (track.kind != kind) continue;
    for (const SliceRow& row : track.root().rows) {
      for (std::uint64_t i = 0; i < row.count(); ++i) {
        const Slice slice = row.slice(i);
        if (trace.timeline.text(slice.name) != name) continue;
        return trace.source->describe(slice.record, slice.end_record);
      }
    }
  }
  ADD_FAILURE() << "no slice " << name;
  return {};
}

std::string fact(const RecordText& text, std::string_view key) {
  const auto found = std::ranges::find(text.facts, key, [](const auto& f) { return f.first; });
  return found == text.facts.end() ? "" : found->second;
}

TEST(QubershipRecordingTest, SaysAllThatIsKnownOfARoot) {
  const LoadedTrace trace = load_golden("dump");
  const RecordText text = text_of(trace, "Main.run");
  EXPECT_EQ(fact(text, "Method"), "demo.Main.run(java.lang.String[],int)");
  EXPECT_EQ(fact(text, "Source"), "Main.java:12");
  EXPECT_EQ(fact(text, "Jar"), "demo.jar");
  EXPECT_EQ(text.cpu_ns, 12'000'000);
  EXPECT_EQ(fact(text, "Wait"), "-1 ms");
  EXPECT_EQ(fact(text, "Memory"), "25769803776 bytes allocated");
  EXPECT_EQ(fact(text, "Network read"), "68719476736 bytes");
  EXPECT_EQ(fact(text, "Logs generated"), "10 bytes");
  // By order: web.url is -1, web.method 5, sql 10; what the table does not know is 100.
  EXPECT_LT(text.args.raw.find("web.url"), text.args.raw.find("web.method"));
  EXPECT_LT(text.args.raw.find("web.method"), text.args.raw.find("\"sql\""));
  EXPECT_NE(text.args.raw.find("(missing: sql file 4, byte 0)"), std::string::npos);
  EXPECT_TRUE(text.texts.empty());  // what is missing is no statement
}

TEST(QubershipRecordingTest, FillsBoundValuesIntoTheirStatement) {
  const LoadedTrace trace = load_golden("dump");
  const RecordText text = text_of(trace, "Dao.find");
  ASSERT_EQ(text.texts.size(), 2u);
  EXPECT_EQ(text.texts[0].title, "SQL with its values");
  EXPECT_EQ(text.texts[0].text, "select a, '?'\nfrom t\nwhere id = 7\n  and b = 'it''s'");
  EXPECT_EQ(text.texts[1].title, "SQL");
  EXPECT_EQ(text.texts[1].text, "select a, '?'\nfrom t\nwhere id = ?\n  and b = ?");
}

std::string wire_text(std::string_view text) {
  std::string bytes(1, static_cast<char>(text.size()));
  for (const char c : text) (bytes += '\0') += c;
  return bytes;
}

// A call that noted these values of "sql" (0) and "binds" (1).
RecordText text_with(const std::vector<std::pair<int, std::string_view>>& values) {
  std::string trace;
  for (const std::uint64_t number : {1'700'000'000'000ULL, 7ULL, 1'700'000'000'000ULL}) {
    for (int shift = 56; shift >= 0; shift -= 8) trace += static_cast<char>(number >> shift & 0xff);
  }
  trace += std::string("\0\2", 2);
  for (const auto& [id, value] : values) {
    trace += {2, static_cast<char>(id), 0};
    trace += wire_text(value);
  }
  const TempDir folder;
  folder.write("dictionary.bin", wire_text("sql") + wire_text("binds") + wire_text("m"));
  folder.write("trace.0.bin", trace + "\1\3");
  return text_of(load_trace(*format_named("qubership"), opened(folder.path())), "m");
}

TEST(QubershipRecordingTest, ValuesThatDoNotFitStandApartFromTheirStatement) {
  const RecordText text = text_with({{0, "a = ? and b = 0"}, {1, "INT: a: 7\nTEXT: b: x\n"}});
  ASSERT_EQ(text.texts.size(), 2u);
  EXPECT_EQ(text.texts[0].title, "SQL");
  EXPECT_EQ(text.texts[0].text, "a = ?\n  and b = 0");
  EXPECT_EQ(text.texts[1].title, "Bound values, which do not fit: 2 for 1 placeholder");
  EXPECT_EQ(text.texts[1].text, "INT: a: 7\nTEXT: b: x");
}

TEST(QubershipRecordingTest, AStatementThatIsRunAgainHasItsOwnValues) {
  const RecordText text =
      text_with({{0, "a = ?"}, {1, "INT: a: 7\n"}, {1, "INT: a: 8\n"}, {0, "b = ?"}});
  ASSERT_EQ(text.texts.size(), 4u);
  EXPECT_EQ(text.texts[0].text, "a = 7");
  EXPECT_EQ(text.texts[1].text, "a = ?");
  EXPECT_EQ(text.texts[2].text, "a = 8");
  EXPECT_EQ(text.texts[3].title, "SQL");
  EXPECT_EQ(text.texts[3].text, "b = ?");
}

TEST(QubershipRecordingTest, ValuesOfAStatementThatIsMissingGoToNoOther) {
  const RecordText text =
      text_with({{0, "a = ?"}, {0, "(missing: sql file 4, byte 0)"}, {1, "INT: b: 7\n"}});
  ASSERT_EQ(text.texts.size(), 1u);
  EXPECT_EQ(text.texts[0].title, "SQL");
  EXPECT_EQ(text.texts[0].text, "a = ?");
}

TEST(QubershipRecordingTest, TheLastStatementThatIsShownHasItsValues) {
  const std::vector<std::string> sql = {"a", "b", "c", "d", "e", "f", "g", "h = ?", "i = ?"};
  std::vector<std::pair<int, std::string_view>> values;
  for (std::size_t i = 0; i < 8; ++i) values.emplace_back(0, sql[i]);
  values.emplace_back(1, "INT: h: 7\n");
  values.emplace_back(0, sql[8]);
  values.emplace_back(1, "INT: i: 8\n");
  const RecordText text = text_with(values);
  ASSERT_EQ(text.texts.size(), 8u);
  EXPECT_EQ(text.texts[7].title, "SQL with its values");
  EXPECT_EQ(text.texts[7].text, "h = 7");
}

TEST(QubershipRecordingTest, TellsWhenAnEventWasMovedForDrawing) {
  const LoadedTrace trace = load_golden("dump");
  EXPECT_EQ(fact(text_of(trace, "demo.Svc.render\u8a9e\ud55c\U0001f525"), "Recorded begin"),
            "1700000000044 ms (Unix time)");
  EXPECT_EQ(fact(text_of(trace, "Dao.find"), "Recorded begin"), "");
}

TEST(QubershipRecordingTest, NamesCallsAsTheProductDoes) {
  const LoadedTrace trace = load_golden("dump");
  const RecordText text = text_of(trace, "GET /orders/7?x=1", TrackKind::calls);
  EXPECT_EQ(fact(text, "Method"), "demo.Main.run(java.lang.String[],int)");
  EXPECT_NE(text.args.raw.find("\"user\": [\"a\", \"b\"]"), std::string::npos);
}

TEST(QubershipRecordingTest, IsTheSameFromASessionAndFromLooseStreams) {
  const auto text = [](const char* name) {
    const LoadedTrace trace = load_golden(name);
    std::string all = dump(trace.timeline, trace.source.get());
    // Who recorded it only the session knows.
    all.erase(0, all.find("\nthread"));
    for (const std::string_view pid : {"1700000000000/", "-/"}) {
      for (std::size_t at = 0; (at = all.find(pid, at)) != std::string::npos;) {
        all.erase(at, pid.size());
      }
    }
    return all.substr(0, all.find("\npauses of"));
  };
  EXPECT_EQ(text("session_v2"), text("session_v3"));
  EXPECT_EQ(text("session_v2").substr(0, text("session_v2").find("async of")),
            text("loose").substr(0, text("loose").find("async of")));
}

// The tag behind all of that is found without reading it.
TEST(QubershipRecordingTest, FindsTheLastTagsOfAVeryLongCall) {
  const auto number = [](std::uint64_t value) {
    std::string bytes;
    for (int shift = 56; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 0xff);
    return bytes;
  };
  constexpr std::uint64_t kMs = 1'700'000'000'000;
  std::string bytes = number(kMs) + number(7) + number(kMs);
  const auto append = [&](std::initializer_list<int> values) {
    for (const int value : values) bytes += static_cast<char>(value);
  };
  append({0, 1, 2, 5, 0, 1, 0, 'f'});  // enter 1, tag 5 = "f"
  for (int i = 0; i < 3'000'000; ++i) append({0, 2, 1});
  append({2, 6, 0, 1, 0, 'l', 1, 3});  // tag 6 = "l"
  const LoadedTrace trace =
      load_trace(*format_named("qubership"), Input::from_memory("trace.0.bin", bytes_of(bytes)));
  EXPECT_EQ(trace.timeline.slice_count, 3'000'001u);
  const RecordText text = text_of(trace, "#1");
  EXPECT_EQ(text.args.nodes.size(), 4u);
  EXPECT_NE(text.args.raw.find("\"#5\": \"f\""), std::string::npos);
  EXPECT_NE(text.args.raw.find("\"#6\": \"l\""), std::string::npos);
  EXPECT_TRUE(text.args.cut);
}

TEST(QubershipRecordingTest, OpensAMillionNestedCalls) {
  std::string bytes(8, '\0');
  bytes.replace(2, 2, "\x01\x8b");
  bytes += std::string(7, '\0') + '\1' + bytes.substr(0, 8);
  for (int i = 0; i < 1'000'000; ++i) bytes.append({'\0', '\1'});
  const LoadedTrace trace =
      load_trace(*format_named("qubership"), Input::from_memory("trace.0.bin", bytes_of(bytes)));
  EXPECT_EQ(trace.timeline.unfinished_count, 1'000'000u);
  EXPECT_EQ(trace.timeline.tracks[0].row_count, 1'000'000u);
}

TEST(QubershipRecordingTest, CarriesOnAfterACompressedFileBreaks) {
  const TempDir folder;
  fs::create_directory(folder.path() / "suspend");
  std::string data("\0\0\1\x8b\xcf\xe5\x68\0", 8);
  for (int i = 0; i < 50'000; ++i) data.append({static_cast<char>(i % 100 + 1), '\1'});
  const std::vector<std::byte> packed = gzipped(bytes_of(data));
  folder.write("suspend/000001.gz", std::span(packed).first(packed.size() / 2));
  Result<Input> input = Input::from_path(folder.path());
  ASSERT_TRUE(input);
  const LoadedTrace trace = load_trace(*format_named("qubership"), std::move(*input));
  EXPECT_GT(trace.timeline.async_slice_count, 1000u);
  EXPECT_TRUE(trace.timeline.diagnostics.by_code().contains("truncated_compression"));
}

}  // namespace
}  // namespace cinderscope
