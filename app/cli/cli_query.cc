// `cinderscope query`: SQL over traces.
#include <fmt/format.h>

#include <atomic>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <iterator>

#include "app/cli/each_trace.h"
#include "app/cli/options/query_options.h"
#include "app/cli/standard_output.h"
#include "app/desktop/user_folders.h"
#include "app/questions/query_texts.h"
#include "app/session/open_trace.h"
#include "app/store/saved_queries.h"
#include "app/store/state_files.h"
#include "ingest/base/path_text.h"
#include "ingest/os/cancel_signals.h"
#include "ingest/os/standard_output.h"
#include "ingest/sql/statements.h"

namespace cinderscope {

namespace {

constexpr std::size_t kMostTextBytes = 1 << 20;

// The saved query of that name: the user's own, else one that lies beside the first trace.
Result<std::string> saved_query(const std::string& name, const std::vector<std::string>& files) {
  Result<SavedQuery> query =
      query_named(user_folders(false), files.empty() ? std::string() : files.front(), name);
  if (!query) return query.error();
  return std::move(query->text);
}

Result<std::string> text_of(const std::string& path) {
  std::string text;
  if (path == "-") {
    text.assign(std::istreambuf_iterator<char>(std::cin), {});
    return text;
  }
  return read_small_file(path, kMostTextBytes);
}

// Takes the statement off the files where it stands among them.
Result<std::string> statement_of(QueryOptions& options) {
  if (!options.sql_file.empty()) return text_of(options.sql_file);
  if (!options.saved.empty()) return saved_query(options.saved, options.files);
  std::string text = std::move(options.files.back());
  options.files.pop_back();
  return text;
}

QueryInput input_of(OpenedTrace trace) {
  QueryInput input{.source = trace.source,
                   .name = utf8_of(path_of(trace.path).filename()),
                   .path = trace.path,
                   .format = std::string(trace.format->name())};
  if (input.name.empty()) {
    input.name = utf8_of(path_of(trace.path).parent_path().filename());
  }
  input.lazy = has_calls_on_disk(trace.timeline);
  input.timeline = std::make_shared<const Timeline>(std::move(trace.timeline));
  return input;
}

int explain(QueryDatabase& database, const QueryRequest& request) {
  const std::vector<StatementRange> statements = statements_of(request.text);
  const std::vector<QueryEstimate> estimates = database.estimate(request);
  for (std::size_t i = 0; i < estimates.size(); ++i) {
    const QueryEstimate& estimate = estimates[i];
    if (i > 0) fmt::print("\n");
    for (const std::string& line : estimate.plan) fmt::print("{}\n", line);
    fmt::print("{:.3g} s, {} rows{}\n", estimate.seconds, estimate.rows,
               estimate.rewritten ? ", added up natively" : "");
    if (!estimate.text.empty()) fmt::print("{} {}\n", estimate.text, estimate.instead_text);
  }
  if (estimates.size() == statements.size()) return kExitOk;
  // Its error is what running says before it begins.
  class Nothing final : public QuerySink {
    void begin(std::size_t, std::span<const QueryColumn>) override {}
    bool row(std::span<const QueryCell>) override { return false; }
  } sink;
  QueryRequest rest = request;
  rest.text = request.text.substr(statements[estimates.size()].begin);
  const std::atomic<bool> cancelled = false;
  const QueryOutcome outcome = database.run(rest, cancelled, sink);
  if (outcome.ok()) return kExitOk;  // it needs a table that an earlier one would have made
  fmt::print(stderr, "query: {}\n", outcome.text());
  return kExitCannotOpen;
}

class CountingSink final : public QuerySink {
 public:
  explicit CountingSink(QueryOutput& to) : to_(to) {}
  void begin(std::size_t statement, std::span<const QueryColumn> columns) override {
    to_.begin(statement, columns);
  }
  bool row(std::span<const QueryCell> cells) override {
    any_ = true;
    return to_.row(cells);
  }
  void end() override { to_.end(); }
  bool any() const { return any_; }

 private:
  QueryOutput& to_;
  bool any_ = false;
};

}  // namespace

int run_query(QueryOptions options) {
  const Result<std::string> text = statement_of(options);
  if (!text) {
    fmt::print(stderr, "query: {}\n", text.error().text);
    return kExitUsage;
  }
  if (options.files.empty()) {
    fmt::print(stderr, "query: a trace and the SQL are expected.\n");
    return kExitUsage;
  }
  if (const Status checked = check_range(options.range); !checked) {
    fmt::print(stderr, "{}\n", checked.error().text);
    return kExitUsage;
  }
  std::vector<QueryInput> inputs;
  std::vector<std::shared_ptr<const PrecomputedTotals>> totals;
  const int status = open_traces(options.files, options.load, [&](OpenedTrace trace) {
    totals.push_back(trace.totals);
    inputs.push_back(input_of(std::move(trace)));
  });
  if (status != kExitOk) return status;
  const Timeline& first = *inputs.front().timeline;
  QueryRequest request{.text = *text, .parameters = options.parameters, .limits = options.limits};
  request.totals = std::move(totals);
  const Result<TypedRange> range =
      range_in(time_context(first), options.range.from, options.range.to);
  if (!range) {
    fmt::print(stderr, "{}\n", range.error().text);
    return kExitUsage;
  }
  if (options.range.from) request.window.range_begin = range->begin_ns;
  if (options.range.to) request.window.range_end = range->end_ns;

  QueryOutputOptions form{.raw = options.raw, .most_rows = options.rows, .write = write_output};
  form.form = options.form.value_or(output_is_terminal() ? QueryForm::table : QueryForm::csv);
  form.several = statements_of(*text).size() > 1;
  form.times = timestamp_format(first, TimelineState{});
  QueryDatabase database(std::move(inputs), {.plain = options.plain,
                                             .jobs = options.load.jobs,
                                             .show_time = shown_time,
                                             .show_dur = shown_duration});
  if (options.explain) return explain(database, request);
  const std::unique_ptr<QueryOutput> output = query_output(std::move(form));
  CountingSink sink(*output);
  std::atomic<bool> cancelled = false;
  const CancelSignals signals(cancelled);
  const QueryOutcome outcome = database.run(request, cancelled, sink);
  output->finish();
  if (!outcome.ok()) {
    fmt::print(stderr, "query: {}\n", outcome.text());
    return kExitCannotOpen;
  }
  return options.fail_if_rows && sink.any() ? kExitFailed : kExitOk;
}

}  // namespace cinderscope
