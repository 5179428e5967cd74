#include "formats/google_json/event_scanner.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace cinderscope::google_json {
namespace {

constexpr std::string_view kUsual =
    R"({"ph":"X","pid":1000,"tid":5000,"ts":1000022.966,"dur":3,"cat":"gen","name":"ui::emit#5","args":{"id":9142,"kind":"warm","l":[1,{"a":[]}]}})";

// Padded as an Input is.
bool scan(EventScanner& scanner, const std::string& text, RawEvent& out) {
  const std::string padded = text + std::string(64, '\0');
  return scanner.scan(padded.data(), static_cast<std::uint32_t>(text.size()), out);
}

bool scan(const std::string& text, RawEvent& out) {
  EventScanner scanner;
  return scan(scanner, text, out);
}

bool scans(const std::string& text) {
  RawEvent event;
  return scan(text, event);
}

std::string_view value(const std::string& text, const RawEvent& event, Key key) {
  if (!event.has(key)) return "(none)";
  std::string_view value = std::string_view(text).substr(event[key].begin);
  value = value.substr(0, event[key].end - event[key].begin);
  while (!value.empty() && static_cast<unsigned char>(value.back()) <= 0x20) value.remove_suffix(1);
  return value;
}

TEST(EventScannerTest, FindsTheValuesOfAUsualEvent) {
  const std::string text(kUsual);
  RawEvent event;
  ASSERT_TRUE(scan(text + R"(,{"ph":"E"})", event));
  EXPECT_EQ(event.end, text.size());
  EXPECT_EQ(value(text, event, Key::phase), "\"X\"");
  EXPECT_EQ(value(text, event, Key::time), "1000022.966");
  EXPECT_EQ(value(text, event, Key::name), "\"ui::emit#5\"");
  EXPECT_EQ(value(text, event, Key::args), R"({"id":9142,"kind":"warm","l":[1,{"a":[]}]})");
  EXPECT_FALSE(event.has(Key::id));
}

TEST(EventScannerTest, KnowsEveryKeyByItsLength) {
  for (const char* key : {"ph", "name", "ts",    "dur",    "pid", "tid",     "cat",     "args",
                          "id", "id2",  "scope", "s",      "bp",  "bind_id", "flow_in", "flow_out",
                          "sf", "esf",  "stack", "estack", "tts", "tdur",    "unknown"}) {
    const std::string text = std::string("{\"") + key + "\" : 7 }";
    RawEvent event;
    ASSERT_TRUE(scan(text, event)) << key;
    EXPECT_EQ(event.end, text.size()) << key;
    EXPECT_EQ(value(text, event, key_from_text(key)), "7") << key;
  }
}

TEST(EventScannerTest, ReadsBlanksEscapesAndTrailingCommas) {
  EXPECT_TRUE(
      scans("{ \"name\" :\t\"a \\\" b\\\\\" ,\r\n \"args\" : { \"x\" : [ 1 , 2 , ] , } , }"));
  EXPECT_TRUE(scans("{}"));
  EXPECT_TRUE(scans(R"({"dur":NaN,"ts":-1.5e+3,"x":null})"));
}

TEST(EventScannerTest, LeavesToTheWalkerWhatIsDamagedOrRare) {
  for (const char* text :
       {R"({"a":1)", R"({"a":"x)", R"({"a":})", R"({"a":1 2})", R"({"a":1,,"b":2})", R"({"a"})",
        R"({"a":[1}})", R"({"a":{"b"}})", R"({"a":[,]})", R"({"a":"x"y})", R"({"na\u006de":"x"})",
        R"({,})", R"({"a":1]})", R"({"a":\1})"}) {
    EXPECT_FALSE(scans(text)) << text;
  }
  EXPECT_TRUE(scans("{\"args\":" + std::string(64, '[') + std::string(64, ']') + "}"));
  EXPECT_FALSE(scans("{\"args\":" + std::string(65, '[') + std::string(65, ']') + "}"));
}

TEST(EventScannerTest, TakesNothingBehindItsBytes) {
  const std::string text(kUsual);
  EventScanner knowing;
  RawEvent event;
  ASSERT_TRUE(scan(knowing, text, event));
  for (std::uint32_t size = 1; size < text.size(); ++size) {
    const std::string padded = text + std::string(64, '\0');
    EventScanner scanner;
    EXPECT_FALSE(scanner.scan(padded.data(), size, event)) << size;
    EXPECT_FALSE(knowing.scan(padded.data(), size, event)) << size;
  }
}

TEST(EventScannerTest, SaysTheSameWhateverItReadBefore) {
  const std::vector<std::string> texts = {
      std::string(kUsual),
      R"({"ph":"X","pid":1000,"tid":5000,"ts":7,"dur":3,"cat":"gen","name":"b","args":{}})",
      R"({"ph":"X","pid":10,"tid":50001,"ts":7,"dur":3,"cat":"gene","name":"b","args":{"id":1}})",
      R"({"ph":"X","pid":1000 ,"tid":  5000,"ts":7,"dur":3 })",
      R"({"ph":"E","pid":1000,"tid":5000,"ts":7,"args":{"id":9142,"kind":{"a":1}}})",
      R"({ "ph": "X", "pid": 1000, "tid": 5000, "ts": 7, "args": { "id": 9142, "kind": "warm" } })",
      R"({"args":{"id":9142,},"cat":"gen","ph":"X","pid":1000,"tid":5000,"s":"t","s":"g"})",
      R"({"a key that is longer than what is remembered of a gap":1,"ph":"X","pid":10005})",
      R"({"ph":"XY","pid":"1000","tid":[5000],"ts":{},"unknown":"","args":7})",
      R"({"ph":"","pid":1000})",
      "{}"};
  std::mt19937 random(3);
  EventScanner knowing;
  for (int round = 0; round < 5'000; ++round) {
    const std::string& text = texts[random() % texts.size()];
    RawEvent fresh, known;
    ASSERT_TRUE(scan(text, fresh)) << text;
    ASSERT_TRUE(scan(knowing, text, known)) << text;
    ASSERT_EQ(known.end, fresh.end) << text;
    ASSERT_EQ(known.present, fresh.present) << text;
    for (unsigned key = 0; key < kKeyCount; ++key) {
      ASSERT_EQ(value(text, known, Key(key)), value(text, fresh, Key(key))) << text;
    }
  }
}

// A file that shrank reads as zeros; nothing of them is what was read before.
TEST(EventScannerTest, ReadsZerosAsNothingKnown) {
  const std::string text = "{" + std::string(200, '\0');
  EventScanner scanner;
  RawEvent event;
  EXPECT_FALSE(scan(scanner, text, event));
  ASSERT_TRUE(scan(scanner, std::string(kUsual), event));
  EXPECT_FALSE(scan(scanner, text, event));
}

// Wherever it says yes, the walker finds the same event.
TEST(EventScannerTest, AgreesWithTheWalkerOnDamagedEvents) {
  std::mt19937 random(1);
  constexpr std::string_view kBytes = "\"\\{}[]:,. 0az\n\x80";
  IndexedBlock block;
  EventWalker walker;
  EventScanner scanner;
  int read = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string text(kUsual);
    for (auto changes = random() % 3; changes > 0; --changes) {
      text[1 + random() % (text.size() - 1)] = kBytes[random() % kBytes.size()];
    }
    RawEvent scanned, walked;
    if (!scan(scanner, text, scanned)) continue;
    ++read;
    ASSERT_TRUE(block.index(text));
    ASSERT_EQ(walker.walk(block, 0, walked), Walk::whole) << text;
    ASSERT_EQ(walked.end, scanned.end) << text;
    ASSERT_EQ(walked.present, scanned.present) << text;
    for (unsigned key = 0; key < kKeyCount; ++key) {
      ASSERT_EQ(value(text, walked, Key(key)), value(text, scanned, Key(key))) << text;
    }
  }
  EXPECT_GT(read, 5'000);
}

}  // namespace
}  // namespace cinderscope::google_json
