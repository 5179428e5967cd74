// The functions of single values: of slices, counters, texts, of the window.
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ingest/compare/name_rules.h"
#include "ingest/sql/functions/all_functions.h"
#include "ingest/sql/functions/slice_runs.h"
#include "ingest/sql/functions/table_function.h"
#include "ingest/sql/tables/flat_args.h"
#include "ingest/sql/tables/record_texts.h"
#include "ingest/sql/tables/regexp_match.h"

namespace cinderscope {

namespace {

using Values = sqlite3_value**;

QueryData& data_of(sqlite3_context* context) {
  return *static_cast<QueryData*>(sqlite3_user_data(context));
}

// Calls `kWork(context, values)` unless an argument is NULL.
template <auto kWork>
void call(sqlite3_context* context, int count, Values values) {
  for (int i = 0; i < count; ++i) {
    if (sqlite3_value_type(values[i]) == SQLITE_NULL) return;
  }
  try {
    kWork(context, values);
  } catch (const std::bad_alloc&) {
    sqlite3_result_error_nomem(context);
  }
}

template <auto kWork>
int add(sqlite3* connection, QueryData& data, const char* name, int arguments, int flags) {
  return sqlite3_create_function_v2(connection, name, arguments, kFunctionFlags | flags, &data,
                                    call<kWork>, nullptr, nullptr, nullptr);
}

std::string text_of(sqlite3_value* value) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
  const auto size = static_cast<std::size_t>(sqlite3_value_bytes(value));
  return text == nullptr ? std::string() : std::string(text, size);
}

void path(sqlite3_context* out, Values values) {
  const QueryData& data = data_of(out);
  const std::int64_t number = sqlite3_value_int64(values[0]);
  if (number < 1) return;
  const auto place = data.slice_numbers().place_of(static_cast<std::uint64_t>(number));
  if (!place) return;
  const std::uint32_t input = place->row->input;
  const Timeline& timeline = data.timeline(input);
  std::vector<std::string_view> names{data.text(input, slice_at(timeline, place->slice()).name)};
  for (const SliceRef& each : ancestors_of(timeline, place->slice())) {
    if (block_of(timeline, each) == nullptr) break;
    names.push_back(data.text(input, slice_at(timeline, each).name));
  }
  give_joined(out, names);
}

// Read from the file again; NULL: the slice has none of the key.
void arg(sqlite3_context* out, Values values) {
  const QueryData& data = data_of(out);
  const std::int64_t number = sqlite3_value_int64(values[0]);
  if (number < 1) return;
  const auto place = data.slice_numbers().place_of(static_cast<std::uint64_t>(number));
  if (!place) return;
  const std::string key = text_of(values[1]);
  RecordTexts records(data);
  std::vector<FlatArg> args;
  flatten_args(records.text_of(*place).args, args);
  const auto found = std::ranges::find(args, key, &FlatArg::key);
  if (found != args.end() && found->node->kind != ArgsKind::null)
    give_text(out, found->node->value);
}

void counter_at(sqlite3_context* out, Values values) {
  const QueryData& data = data_of(out);
  std::int64_t left = sqlite3_value_int64(values[0]);
  if (left < 1) return;
  // Counters are numbered series by series, as in the table `counter`.
  for (const QueryInput& input : data.inputs()) {
    for (const Track& track : input.timeline->tracks) {
      const auto count = static_cast<std::int64_t>(track.series.size());
      if (left > count) {
        left -= count;
        continue;
      }
      const CounterSeries& series = track.series[static_cast<std::size_t>(left) - 1];
      const auto after = std::ranges::upper_bound(series.time_ns, sqlite3_value_int64(values[1]));
      if (after == series.time_ns.begin()) return;
      const auto at = static_cast<std::size_t>(after - series.time_ns.begin()) - 1;
      return sqlite3_result_double(out, series.value[at]);
    }
  }
}

// X REGEXP Y is regexp(Y, X).
void regexp(sqlite3_context* out, Values values) {
  const QueryData& data = data_of(out);
  const auto* expression = static_cast<const RegexpMatch*>(sqlite3_get_auxdata(out, 0));
  if (expression == nullptr) {
    auto made = std::make_unique<RegexpMatch>();
    if (const std::string wrong = made->set(text_of(values[0])); !wrong.empty()) {
      return sqlite3_result_error(out, wrong.data(), static_cast<int>(wrong.size()));
    }
    sqlite3_result_int(out, made->matches(text_of(values[1]), data) ? 1 : 0);
    return sqlite3_set_auxdata(out, 0, made.release(),
                               [](void* old) { delete static_cast<RegexpMatch*>(old); });
  }
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(values[1]));
  const auto size = static_cast<std::size_t>(sqlite3_value_bytes(values[1]));
  sqlite3_result_int(out, expression->matches(std::string_view(text, size), data) ? 1 : 0);
}

void name_key(sqlite3_context* out, Values values) {
  static const NameRules rules;
  std::string name = text_of(values[0]);
  for (std::size_t rule = 0; rule < kNameRules; ++rule) {
    if (rules.states[rule] != RuleState::always) continue;
    apply_rule(static_cast<NameRule>(rule), name);
  }
  give_text(out, name);
}

// Times are written as those of the first trace.
template <auto kText>
void show(sqlite3_context* out, Values values) {
  const QueryData& data = data_of(out);
  const int type = sqlite3_value_numeric_type(values[0]);
  const auto& text = data.settings().*kText;
  if (!text || (type != SQLITE_INTEGER && type != SQLITE_FLOAT) || data.inputs().empty()) {
    return sqlite3_result_value(out, values[0]);
  }
  give_text(out, text(data.timeline(0), sqlite3_value_int64(values[0])));
}

template <auto kTime>
void window_time(sqlite3_context* out, int, Values) {
  QueryData::Run& run = data_of(out).run();
  run.uses_window = true;
  const std::optional<std::int64_t>& time = run.window.*kTime;
  time ? sqlite3_result_int64(out, *time) : sqlite3_result_null(out);
}

void selected_slice(sqlite3_context* out, int, Values) {
  QueryData& data = data_of(out);
  data.run().uses_window = true;
  const auto& selected = data.run().window.selected;
  if (!selected) return sqlite3_result_null(out);
  const auto number = data.slice_numbers().number_of(selected->first, selected->second);
  give_key(out, static_cast<std::int64_t>(number));
}

using OfWindow = void (*)(sqlite3_context* out, int count, Values values);
template <OfWindow kWork>
int add_of_window(sqlite3* connection, QueryData& data, const char* name) {
  // What it gives is the same all the time that a statement runs.
  return sqlite3_create_function_v2(connection, name, 0, kFunctionFlags | SQLITE_DETERMINISTIC,
                                    &data, kWork, nullptr, nullptr, nullptr);
}

}  // namespace

std::span<const FunctionEntry> scalar_functions() {
  constexpr int kSame = SQLITE_DETERMINISTIC;
  static const std::array kAll = {
      FunctionEntry{
          "path", "slice_id", "Names from the outermost to the slice, joined by ;", false,
          [](sqlite3* to, QueryData& data) { return add<path>(to, data, "path", 1, kSame); }},
      FunctionEntry{
          "arg", "slice_id, key", "The value of an argument; NULL if there is none", false,
          [](sqlite3* to, QueryData& data) { return add<arg>(to, data, "arg", 2, kSame); }},
      FunctionEntry{"counter_at", "counter_id, ts", "The value that holds there", false,
                    [](sqlite3* to, QueryData& data) {
                      return add<counter_at>(to, data, "counter_at", 2, kSame);
                    }},
      FunctionEntry{
          "regexp", "expression, text", "text REGEXP expression, by RE2", false,
          [](sqlite3* to, QueryData& data) { return add<regexp>(to, data, "regexp", 2, kSame); }},
      FunctionEntry{"name_key", "text", "The name as comparisons see it", false,
                    [](sqlite3* to, QueryData& data) {
                      return add<name_key>(to, data, "name_key", 1, kSame);
                    }},
      FunctionEntry{"show_time", "t", "A time as the window writes it", false,
                    [](sqlite3* to, QueryData& data) {
                      return add<show<&QuerySettings::show_time>>(to, data, "show_time", 1, kSame);
                    }},
      FunctionEntry{"show_dur", "t", "A duration as the window writes it", false,
                    [](sqlite3* to, QueryData& data) {
                      return add<show<&QuerySettings::show_dur>>(to, data, "show_dur", 1, kSame);
                    }},
      FunctionEntry{"view_begin", "", "Begin of what the window shows", false,
                    [](sqlite3* to, QueryData& data) {
                      return add_of_window<window_time<&QueryWindow::view_begin>>(to, data,
                                                                                  "view_begin");
                    }},
      FunctionEntry{"view_end", "", "Its end", false,
                    [](sqlite3* to, QueryData& data) {
                      return add_of_window<window_time<&QueryWindow::view_end>>(to, data,
                                                                                "view_end");
                    }},
      FunctionEntry{"range_begin", "", "Begin of the selected range, or --from", false,
                    [](sqlite3* to, QueryData& data) {
                      return add_of_window<window_time<&QueryWindow::range_begin>>(to, data,
                                                                                   "range_begin");
                    }},
      FunctionEntry{"range_end", "", "Its end, or --to", false,
                    [](sqlite3* to, QueryData& data) {
                      return add_of_window<window_time<&QueryWindow::range_end>>(to, data,
                                                                                 "range_end");
                    }},
      FunctionEntry{"selected_slice", "", "slice_id of the selected slice", false,
                    [](sqlite3* to, QueryData& data) {
                      return add_of_window<selected_slice>(to, data, "selected_slice");
                    }}};
  return kAll;
}

}  // namespace cinderscope
