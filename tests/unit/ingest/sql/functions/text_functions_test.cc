#include <gtest/gtest.h>
#include <sqlite3.h>

#include <chrono>
#include <random>
#include <string>
#include <thread>

#include "ingest/build/timeline_builder.h"
#include "ingest/sql/tables/pattern_match.h"
#include "tests/support/queries.h"

namespace cinderscope {
namespace {

using test::line_of;
using test::LineSink;

QueryDatabase some_calls() {
  TimelineBuilder builder;
  TrackWriter& writer = builder.slices(builder.thread(builder.process("1"), "1"));
  for (int i = 0; i < 2'000; ++i) {
    writer.complete(i * 2, 1, builder.intern("n"), static_cast<RecordOffset>(i));
  }
  return QueryDatabase({test::input_of(builder.finish())});
}

std::string random_text(std::mt19937& random, std::span<const std::string_view> letters,
                        unsigned most) {
  std::string text;
  for (auto length = random() % (most + 1); length > 0; --length) {
    text += letters[random() % letters.size()];
  }
  return text;
}

TEST(PatternMatchTest, IsThatOfSqlite) {
  constexpr std::string_view kLetters[] = {"a", "A", "b",    "é",    "É",     "%",
                                           "_", "*", "?",    "[",    "]",     "^",
                                           "-", "!", "\xff", "\xc3", "[a-c]", "[^a]"};
  std::mt19937 random(7);
  const std::atomic<bool> stop = false;
  int matched = 0;
  for (int i = 0; i < 200'000; ++i) {
    const std::string pattern = random_text(random, kLetters, 6);
    const std::string text = random_text(random, kLetters, 6);
    const char32_t escape = i % 3 == 0 ? U'!' : 0;
    const bool like = sqlite3_strlike(pattern.c_str(), text.c_str(), escape) == 0;
    const bool glob = sqlite3_strglob(pattern.c_str(), text.c_str()) == 0;
    ASSERT_EQ(like_matches(pattern, text, escape, stop, 0), like) << pattern << " " << text;
    ASSERT_EQ(glob_matches(pattern, text, stop, 0), glob) << pattern << " " << text;
    matched += like ? 1 : 0;
  }
  EXPECT_GT(matched, 1000);
}

// A connection without anything of ours.
class OnlySqlite {
 public:
  OnlySqlite() { sqlite3_open(":memory:", &handle_); }
  ~OnlySqlite() { sqlite3_close(handle_); }
  std::string line_of(const std::string& text) {
    sqlite3_stmt* statement = nullptr;
    EXPECT_EQ(sqlite3_prepare_v2(handle_, text.c_str(), -1, &statement, nullptr), SQLITE_OK)
        << text;
    std::string line;
    if (sqlite3_step(statement) == SQLITE_ROW) {
      for (int i = 0; i < sqlite3_column_count(statement); ++i) {
        if (i > 0) line += '|';
        const auto* cell = reinterpret_cast<const char*>(sqlite3_column_text(statement, i));
        const int type = sqlite3_column_type(statement, i);
        const std::string quote = type == SQLITE_TEXT ? "'" : "";
        line += type == SQLITE_NULL ? "NULL" : quote + cell + quote;
      }
    } else {
      line = "error";
    }
    sqlite3_finalize(statement);
    return line;
  }

 private:
  sqlite3* handle_ = nullptr;
};

TEST(TextFunctionsTest, GiveWhatSqliteGives) {
  constexpr std::string_view kLetters[] = {"a", "A", "b", "é", "ab", "%", "_", " ", "*", "1"};
  QueryDatabase ours = some_calls();
  OnlySqlite theirs;
  std::mt19937 random(3);
  const auto value = [&]() -> std::string {
    switch (random() % 12) {
      case 0:
        return "NULL";
      case 1:
        return "12";
      case 2:
        return "1.5";
      case 3:
        return "x'6162'";
      default:
        return "'" + random_text(random, kLetters, 6) + "'";
    }
  };
  for (int i = 0; i < 1500; ++i) {
    const std::string a = value(), b = value(), c = value();
    const std::string text = "SELECT instr(" + a + "," + b + "),CAST(replace(" + a + "," + b + "," +
                             c + ") AS TEXT),trim(" + a + "),ltrim(" + a + "," + b + "),rtrim(" +
                             a + "," + b + "),trim(" + a + "," + b + ")," + a + " LIKE " + b + "," +
                             a + " GLOB " + b + "," + a + " LIKE " + b + " ESCAPE 'a',length(" + a +
                             ")," + a + " = " + b + " COLLATE NOCASE," + a + " < " + b +
                             " COLLATE NOCASE";
    ASSERT_EQ(line_of(ours, text), theirs.line_of(text)) << text;
  }
}

// SQLite 3.40 keeps a number where nothing is replaced, 3.46 does not.
TEST(TextFunctionsTest, ReplacingGivesTextWhereNothingIsReplaced) {
  QueryDatabase database = some_calls();
  EXPECT_EQ(line_of(database,
                    "SELECT replace(1.5, '', 'a'), replace(12, 'x', ''), "
                    "typeof(replace(1.5, '', '')), typeof(replace(x'6162', '', ''))"),
            "'1.5'|'12'|'text'|'text'");
}

TEST(TextFunctionsTest, FindsLongTextsInLongOnes) {
  QueryDatabase database = some_calls();
  const std::string texts =
      "WITH t AS (SELECT printf('%.*c', 40000, 'a') || 'b' x, printf('%.*c', 1000, 'a') || 'b' y) ";
  EXPECT_EQ(
      line_of(database, texts + "SELECT instr(x, y), instr(x, 'b'), instr(x, y || 'b') FROM t"),
      "39001|40001|0");
  EXPECT_EQ(line_of(database, texts + "SELECT length(replace(x, y, 'cd')), "
                                      "instr(replace(x || x, y, 'é'), 'é') FROM t"),
            "39002|39001");
  EXPECT_EQ(line_of(database, texts + "SELECT trim(x, 'a'), length(rtrim(x || 'éé', 'é')) FROM t"),
            "'b'|40001");
  EXPECT_EQ(line_of(database, texts + "SELECT replace(x, 'a', x) FROM t"),
            "error: a value or row is longer than 4 MB, which is the most here");
}

// Each would run for minutes or hours within one step of SQLite, or in many without a look.
class LongTexts : public testing::TestWithParam<const char*> {};

TEST_P(LongTexts, EndOnceCancelled) {
  QueryDatabase database = some_calls();
  LineSink sink;
  std::atomic<bool> cancelled = false;
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    cancelled = true;
  });
  const std::string texts =
      "WITH t AS MATERIALIZED (SELECT printf('%.*c', 1000000, 'a') x, "
      "printf('%.*c', 500000, 'a') || 'b' y, '%' || printf('%.*c', 9000, 'a') || 'b' p) ";
  const QueryOutcome outcome =
      database.run({.text = texts + GetParam() + " FROM slice, slice b, t"}, cancelled, sink);
  later.join();
  EXPECT_EQ(outcome.end, QueryEnd::cancelled) << outcome.text();
}

INSTANTIATE_TEST_SUITE_P(Functions, LongTexts,
                         testing::Values("SELECT sum(x REGEXP 'a[ab]{500}c')",
                                         "SELECT sum(x || x || x || x REGEXP 'a[ab]*b{9}c')",
                                         "SELECT sum(instr(x, y))",
                                         "SELECT sum(length(replace(x, y, '')))",
                                         "SELECT sum(length(trim(y, x || y)))",
                                         "SELECT sum(x LIKE p)", "SELECT sum(x GLOB '*' || p)",
                                         "SELECT sum(x = y COLLATE NOCASE)"));

TEST(RegexpTest, GivesTheSameAside) {
  QueryDatabase database = some_calls();
  const std::string texts =
      "WITH t AS MATERIALIZED (SELECT printf('%.*c', 1000000, 'a') || 'b' x) ";
  EXPECT_EQ(line_of(database, texts + "SELECT x REGEXP 'a{5,9}b$', x REGEXP 'b.', "
                                      "x REGEXP '^b|ab' FROM t"),
            "1|0|1");
}

// Of a name, which is tested once, and of a value.
TEST(RegexpTest, EndsARunThatCouldTakeMinutes) {
  TimelineBuilder builder;
  TrackWriter& writer = builder.slices(builder.thread(builder.process("1"), "1"));
  writer.complete(0, 1, builder.intern(std::string(3 << 20, 'a')), RecordOffset{0});
  writer.complete(1, 1, builder.intern("b"), RecordOffset{1});
  QueryDatabase database({test::input_of(builder.finish())});
  const std::string message =
      "error: REGEXP: this expression is too complex for a text of 3.0 MB: it could take minutes";
  EXPECT_EQ(line_of(database, "SELECT count(*) FROM slice WHERE name REGEXP '\\pL{9}x'"), message);
  EXPECT_EQ(line_of(database, "SELECT name || '' REGEXP '\\pL{9}x' FROM slice"), message);
  EXPECT_EQ(line_of(database,
                    "SELECT name, count(*) FROM slice WHERE name REGEXP '\\pL{9}x' GROUP "
                    "BY name"),
            message);
  // The next run is not affected.
  EXPECT_EQ(line_of(database, "SELECT count(*) FROM slice WHERE name REGEXP '^b$'"), "1");
}

// A match that was begun cannot be stopped: so there must not be any number of them.
TEST(RegexpTest, RefusesMoreWhileCancelledOnesStillRun) {
  QueryDatabase database = some_calls();
  // Which of the last 300 letters are low is another set at each letter of such a text.
  const std::string question =
      "WITH t AS MATERIALIZED (SELECT hex(randomblob(800000)) x) "
      "SELECT x REGEXP '[0-7][0-9A-F]{";
  LineSink sink;
  std::string refusal;
  for (int i = 0; i < 12 && refusal.empty(); ++i) {
    std::atomic<bool> cancelled = false;
    std::thread later([&] {
      // Later each time, as the match may not have begun yet.
      std::this_thread::sleep_for(std::chrono::milliseconds(50) * (i + 1));
      cancelled = true;
    });
    const QueryOutcome outcome =
        database.run({.text = question + std::to_string(300 + i) + "}z' FROM t"}, cancelled, sink);
    later.join();
    if (outcome.end == QueryEnd::failed) refusal = outcome.text();
  }
  const std::string message =
      "REGEXP: matches of cancelled questions still run; try again in some seconds";
  EXPECT_EQ(refusal, message);
  // Others go on meanwhile, and these once the cancelled ones have ended.
  EXPECT_EQ(line_of(database, "SELECT 'ab' REGEXP '^a.$'"), "1");
  const std::string small =
      "WITH t AS MATERIALIZED (SELECT printf('%.*c', 1000000, 'a') || 'b' x) "
      "SELECT x REGEXP 'a{5,9}b$' FROM t";
  std::string line = line_of(database, small);
  while (line == "error: " + message) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    line = line_of(database, small);
  }
  EXPECT_EQ(line, "1");
}

}  // namespace
}  // namespace cinderscope
