#include "formats/qubership/text/record_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "formats/qubership/call_records.h"
#include "formats/qubership/stored_value.h"
#include "formats/qubership/text/filled_sql.h"
#include "formats/qubership/text/method_word.h"
#include "formats/qubership/text/sql_text.h"
#include "formats/qubership/text/wire_text.h"
#include "formats/qubership/trace_load.h"
#include "formats/qubership/trace_reader.h"
#include "ingest/base/json/json_writer.h"
#include "ingest/base/utf8.h"

namespace cinderscope::qubership {
namespace {

constexpr std::string_view kMissing = "(missing: ";  // of what refers to nothing
constexpr std::size_t kMostTags = 2000;
constexpr std::uint64_t kMostValueUnits = 1 << 20;
constexpr std::size_t kMostBytes = 16u << 20;  // of all values
// Drawn line by line in every frame; the whole is among the arguments.
constexpr std::size_t kMostTexts = 8, kMostTextBytes = 64 << 10;

// A parameter and its values, in the order of the trace.
struct NamedValues {
  std::string name;
  std::vector<std::string> values;
  const Parameter* known = nullptr;
};

struct Statement {
  std::string sql, binds;  // no binds: none were noted
};

class Description {
 public:
  // Whether values come in the order in which they were noted.
  Description(const Recording& recording, bool in_order)
      : recording_(recording), in_order_(in_order) {}

  void add_method(std::uint32_t id) {
    word_ = recording_.dictionary.text(recording_.store, id);
    const MethodWord method = method_word(word_);
    if (!method.is_method) return;
    fact("Method", fmt::format("{}({})", method.qualified, method.arguments));
    fact("Returns", std::string(method.return_type));
    fact("Source", std::string(method.source));
    fact("Jar", std::string(method.jar));
  }

  void fact(std::string_view key, std::string value) {
    if (!value.empty()) out_.facts.emplace_back(key, std::move(value));
  }
  void amount(std::string_view key, std::int64_t value, std::string_view unit) {
    if (value != 0) fact(key, fmt::format("{}{}", value, unit));
  }

  void add_value(std::uint32_t parameter, std::string value) {
    std::string name = recording_.dictionary.text(recording_.store, parameter);
    if (name == "call.info" && value.empty()) return;  // an artefact of the writer
    note_sql(name, value);
    const auto same = std::ranges::find(values_, name, &NamedValues::name);
    if (same != values_.end()) {
      same->values.push_back(std::move(value));
      return;
    }
    const auto known = std::ranges::lower_bound(recording_.parameters, name, {}, &Parameter::name);
    const bool there = known != recording_.parameters.end() && known->name == name;
    values_.push_back({std::move(name), {}, there ? &*known : nullptr});
    values_.back().values.push_back(std::move(value));
  }

  void add_call(const CallRecord& call) {
    if (call.cpu_ms != 0) out_.cpu_ns = ns_of_ms(call.cpu_ms);
    fact("Calls inside", fmt::format("{}", call.enters));
    amount("Wait", call.wait_ms, " ms");
    amount("Queue wait", call.queue_ms, " ms");
    amount("Memory", call.memory_bytes, " bytes allocated");
    amount("Files read", call.file_read, " bytes");
    amount("Files written", call.file_written, " bytes");
    amount("Network read", call.net_read, " bytes");
    amount("Network written", call.net_written, " bytes");
    amount("Transactions", call.transactions, "");
    amount("Logs written", static_cast<std::int64_t>(call.logs_written), " bytes");
    amount("Logs generated", static_cast<std::int64_t>(call.logs_generated), " bytes");
  }

  RecordText take(bool cut) {
    for (const Statement& statement : statements_) add_statement(statement);
    std::ranges::stable_sort(values_, {}, [](const NamedValues& values) {
      return values.known == nullptr ? 100 : values.known->order;
    });
    std::string json = "{";
    std::string table;
    for (const NamedValues& values : values_) {
      json += json_quoted(values.name) + ": ";
      if (values.values.size() > 1) json += '[';
      for (std::size_t i = 0; i < values.values.size(); ++i) {
        json += (i == 0 ? "" : ", ") + json_quoted(values.values[i]);
      }
      json += values.values.size() > 1 ? "], " : ", ";
      if (values.known == nullptr) continue;
      table +=
          fmt::format("{}{}: \"order {}{}{}\"", table.empty() ? "" : ", ", json_quoted(values.name),
                      values.known->order, values.known->indexed ? ", indexed" : "",
                      values.known->list ? ", list" : "");
    }
    if (!table.empty()) json += "\"parameters\": {" + table + "}, ";
    json += "\"method\": " + json_quoted(word_) + "}";
    out_.args = parse_args(json);
    out_.args.cut |= cut;
    return std::move(out_);
  }

 private:
  // Bound values follow the statement that they belong to; the calls list keeps no order.
  void note_sql(std::string_view name, const std::string& value) {
    const bool is_missing = value.starts_with(kMissing);
    if (name == "sql") {
      takes_binds_ = in_order_ && !is_missing && statements_.size() < kMostTexts;
      if (!is_missing && statements_.size() < kMostTexts) statements_.push_back({value, {}});
    } else if (name == "binds" && takes_binds_ && !is_missing) {
      if (!statements_.back().binds.empty()) {  // run again with other values
        if (statements_.size() >= kMostTexts) return;
        statements_.push_back({statements_.back().sql, {}});
      }
      statements_.back().binds = value;
    }
  }
  void add_statement(const Statement& statement) {
    if (statement.binds.empty()) return add_text("SQL", formatted_sql(statement.sql));
    const FilledSql filled = filled_sql(statement.sql, statement.binds);
    if (filled.fits()) add_text("SQL with its values", formatted_sql(filled.text));
    add_text("SQL", formatted_sql(statement.sql));
    if (filled.fits()) return;
    add_text(fmt::format("Bound values, which do not fit: {} for {} placeholder{}", filled.values,
                         filled.placeholders, filled.placeholders == 1 ? "" : "s"),
             statement.binds);
  }
  void add_text(std::string_view title, std::string text) {
    if (out_.texts.size() >= kMostTexts) return;
    if (text.ends_with('\n')) text.pop_back();
    if (text.size() > kMostTextBytes) text = valid_utf8(text.substr(0, kMostTextBytes)) + " …";
    const bool there =
        std::ranges::any_of(out_.texts, [&](const LongText& t) { return t.text == text; });
    if (!there) out_.texts.push_back({std::string(title), std::move(text)});
  }

  const Recording& recording_;
  RecordText out_;
  bool in_order_;
  bool takes_binds_ = false;  // the last statement that was noted is the last of these
  std::string word_;
  std::vector<Statement> statements_;
  std::vector<NamedValues> values_;
};

std::string value_of(const Recording& recording, const TraceEvent& tag) {
  if (!tag.refers()) return utf8_of(tag.text, kMostValueUnits);
  const auto text = stored_value(recording.store, tag.value_kind, tag.file, tag.offset);
  if (text) return utf8_of(*text, kMostValueUnits);
  return fmt::format("{}{} file {}, byte {})", kMissing,
                     tag.value_kind == ValueKind::shared ? "sql" : "xml", tag.file, tag.offset);
}

// Walks the events of one thread from a call's begin to its end, over blocks and files.
class CallWalk {
 public:
  CallWalk(const Recording& recording, RecordOffset record, RecordOffset late_tag)
      : recording_(recording), late_tag_(late_tag) {
    found_ = enter_block_at(record);
    if (found_) find(record);
  }

  bool found() const { return found_; }
  std::uint32_t method() const { return event_.id; }
  std::optional<std::int64_t> moved_from_ms() const { return moved_from_ms_; }
  bool cut() const { return cut_; }

  // The next tag of the call itself; null at its end.
  const TraceEvent* next_tag() {
    while (depth_ > 0) {
      if (scanned_bytes() > kMostScannedBytes && !skip_to_late_tag()) {
        cut_ = true;
        return nullptr;
      }
      if (!events_->next(event_)) {
        if (events_->cut() || events_->damaged() || !enter_next_block()) return nullptr;
        continue;
      }
      if (event_.kind == EventKind::enter) ++depth_;
      if (event_.kind == EventKind::exit) --depth_;
      if (event_.kind == EventKind::tag && depth_ == 1) return &event_;
    }
    return nullptr;
  }

 private:
  bool enter_block_at(RecordOffset place) {
    const auto after = std::ranges::upper_bound(recording_.blocks, place, {}, &TraceBlock::begin);
    if (after == recording_.blocks.begin()) return false;
    return enter(static_cast<std::uint32_t>(std::prev(after) - recording_.blocks.begin()));
  }
  bool enter_next_block() {
    scanned_before_ += events_->at() - from_;
    const std::uint32_t next = recording_.blocks[block_].next;
    return next != kNoBlock && enter(next);
  }
  bool enter(std::uint32_t block) {
    block_ = block;
    file_ = recording_.store.file_at(recording_.blocks[block].begin);
    if (file_ == nullptr || file_->stream != Stream::trace) return false;
    const auto bytes = recording_.store.bytes(*file_);
    const std::int64_t epoch_ms = WireCursor(bytes).i64();
    events_.emplace(bytes, epoch_ms, recording_.blocks[block].begin - file_->begin);
    from_ = events_->at();
    return true;
  }
  // Reads up to the call's begin, for its time; in a very long block not from its first event.
  void find(RecordOffset record) {
    const std::uint64_t at = record - file_->begin;
    std::int64_t latest_ms = INT64_MIN;
    const bool near = at >= from_ && at - from_ <= kMostScannedBytes;
    if (!near) events_->jump(at);
    while (events_->next(event_)) {
      if (event_.at >= at) break;
      latest_ms = std::max(latest_ms, event_.time_ms);
    }
    found_ = event_.at == at && event_.kind == EventKind::enter && !events_->cut();
    if (near && event_.time_ms < latest_ms) moved_from_ms_ = event_.time_ms;
    from_ = events_->at();
  }
  std::uint64_t scanned_bytes() const { return scanned_before_ + (events_->at() - from_); }
  bool skip_to_late_tag() {
    const RecordOffset target = std::exchange(late_tag_, kNoRecord);
    if (target == kNoRecord || target <= file_->begin + events_->at()) return false;
    if (!enter_block_at(target)) return false;
    events_->jump(target - file_->begin);
    from_ = events_->at();
    scanned_before_ = 0;
    depth_ = 1;
    cut_ = true;
    return true;
  }

  const Recording& recording_;
  RecordOffset late_tag_;
  bool found_ = false, cut_ = false;
  const StreamFile* file_ = nullptr;
  std::uint32_t block_ = 0;
  std::optional<BlockReader> events_;
  TraceEvent event_;
  std::uint64_t from_ = 0, scanned_before_ = 0;
  std::uint64_t depth_ = 1;
  std::optional<std::int64_t> moved_from_ms_;
};

bool read_call(const Recording& recording, RecordOffset place, CallRecord& call) {
  const StreamFile* file = recording.store.file_at(place);
  if (file == nullptr) return false;
  CallReader reader(recording.store.bytes(*file));
  const bool names = std::ranges::binary_search(recording.naming_records, place);
  return reader.read_at(place - file->begin, names, call);
}

RecordText method_text(const Recording& recording, RecordOffset record, RecordOffset late_tag) {
  CallWalk walk(recording, record, late_tag);
  if (!walk.found()) return {};
  Description text(recording, true);
  text.add_method(walk.method());
  if (walk.moved_from_ms()) {
    text.fact("Recorded begin", fmt::format("{} ms (Unix time)", *walk.moved_from_ms()));
  }
  const auto root = std::ranges::lower_bound(recording.roots, record, {}, &KnownRoot::root);
  CallRecord call;
  if (root != recording.roots.end() && root->root() == record &&
      read_call(recording, root->call(), call)) {
    text.add_call(call);
  }
  bool cut = false;
  std::size_t tags = 0, left_bytes = kMostBytes;
  while (const TraceEvent* tag = walk.next_tag()) {
    std::string value = value_of(recording, *tag);
    cut = ++tags > kMostTags || value.size() > left_bytes;
    if (cut) break;
    left_bytes -= value.size();
    text.add_value(tag->id, std::move(value));
  }
  return text.take(cut || walk.cut());
}

RecordText call_text(const Recording& recording, RecordOffset record) {
  CallRecord call;
  if (!read_call(recording, record, call)) return {};
  Description text(recording, false);
  text.add_method(call.method);
  text.add_call(call);
  for (const CallParameter& parameter : call.parameters) {
    for (const WireText& value : parameter.values) {
      text.add_value(parameter.id, utf8_of(value, kMostValueUnits));
    }
  }
  return text.take(false);
}

}  // namespace

std::vector<std::int64_t> call_facts_of(const Recording& recording, RecordOffset record) {
  const StreamFile* file = recording.store.file_at(record);
  CallRecord call;
  const bool of_call =
      file != nullptr && (file->stream == Stream::calls || file->stream == Stream::call_ranges);
  if (!of_call || !read_call(recording, record, call)) return {};
  return {call.enters,
          ns_of_ms(call.cpu_ms),
          ns_of_ms(call.wait_ms),
          ns_of_ms(call.queue_ms),
          call.memory_bytes,
          call.file_read,
          call.file_written,
          call.net_read,
          call.net_written,
          call.transactions,
          static_cast<std::int64_t>(call.logs_written),
          static_cast<std::int64_t>(call.logs_generated)};
}

RecordText record_text(const Recording& recording, RecordOffset record, RecordOffset end_record) {
  const StreamFile* file = recording.store.file_at(record);
  if (file == nullptr) return {};
  switch (file->stream) {
    case Stream::trace:
      return method_text(recording, record, end_record);
    case Stream::calls:
    case Stream::call_ranges:
      return call_text(recording, record);
    default:
      return {};
  }
}

}  // namespace cinderscope::qubership
