#include "app/compare/side_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "ingest/base/json/json_value.h"
#include "ingest/base/json/json_writer.h"
#include "ingest/base/path_text.h"
#include "ingest/os/file.h"
#include "ingest/totals/durations/duration_buckets.h"

namespace cinderscope {

namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;
constexpr int kVersion = 1;

// "12x3 40x1": calls by bucket. One text instead of many numbers, which read slowly.
std::string durations_text(std::span<const std::uint32_t> entries) {
  std::string text;
  for (const std::uint32_t entry : entries) {
    if (!text.empty()) text += ' ';
    fmt::format_to(std::back_inserter(text), "{}x{}", DurationIndex::bucket(entry),
                   DurationIndex::count(entry));
  }
  return text;
}

// "17x2500.5 …": calls and their summed durations, of each span.
std::string spans_text(std::span<const SpanDurations::Span> spans) {
  std::string text;
  for (const SpanDurations::Span& span : spans) {
    if (!text.empty()) text += ' ';
    fmt::format_to(std::back_inserter(text), "{}x{}", span.count, span.sum_ns);
  }
  return text;
}

// Calls `take(count, value)` for each pair; false if the text is not as above.
template <class Second, class Take>
bool read_pairs(std::string_view text, const Take& take) {
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    std::uint32_t first = 0;
    Second second{};
    const auto one = std::from_chars(at, end, first);
    if (one.ec != std::errc() || one.ptr == end || *one.ptr != 'x') return false;
    const auto two = std::from_chars(one.ptr + 1, end, second);
    if (two.ec != std::errc() || !take(first, second)) return false;
    at = two.ptr;
    if (at != end && *at++ != ' ') return false;
  }
  return true;
}

void write_threads(JsonWriter& out, const MeasuredRun& run) {
  out.key("threads").begin_array();
  for (const RunThread& thread : run.threads) {
    out.begin_object().field("process", thread.process).field("pid", thread.pid);
    out.field("name", thread.name).field("tid", thread.tid).field("first", thread.first_ns);
    out.field("calls", thread.calls).field("busy", thread.busy_ns).end_object();
  }
  out.end_array();
}

void write_name(JsonWriter& out, const MeasuredRun& run, std::uint32_t i) {
  const MeasuredRun::Name& name = run.names[i];
  const NameStatistics& of = run.numbers[i];
  out.begin_object().field("name", name.text);
  if (!name.label.empty()) out.field("label", name.label);
  out.field("outer", name.outer_calls);
  out.field("count", of.count).field("unfinished", of.unfinished_count);
  out.field("total", of.total_ns).field("sum", of.sum_ns);
  out.field("finished_sum", of.finished_sum_ns).field("self", of.self_ns);
  out.field("median", of.median_ns).field("p90", of.p90_ns).field("p99", of.p99_ns);
  out.field("min", of.min_ns).field("max", of.max_ns);
  out.field("durations", durations_text(run.durations.of(i)));
  const auto spans = run.spans.of(i);
  if (!spans.empty()) out.field("spans", spans_text(spans));
  out.end_object();
}

void write_run(JsonWriter& out, const MeasuredRun& run) {
  out.begin_object().field("path", run.path).field("format", run.format);
  out.field("axis", run.axis == TimeAxis::nanoseconds ? "ns" : "events");
  if (!run.axis.unit.text().empty()) out.field("unit", run.axis.unit.text());
  if (run.axis.scale != 1) out.field("scale", run.axis.scale);
  if (!run.weight.empty()) out.field("weight", run.weight);
  out.field("threads_apart", run.threads_apart);
  out.field("begin", run.begin_ns).field("end", run.end_ns);
  out.field("trace_begin", run.trace_begin_ns).field("trace_end", run.trace_end_ns);
  out.field("calls", run.calls).field("unfinished", run.unfinished);
  out.field("self", run.self_ns).field("busy", run.busy_ns).field("damage", run.damage);
  write_threads(out, run);
  out.key("names").begin_array();
  for (std::uint32_t i = 0; i < run.names.size(); ++i) write_name(out, run, i);
  out.end_array().end_object();
}

// Reads members; the first one that is missing or of another kind is remembered.
class Members {
 public:
  Members(const JsonValue& of, std::string& wrong) : of_(of), wrong_(wrong) {}

  template <class Number>
  void read(std::string_view key, Number& number) {
    const JsonValue* value = of_.find(key);
    const auto read = value == nullptr ? std::nullopt : value->number<Number>();
    if (read) {
      number = *read;
    } else if (wrong_.empty()) {
      wrong_ = key;
    }
  }
  void read(std::string_view key, std::string& text) {
    const JsonValue* value = of_.find(key);
    if (value != nullptr && value->kind == JsonKind::string) {
      text = value->text;
    } else if (wrong_.empty()) {
      wrong_ = key;
    }
  }
  void fail(std::string_view key) {
    if (wrong_.empty()) wrong_ = key;
  }
  const JsonValue* array(std::string_view key) {
    const JsonValue* value = of_.find(key);
    if (value != nullptr && value->kind == JsonKind::array) return value;
    fail(key);
    return nullptr;
  }

 private:
  const JsonValue& of_;
  std::string& wrong_;
};

void read_name(const JsonValue& value, MeasuredRun& run, std::string& wrong) {
  Members members(value, wrong);
  MeasuredRun::Name& name = run.names.emplace_back();
  NameStatistics& of = run.numbers.emplace_back();
  const auto place = static_cast<std::uint32_t>(run.names.size() - 1);
  of.name = StringId{place};
  members.read("name", name.text);
  if (value.find("label") != nullptr) members.read("label", name.label);
  members.read("outer", name.outer_calls);
  members.read("count", of.count);
  members.read("unfinished", of.unfinished_count);
  members.read("total", of.total_ns);
  members.read("sum", of.sum_ns);
  members.read("finished_sum", of.finished_sum_ns);
  members.read("self", of.self_ns);
  members.read("median", of.median_ns);
  members.read("p90", of.p90_ns);
  members.read("p99", of.p99_ns);
  members.read("min", of.min_ns);
  members.read("max", of.max_ns);
  if (of.count == 0 || of.min_ns < 0 || of.min_ns > of.max_ns) members.fail("min");
  std::string text;
  members.read("durations", text);
  std::vector<std::uint32_t> entries;
  const bool counted = read_pairs<std::uint32_t>(text, [&](std::uint32_t bucket, std::uint32_t n) {
    if (bucket >= kBuckets || n == 0 || n > DurationIndex::kMostInEntry) return false;
    entries.push_back(bucket << DurationIndex::kCountBits | n);
    return true;
  });
  if (!counted) members.fail("durations");
  run.durations.append(place, entries);
  const JsonValue* spans = value.find("spans");
  if (spans == nullptr) return;
  std::vector<SpanDurations::Span> read;
  const bool spanned = read_pairs<double>(spans->text, [&](std::uint32_t count, double sum_ns) {
    read.push_back({count, sum_ns});
    return true;
  });
  if (!spanned || read.size() != SpanDurations::kSpans) {
    members.fail("spans");
    return;
  }
  run.spans.names.push_back(place);
  run.spans.spans.insert(run.spans.spans.end(), read.begin(), read.end());
}

MeasuredRun read_run(const JsonValue& value, std::string& wrong) {
  MeasuredRun run;
  Members members(value, wrong);
  members.read("path", run.path);
  members.read("format", run.format);
  std::string axis;
  members.read("axis", axis);
  if (axis != "ns" && axis != "events") members.fail("axis");
  run.axis = axis == "events" ? TimeAxis::events : TimeAxis::nanoseconds;
  if (value.find("unit") != nullptr) {
    std::string unit;
    members.read("unit", unit);
    run.axis.unit = UnitWord(unit);
  }
  if (value.find("scale") != nullptr) {
    std::uint64_t scale = 1;
    members.read("scale", scale);
    if (scale == 0 || scale > 1'000'000) members.fail("scale");
    run.axis.scale = static_cast<std::uint32_t>(scale);
  }
  if (value.find("weight") != nullptr) members.read("weight", run.weight);
  if (const JsonValue* apart = value.find("threads_apart")) {
    run.threads_apart = apart->boolean().value_or(false);
  }
  members.read("begin", run.begin_ns);
  members.read("end", run.end_ns);
  members.read("trace_begin", run.trace_begin_ns);
  members.read("trace_end", run.trace_end_ns);
  members.read("calls", run.calls);
  members.read("unfinished", run.unfinished);
  members.read("self", run.self_ns);
  members.read("busy", run.busy_ns);
  members.read("damage", run.damage);
  if (const JsonValue* threads = members.array("threads")) {
    for (const JsonMember& each : threads->members) {
      Members of(each.value, wrong);
      RunThread& thread = run.threads.emplace_back();
      of.read("process", thread.process);
      of.read("pid", thread.pid);
      of.read("name", thread.name);
      of.read("tid", thread.tid);
      of.read("first", thread.first_ns);
      of.read("calls", thread.calls);
      of.read("busy", thread.busy_ns);
    }
  }
  if (const JsonValue* names = members.array("names")) {
    for (const JsonMember& each : names->members) read_name(each.value, run, wrong);
  }
  run.ranks_known = true;
  return run;
}

Error damaged(std::string text, std::int64_t offset_bytes = kNoOffset) {
  return {.code = ErrorCode::damaged,
          .text = std::move(text),
          .expected = "Save the side anew with compare --save-side.",
          .offset_bytes = offset_bytes};
}

}  // namespace

std::string saved_side(const SideRuns& side) {
  JsonWriter out;
  out.begin_object().field(kSavedSide, kVersion);
  out.key("runs").begin_array();
  for (const auto& run : side.runs) write_run(out, *run);
  out.end_array().end_object();
  return out.str() + "\n";
}

Result<SideRuns> read_side(std::string_view json) {
  const Result<JsonValue> value = read_json(json);
  if (!value) return damaged(value.error().text, value.error().offset_bytes);
  std::string wrong;
  Members members(*value, wrong);
  int version = 0;
  members.read(kSavedSide, version);
  if (wrong.empty() && version != kVersion) {
    return damaged(fmt::format("This saved side has version {}, which is not known.", version));
  }
  SideRuns side;
  if (const JsonValue* runs = members.array("runs")) {
    for (const JsonMember& each : runs->members) {
      auto run = std::make_shared<MeasuredRun>(read_run(each.value, wrong));
      if (!wrong.empty()) break;
      side.runs.push_back(std::move(run));
    }
  }
  if (!wrong.empty()) {
    return damaged(fmt::format("This saved side is damaged: \"{}\" is missing or wrong.", wrong));
  }
  if (side.runs.empty()) return damaged("This saved side has no runs.");
  return side;
}

Result<SideRuns> read_side_file(const std::string& path) {
  std::error_code error;
  const UniqueFd file = open_to_read(path_of(path), error);
  const auto status = error ? std::nullopt : file_status(file, error);
  if (!status) {
    return Error{.code = ErrorCode::cannot_read, .text = error.message() + ".", .expected = {}};
  }
  if (status->size_bytes > kMostBytes) {
    return Error{.code = ErrorCode::too_large,
                 .text = "A saved side of more than 1 GiB is not read.",
                 .expected = {}};
  }
  std::string text(status->size_bytes, '\0');
  text.resize(read_all(file, std::as_writable_bytes(std::span(text)), error));
  if (error) {
    return Error{.code = ErrorCode::cannot_read, .text = error.message() + ".", .expected = {}};
  }
  return read_side(text);
}

bool is_saved_side(const std::string& path) {
  const auto status = file_status(path_of(path));
  if (!status || status->kind != FileKind::regular) return false;
  std::error_code error;
  const UniqueFd file = open_to_read(path_of(path), error);
  if (error) return false;
  std::string head(64, '\0');
  head.resize(read_all(file, std::as_writable_bytes(std::span(head)), error));
  std::erase_if(head, [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; });
  return head.starts_with(fmt::format("{{\"{}\":", kSavedSide));
}

}  // namespace cinderscope
