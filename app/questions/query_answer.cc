#include "app/questions/query_answer.h"

#include <algorithm>
#include <utility>

#include "app/questions/query_texts.h"
#include "ingest/base/parallel.h"
#include "ingest/build/added_tracks.h"
#include "ingest/format/format.h"
#include "ingest/format/trace_source.h"

namespace cinderscope {
namespace {

// For completion: many names, soon.
constexpr std::string_view kNamesQuery = "SELECT DISTINCT name FROM slice LIMIT 50000";
constexpr std::int64_t kNamesTimeMs = 3'000;
constexpr int kMostTries = 5;

class NameList : public QuerySink {
 public:
  void begin(std::size_t /*statement*/, std::span<const QueryColumn> /*columns*/) override {}
  bool row(std::span<const QueryCell> cells) override {
    const auto* text = cells.empty() ? nullptr : std::get_if<std::string_view>(&cells.front());
    if (text != nullptr && !text->empty()) names.emplace_back(*text);
    return true;
  }
  std::vector<std::string> names;
};

// Hands on the rows of one statement.
class RowsOf : public QuerySink {
 public:
  RowsOf(std::size_t statement, const EachRow& row) : wanted_(statement), row_(row) {}
  void begin(std::size_t statement, std::span<const QueryColumn> /*columns*/) override {
    now_ = statement;
  }
  bool row(std::span<const QueryCell> cells) override {
    if (now_ != wanted_) return false;
    stopped_ = !row_(cells);
    return !stopped_;
  }
  bool stopped() const { return stopped_; }

 private:
  std::size_t wanted_, now_ = 0;
  const EachRow& row_;
  bool stopped_ = false;
};

QueryEstimate slowest(const std::vector<QueryEstimate>& estimates) {
  const auto most = std::ranges::max_element(estimates, {}, &QueryEstimate::seconds);
  return most == estimates.end() ? QueryEstimate() : *most;
}

}  // namespace

bool QueriedTraces::loading() const {
  return std::ranges::any_of(sessions, &Session::loading);
}

bool are_asked(const std::vector<QueriedTrace>& of, const QueriedTraces& traces) {
  return std::ranges::equal(of, traces.sessions, [](const QueriedTrace& one, const Session* other) {
    return one.session == other && one.generation == other->generation();
  });
}

// The traces as they were when this was made. Used by the runner's worker alone, so by one thread
// at a time; made there, too.
class QueryEngine {
 public:
  explicit QueryEngine(const QueriedTraces& traces)
      : so_far(traces.loading() || !traces.complete), compared(traces.compared) {
    for (const Session* session : traces.sessions) add(*session);
  }

  // They have not changed since.
  bool is_of(const QueriedTraces& traces) const {
    const auto same_version = [&](std::size_t i) {
      return versions_[i] == traces.sessions[i]->version();
    };
    bool same = are_asked(of, traces) && compared == traces.compared;
    for (std::size_t i = 0; same && i < versions_.size(); ++i) same = same_version(i);
    return same;
  }

  QueryDatabase& database() {
    if (database_ == nullptr) {
      QuerySettings settings{.show_time = shown_time, .show_dur = shown_duration};
      settings.compared = compared;
      database_ = std::make_unique<QueryDatabase>(std::move(inputs_), std::move(settings));
    }
    return *database_;
  }

  const bool so_far;
  const std::shared_ptr<const QueriedComparison> compared;
  std::vector<QueriedTrace> of;

 private:
  void add(const Session& session) {
    QueryInput& input = inputs_.emplace_back();
    Timeline timeline = session.timeline();
    remove_added_tracks(timeline);
    QueriedTrace& trace = of.emplace_back();
    trace.session = &session;
    trace.generation = session.generation();
    trace.files = std::max<std::size_t>(timeline.files.size(), 1);
    trace.tracks = timeline.tracks.size();
    for (const Thread& thread : timeline.threads) trace.track_of_thread.push_back(thread.track);
    versions_.push_back(session.version());
    input.timeline = std::make_shared<const Timeline>(std::move(timeline));
    input.source = session.shared_source();
    input.name = session.title();
    input.path = session.path();
    if (session.format() != nullptr) input.format = session.format()->name();
    input.lazy = has_calls_on_disk(session.timeline());
    for (const Bookmark& mark : session.state().bookmarks) {
      input.bookmarks.push_back({mark.time_ns, mark.begin_ns, mark.end_ns, mark.note});
    }
  }

  std::vector<QueryInput> inputs_;
  std::vector<std::uint64_t> versions_;
  std::unique_ptr<QueryDatabase> database_;
};

QueryRunner::QueryRunner(std::function<void()> wake) : task_(std::move(wake)) {}

QueryRunner::~QueryRunner() = default;

std::shared_ptr<QueryEngine> QueryRunner::engine_of(const QueriedTraces& traces) {
  if (engine_ == nullptr || !engine_->is_of(traces)) {
    retired_ = std::move(engine_);  // it may hold the last of a timeline, which takes long to free
    engine_ = std::make_shared<QueryEngine>(traces);
  }
  return engine_;
}

void QueryRunner::run(const QueriedTraces& traces, QueryAsked asked) {
  const std::shared_ptr<QueryEngine> engine = engine_of(traces);
  running_ = true;
  out_of_memory_ = false;
  began_ = std::chrono::steady_clock::now();
  looked_at_ = std::make_shared<std::atomic<std::uint64_t>>(0);
  task_.start([engine, retired = std::move(retired_), totals = traces.totals,
               looked_at = looked_at_,
               asked = std::move(asked)](const BackgroundQuestion<Done>& question) mutable {
    retired.reset();
    auto answer = std::make_shared<QueryAnswer>();
    answer->asked = asked;
    answer->of = engine->of;
    answer->so_far = engine->so_far;
    QueryRequest request{.text = asked.text,
                         .parameters = {},
                         .window = asked.window,
                         .limits = {.time_ms = kQueryTimeMs},
                         .totals = totals,
                         .looked_at = looked_at};
    QueryDatabase& database = engine->database();
    answer->estimate = slowest(database.estimate(request));
    if (answer->estimate.seconds > kSlowSeconds && !asked.even_if_slow) {
      answer->only_estimated = true;
      return Done{.answer = answer, .schema = nullptr};
    }
    QueryRows rows;
    answer->outcome = database.run(request, question.cancelled, rows);
    answer->tables = rows.take(database);
    return Done{.answer = answer, .schema = nullptr};
  });
}

AllRows all_rows(const QueriedTraces& traces, const QueryAsked& asked, std::size_t statement) {
  return [engine = std::make_shared<QueryEngine>(traces), statement, asked](
             const EachRow& row, const std::atomic<bool>& ends) {
    RowsOf rows(statement, row);
    const QueryRequest request{
        .text = asked.text, .parameters = {}, .window = asked.window, .limits = {}};
    const QueryOutcome outcome = engine->database().run(request, ends, rows);
    return outcome.ok() && !rows.stopped();
  };
}

void QueryRunner::cancel() {
  task_.cancel();
  running_ = false;
}

double QueryRunner::running_seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
}

void QueryRunner::want_schema(const QueriedTraces& traces) {
  const bool known = schema_ != nullptr && are_asked(schema_->of, traces);
  if (known || running_ || task_.busy() || traces.loading()) return;
  const std::shared_ptr<QueryEngine> engine = engine_of(traces);
  // A query that is run meanwhile goes before; without memory it is no use to ask for ever.
  if (!are_asked(schema_asked_, traces)) schema_tries_ = 0;
  schema_asked_ = engine->of;
  if (++schema_tries_ > kMostTries) return;
  task_.start([engine](const BackgroundQuestion<Done>& question) {
    auto schema = std::make_shared<QueryTraceSchema>();
    schema->of = engine->of;
    schema->schema = engine->database().schema();
    question.publish(Done{.answer = nullptr, .schema = schema});
    NameList list;
    const QueryRequest request{.text = std::string(kNamesQuery),
                               .parameters = {},
                               .window = {},
                               .limits = {.time_ms = kNamesTimeMs}};
    engine->database().run(request, question.cancelled, list);
    auto with_names = std::make_shared<QueryTraceSchema>(*schema);
    with_names->names = std::move(list.names);
    return Done{.answer = nullptr, .schema = with_names};
  });
}

void QueryRunner::let_go_of_older(const QueriedTraces& traces) {
  const bool older = engine_ != nullptr && !are_asked(engine_->of, traces);
  if (!older || running_ || task_.busy()) return;
  task_.start([retired = std::move(engine_)](const auto& /*question*/) mutable {
    retired.reset();
    return Done();
  });
}

bool QueryRunner::poll() {
  if (task_.take_out_of_memory()) {
    out_of_memory_ = running_;
    running_ = false;
    return true;
  }
  std::optional<Done> done = task_.take();
  if (!done) return false;
  if (done->schema != nullptr) schema_ = std::move(done->schema);
  if (done->answer != nullptr) {
    running_ = false;
    ++answer_count_;
    answer_ = std::move(done->answer);
  }
  return true;
}

void QueryRunner::forget() {
  cancel();
  answer_.reset();
  schema_.reset();
  schema_asked_.clear();
}

std::uint64_t QueryRunner::kept_bytes() const {
  std::uint64_t bytes = 0;
  if (answer_ == nullptr) return 0;
  for (const auto& table : answer_->tables) bytes += table->bytes;
  return bytes;
}

}  // namespace cinderscope
