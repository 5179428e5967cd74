// Statements that group slices, answered in three ways: added up natively, by SQLite over the
// tables of the trace, and by SQLite over ordinary tables with the same content.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "ingest/build/timeline_builder.h"
#include "tests/support/queries.h"

namespace cinderscope {
namespace {

using Rows = std::vector<std::vector<std::string>>;

struct QueryAnswer {
  QueryOutcome outcome;
  std::vector<QueryColumn> columns;  // of the last statement with rows
  Rows rows;
};

std::string cell_text(const QueryCell& cell) {
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return std::to_string(*whole);
  if (const auto* text = std::get_if<std::string_view>(&cell))
    return "'" + std::string(*text) + "'";
  if (const auto* real = std::get_if<double>(&cell)) {
    char digits[32];
    std::snprintf(digits, sizeof(digits), "%.17gr", *real);
    return digits;
  }
  return "NULL";
}

class AnswerSink final : public QuerySink {
 public:
  explicit AnswerSink(QueryAnswer& answer) : answer_(answer) {}
  void begin(std::size_t, std::span<const QueryColumn> columns) override {
    answer_.columns.assign(columns.begin(), columns.end());
  }
  bool row(std::span<const QueryCell> cells) override {
    std::vector<std::string>& row = answer_.rows.emplace_back();
    for (const QueryCell& cell : cells) row.push_back(cell_text(cell));
    return true;
  }

 private:
  QueryAnswer& answer_;
};

QueryAnswer ask(QueryDatabase& database, QueryRequest request) {
  QueryAnswer answer;
  AnswerSink sink(answer);
  const std::atomic<bool> cancelled = false;
  answer.outcome = database.run(request, cancelled, sink);
  return answer;
}
QueryAnswer ask(QueryDatabase& database, std::string text) {
  QueryRequest request;
  request.text = std::move(text);
  return ask(database, std::move(request));
}

// Nested calls on some threads, calls that partly overlap on others; few names and times, so that
// conditions meet them.
Timeline random_trace(std::uint32_t seed, std::int64_t from_ns) {
  std::mt19937 random(seed);
  TimelineBuilder builder;
  const auto name = [&] {
    constexpr const char* kNames[] = {"Paint", "paint", "",       "Läuft",
                                      "a;b",   "5",     "x\xffy", "x\xfey"};
    return builder.intern(kNames[random() % std::size(kNames)]);
  };
  RecordOffset record = 0;
  for (int process = 0; process < 2; ++process) {
    const ProcessId of = builder.process(std::to_string(process + 10));
    for (int thread = 0; thread < 3; ++thread) {
      const ThreadId id = builder.thread(of, std::to_string(thread + 1));
      if (thread > 0)
        builder.thread_facts(id).name = builder.intern(thread == 1 ? "main" : "worker");
      TrackWriter& writer = builder.slices(id);
      if (thread == 2) {
        for (int i = 0; i < 25; ++i) {
          const auto begin_ns = from_ns + static_cast<std::int64_t>(random() % 60);
          writer.complete(begin_ns, static_cast<std::int64_t>(random() % 25), name(), record++);
        }
        continue;
      }
      std::int64_t now_ns = from_ns;
      std::vector<std::pair<std::int64_t, StringId>> open;
      for (int i = 0; i < 60; ++i) {
        now_ns += random() % 3;
        if (open.size() > 3 || (!open.empty() && random() % 2 == 0)) {
          writer.complete(open.back().first, now_ns - open.back().first, open.back().second,
                          record++);
          open.pop_back();
        } else {
          open.emplace_back(now_ns, name());
          now_ns += 1;
        }
      }
      if (thread == 1) writer.begin(now_ns, name(), record++);
    }
  }
  return builder.finish();
}

// Calls that were read after the load, the later ones first.
Timeline trace_with_blocks() {
  TimelineBuilder builder;
  const StringId outer = builder.intern("Paint"), inner = builder.intern("5");
  TrackWriter& writer = builder.slices(builder.thread(builder.process("10"), "1"));
  for (const std::int64_t begin_ns : {0, 20}) {
    writer.complete(begin_ns, 15, outer, static_cast<RecordOffset>(begin_ns));
  }
  Timeline timeline = builder.finish();
  const auto row_of = [&](const std::vector<Slice>& slices) {
    SliceRow row;
    row.chunks.push_back(SliceChunk::seal(slices, timeline.strings.get()));
    return row;
  };
  for (const std::uint64_t parent : {1u, 0u}) {
    const auto begin_ns = static_cast<std::int64_t>(parent) * 20;
    auto block = std::make_shared<SliceBlock>();
    block->base_depth = 1;
    block->parent_slice = parent;
    block->rows.push_back(row_of({{begin_ns + 1, 2, inner}, {begin_ns + 4, 3, inner}}));
    block->rows.push_back(row_of({{begin_ns + 5, 1, outer}}));
    timeline.tracks[0].blocks.push_back(std::move(block));
  }
  timeline.tracks[0].blocks.push_back(nullptr);  // one that was evicted
  return timeline;
}

class Statements {
 public:
  explicit Statements(std::uint32_t seed) : random_(seed) {}

  struct Made {
    std::string text;
    bool ordered = false;
    bool plain_functions = true;  // SQLite has them all
  };
  Made make() {
    Made made;
    wide_ = one_of(2) == 0;
    std::vector<std::string> keys = some_of(key_names(), one_of(4));
    std::vector<std::string> items = keys;
    if (!items.empty() && one_of(3) == 0) items.pop_back();
    const std::size_t aggregates = keys.empty() ? 1 + one_of(3) : one_of(4);
    for (std::size_t i = 0; i < aggregates; ++i) items.push_back(aggregate(made) + alias());
    if (!keys.empty() && one_of(5) == 0) items.push_back("upper(" + keys[0] + ") || '!'");
    if (items.empty()) items.push_back("count(*)");
    std::shuffle(items.begin(), items.end(), random_);
    made.text = "SELECT " + joined(items, ", ") + " FROM " + table() + where();
    if (keys.empty()) return within(std::move(made));
    made.text += " GROUP BY " + joined(keys, ", ");
    if (one_of(4) == 0)
      made.text += " HAVING " + aggregate(made) + pick({" > 10", " <> 3", " < 40"});
    if (one_of(2) == 0) {
      made.ordered = true;
      made.text += " ORDER BY ";
      if (one_of(2) == 0)
        made.text += aggregate(made) + pick({" DESC, ", ", ", " DESC NULLS LAST, "});
      made.text += joined(keys, ", ");
      if (one_of(2) == 0) made.text += " LIMIT " + std::to_string(one_of(8));
      if (made.text.ends_with("LIMIT 3")) made.text += " OFFSET 1";
    }
    return within(std::move(made));
  }

 private:
  // Sometimes as a part of another one.
  Made within(Made made) {
    switch (one_of(8)) {
      case 0:
        made.text = "SELECT * FROM (" + made.text + ")";
        break;
      case 1:
        made.text = "WITH a AS (" + made.text + ") SELECT x.* FROM a AS x";
        break;
      case 2:
        made.ordered = false;
        made.text = "WITH a AS MATERIALIZED (" + made.text +
                    " -- all\n) SELECT * FROM (SELECT 1 AS n UNION ALL SELECT 2) JOIN (SELECT "
                    "count(*) AS c FROM slice) CROSS JOIN a";
        break;
      case 3:
        made.ordered = false;
        made.text =
            "SELECT thread.n, s.* FROM (SELECT thread_id AS n, count(*) FROM slice GROUP "
            "BY n) AS thread LEFT JOIN (" +
            made.text + ") AS s ON thread.n < 3";
        break;
      default:
        break;
    }
    return made;
  }

  std::size_t one_of(std::size_t count) { return random_() % count; }
  std::string pick(const std::vector<std::string>& from) { return from[one_of(from.size())]; }
  std::vector<std::string> some_of(std::vector<std::string> from, std::size_t count) {
    std::shuffle(from.begin(), from.end(), random_);
    from.resize(std::min(count, from.size()));
    return from;
  }
  static std::string joined(const std::vector<std::string>& parts, const char* between) {
    std::string all;
    for (const std::string& part : parts) all += (all.empty() ? "" : between) + part;
    return all;
  }

  std::vector<std::string> key_names() const {
    std::vector<std::string> keys = {"name",      "name_id",    "depth",   "track_id",
                                     "thread_id", "process_id", "trace_id"};
    if (wide_) keys.insert(keys.end(), {"thread_name", "tid", "process_name", "pid", "trace_name"});
    return keys;
  }
  std::string table() { return wide_ ? "thread_slice" : "slice"; }
  std::string alias() {
    return one_of(3) == 0 ? " AS n" + std::to_string(aliases_++) : std::string();
  }
  std::string measure() { return pick({"dur", "self_dur", "ts", "ts_end"}); }
  std::string aggregate(Made& made) {
    switch (one_of(9)) {
      case 0:
        return "count(*)";
      case 1:
        return "count(" + measure() + ")";
      case 2:
        return "percentile(" + measure() + ", " + pick({"0", "50", "90", "99.5", "100", "33.3"}) +
               own(made);
      case 3:
        return "median(" + measure() + own(made);
      case 4:
        return "covered(ts, dur" + own(made);
      default:
        return pick({"sum", "total", "min", "max", "avg"}) + "(" + measure() + ")";
    }
  }
  static std::string own(Made& made) {
    made.plain_functions = false;
    return ")";
  }

  std::string number() {
    return pick({"0", "1", "2", "3", "5", "7.5", "10", "12e0", "-1", "20 + 5", "'8'", "'x'", "NULL",
                 "40", "1e30", "-1e30", "x'05'", "1005", "1030.5"});
  }
  std::string text() {
    return pick({"'Paint'", "'paint'", "''", "'L\xc3\xa4uft'", "5", "'5'", "NULL", "'main'", "'10'",
                 "x'35'", "'a' || ';b'", "'x\xef\xbf\xbdy'", "'a'", "'zz'"});
  }
  std::string condition() {
    const std::string negated = one_of(3) == 0 ? " NOT" : "";
    std::vector<std::string> texts = {"name"};
    if (wide_) texts.insert(texts.end(), {"thread_name", "tid", "process_name", "pid"});
    if (one_of(3) == 0) {
      const std::string column = pick(texts);
      switch (one_of(4)) {
        case 0:
          return column + negated + " LIKE " + pick({"'%a%'", "'p_int'", "'%'", "NULL", "'5%'"});
        case 1:
          return column + negated + " GLOB " + pick({"'P*'", "'*[a-l]*'", "'?'"});
        case 2:
          return column + negated + " IN (" + text() + ", " + text() + ")";
        default:
          return column + pick({" = ", " <> ", " < ", " >= "}) + text();
      }
    }
    const std::string column =
        pick({"dur", "ts", "ts_end", "self_dur", "depth", "slice_id", "track_id", "thread_id",
              "process_id", "trace_id", "name_id", "unfinished", "overlapping", "cut_end"});
    switch (one_of(5)) {
      case 0:
        return column + negated + " BETWEEN " + number() + " AND " + number();
      case 1:
        return column + negated + " IN (" + number() + ", " + number() + ", " + number() + ")";
      case 2:
        return number() + pick({" < ", " >= ", " = ", " <> "}) + column;
      default:
        return column + pick({" = ", " <> ", " < ", " <= ", " > ", " >= "}) + number();
    }
  }
  std::string where() {
    std::vector<std::string> conditions;
    for (std::size_t i = one_of(4); i > 0; --i) conditions.push_back(condition());
    return conditions.empty() ? std::string() : " WHERE " + joined(conditions, " AND ");
  }

  std::mt19937 random_;
  bool wide_ = false;
  int aliases_ = 0;
};

Rows sorted(Rows rows) {
  std::ranges::sort(rows);
  return rows;
}

// Ordinary tables with the rows of `slice` and `thread_slice`.
class OrdinaryTables {
 public:
  explicit OrdinaryTables(QueryDatabase& from) {
    sqlite3_open(":memory:", &handle_);
    for (const std::string table : {"slice", "thread_slice"}) {
      const QueryAnswer all = ask(from, "SELECT * FROM " + table);
      std::string create;
      for (const QueryColumn& column : all.columns) {
        create +=
            (create.empty() ? "" : ", ") + column.name + " " + std::string(word_of(column.kind));
      }
      run("CREATE TABLE " + table + "(" + create + ")");
      for (const std::vector<std::string>& row : all.rows) {
        std::string values;
        for (std::string cell : row) values += (values.empty() ? "" : ", ") + cell;
        run("INSERT INTO " + table + " VALUES (" + values + ")");
      }
    }
  }
  ~OrdinaryTables() { sqlite3_close(handle_); }

  Rows run(const std::string& text) {
    Rows rows;
    sqlite3_stmt* statement = nullptr;
    EXPECT_EQ(sqlite3_prepare_v2(handle_, text.c_str(), -1, &statement, nullptr), SQLITE_OK)
        << text << ": " << sqlite3_errmsg(handle_);
    while (sqlite3_step(statement) == SQLITE_ROW) {
      std::vector<std::string>& row = rows.emplace_back();
      for (int i = 0; i < sqlite3_column_count(statement); ++i) row.push_back(cell(statement, i));
    }
    sqlite3_finalize(statement);
    return rows;
  }

 private:
  static std::string cell(sqlite3_stmt* statement, int i) {
    switch (sqlite3_column_type(statement, i)) {
      case SQLITE_INTEGER:
        return cell_text(std::int64_t{sqlite3_column_int64(statement, i)});
      case SQLITE_FLOAT:
        return cell_text(sqlite3_column_double(statement, i));
      case SQLITE_NULL:
        return "NULL";
      default:
        return cell_text(
            std::string_view(reinterpret_cast<const char*>(sqlite3_column_text(statement, i)),
                             static_cast<std::size_t>(sqlite3_column_bytes(statement, i))));
    }
  }
  sqlite3* handle_ = nullptr;
};

TEST(RandomStatementsTest, ThreeWaysGiveTheSame) {
  const char* wanted = std::getenv("CINDERSCOPE_STATEMENTS");
  const int count = wanted == nullptr ? 1500 : std::atoi(wanted);
  int by_ordinary = 0;
  constexpr int kOfATrace = 250;
  for (int i = 0; i < count; i += kOfATrace) {
    const auto seed = static_cast<std::uint32_t>(i / kOfATrace);
    const std::vector<QueryInput> inputs = {test::input_of(random_trace(2 * seed, 0)),
                                            test::input_of(random_trace(2 * seed + 1, 1000)),
                                            test::input_of(trace_with_blocks())};
    QueryDatabase grouped(inputs, {.jobs = 2});
    QueryDatabase plain(inputs, {.plain = true, .jobs = 1});
    OrdinaryTables ordinary(plain);
    Statements statements(seed + 7);
    for (int k = 0; k < kOfATrace && i + k < count; ++k) {
      const Statements::Made made = statements.make();
      SCOPED_TRACE(made.text);
      const QueryAnswer one = ask(grouped, made.text), two = ask(plain, made.text);
      ASSERT_TRUE(one.outcome.ok()) << one.outcome.text();
      ASSERT_TRUE(two.outcome.ok()) << two.outcome.text();
      EXPECT_TRUE(one.outcome.rewritten);
      EXPECT_FALSE(two.outcome.rewritten);
      ASSERT_EQ(one.columns, two.columns);
      if (made.ordered) {
        ASSERT_EQ(one.rows, two.rows);
      } else {
        ASSERT_EQ(sorted(one.rows), sorted(two.rows));
      }
      if (!made.plain_functions) continue;
      ++by_ordinary;
      ASSERT_EQ(sorted(one.rows), sorted(ordinary.run(made.text)));
    }
  }
  EXPECT_GT(by_ordinary, count / 4);
}

}  // namespace
}  // namespace cinderscope
