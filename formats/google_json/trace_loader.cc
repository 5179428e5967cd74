#include "formats/google_json/trace_loader.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "formats/google_json/event_border.h"
#include "ingest/base/json/json_tokens.h"
#include "ingest/base/json/raw_json.h"
#include "ingest/base/parallel.h"
#include "ingest/base/self_trace.h"
#include "ingest/input/ordered_windows.h"
#include "ingest/os/memory.h"

namespace cinderscope::google_json {
namespace {

constexpr std::string_view kUtf8Mark = "\xef\xbb\xbf";
constexpr std::string_view kExpected =
    "Expected: an array of events with \"ph\", an object with \"traceEvents\", or one event a "
    "line.";

// What a window's events take stays in the caches until they are in the model.
constexpr std::uint64_t kMostWindowBytes = 1u << 20;
// Of all that are read at a time: less than the memory that packed text passes through.
constexpr std::uint64_t kWindowsBytes = 32u << 20;
constexpr std::uint64_t kLookBack = 4096;  // for the comma before an event
constexpr std::uint64_t kShortValueBytes = 1024;
constexpr std::size_t kMostSpareEvents = 64u << 10;  // a batch with more is not kept for later

struct Window {
  std::uint64_t begin = 0, limit = 0;
};

// Batches that were used up, for the next windows. Any thread.
class SpareBatches {
 public:
  EventBatch take() {
    const std::lock_guard lock(mutex_);
    if (batches_.empty()) return {};
    EventBatch batch = std::move(batches_.back());
    batches_.pop_back();
    return batch;
  }
  void give(EventBatch batch) {
    if (batch.element_count > kMostSpareEvents) return;
    batch.clear();
    const std::lock_guard lock(mutex_);
    batches_.push_back(std::move(batch));
  }

 private:
  std::mutex mutex_;
  std::vector<EventBatch> batches_;
};

// Cuts an array's text where events seem to begin.
class WindowPlan {
 public:
  WindowPlan(const Input& input, std::uint64_t begin, std::uint64_t window_bytes)
      : text_(input), next_(begin), window_bytes_(std::max<std::uint64_t>(1, window_bytes)) {}

  std::optional<Window> next() {
    if (next_ == UINT64_MAX) return std::nullopt;
    const std::uint64_t begin = next_;
    const std::uint64_t from = begin + window_bytes_;
    text_.start_at(std::max(begin, from - std::min(from, kLookBack)));
    next_ = find_event(text_, from, UINT64_MAX).value_or(UINT64_MAX);
    return Window{begin, next_};
  }

 private:
  GrowingText text_;
  std::uint64_t next_;
  std::uint64_t window_bytes_;
};

}  // namespace

TraceLoader::TraceLoader(const Input& input, TimelineBuilder& out, LoadContext& context,
                         StackFrames& frames)
    : input_(&input),
      out_(&out),
      context_(&context),
      frames_(&frames),
      text_(input),
      sink_(out, input, frames) {
  if (context.options().for_writing) sink_.keep_ends();
  for (unsigned i = 0; i <= context.jobs(); ++i) {
    parsers_.push_back(std::make_unique<WindowParser>(input));
  }
}

Status TraceLoader::load() {
  if (input_->complete()) context_->set_total_bytes(input_->size_bytes());
  text_.reach(kUtf8Mark.size());
  const std::uint64_t begin =
      skip_blanks(text_, text_.from(0).starts_with(kUtf8Mark) ? kUtf8Mark.size() : 0);
  if (!text_.reach(begin + 1)) return no_trace(true);
  if (text_.at(begin) == '[') return load_array(begin);
  if (text_.at(begin) == '{') return load_object(begin);
  return no_trace(false);
}

Status TraceLoader::replay(std::vector<EventArray> arrays, const EventClock& clock) {
  sink_.use_clock(clock);
  for (EventArray& array : arrays) {
    const Status status = run_windows(array);
    if (!status) return status.error();
  }
  return ok();
}

Status TraceLoader::load_array(std::uint64_t begin) {
  const Result<std::uint64_t> end = load_events(begin + 1, true);
  if (!end) return end.error();
  if (arrays_.back().stop == WindowEnd::input_end) {
    count_cut(false);
  } else {
    count_trailing_text(*end);
  }
  return finish();
}

Status TraceLoader::load_lines(std::uint64_t begin) {
  members_.clear();  // they are of the first event, not of the trace
  const Result<std::uint64_t> end = load_events(begin, false);
  if (!end) return end.error();
  return finish();
}

Status TraceLoader::load_object(std::uint64_t begin) {
  std::uint64_t pos = begin + 1;
  bool cut = true;  // until its closing bracket was seen
  while (true) {
    pos = skip_blanks(text_, pos);
    if (!text_.reach(pos + 1)) break;
    if (text_.at(pos) == ',') {
      ++pos;
      continue;
    }
    if (text_.at(pos) == '}') {
      cut = false;
      count_trailing_text(pos + 1);
      break;
    }
    const std::optional<std::uint64_t> key_end =
        text_.at(pos) == '"' ? skip_value(text_, pos) : std::nullopt;
    const std::uint64_t colon = key_end ? skip_blanks(text_, *key_end) : pos;
    if (!key_end || !text_.reach(colon + 1) || text_.at(colon) != ':') {
      if (!key_end && text_.at(pos) == '"') break;  // cut inside the key
      if (!text_.reach(colon + 1)) break;
      out_->diagnostics().count(diagnostic::kBadJsonFromHere, static_cast<std::int64_t>(colon));
      cut = false;
      break;
    }
    const std::string key = decode_json_string(text_.view({pos + 1, *key_end - 1}));
    const std::uint64_t value = skip_blanks(text_, colon + 1);
    if (!text_.reach(value + 1)) break;
    if (key == "ph" && arrays_.empty()) return load_lines(begin);
    if (key == "traceEvents" && text_.at(value) == '[') {
      const Result<std::uint64_t> end = load_events(value + 1, true);
      if (!end) return end.error();
      pos = *end;
      if (arrays_.back().stop == WindowEnd::input_end) break;
      continue;
    }
    const std::optional<std::uint64_t> value_end = skip_value(text_, value);
    if (!value_end) break;
    members_.push_back({key, {value, *value_end}, {}});
    if (arrays_.empty()) keep_text(members_.back());
    if (key == "otherData" && arrays_.empty()) use_note(text_.view({value, *value_end}));
    pos = std::max(*value_end, value);
    if (pos == value) ++pos;  // no value at all
  }
  if (arrays_.empty()) return no_trace(cut);
  if (cut) count_cut(true);
  return finish();
}

// Reads one list of events; the offset behind it.
Result<std::uint64_t> TraceLoader::load_events(std::uint64_t begin, bool bracketed) {
  arrays_.push_back({.begin = begin, .bracketed = bracketed});
  text_.release();
  const Status status = run_windows(arrays_.back());
  text_.start_at(arrays_.back().end);
  if (!status) return status.error();
  return arrays_.back().end;
}

// The windows' begins are guesses. A window counts only if it begins exactly where the one before
// it ended, else it is parsed again from there; so a wrong guess costs time, never an event.
Status TraceLoader::run_windows(EventArray& array) {
  const std::uint64_t window_bytes = std::min(
      {context_->window_bytes(), kMostWindowBytes, kWindowsBytes / most_windows(context_->jobs())});
  WindowPlan plan(*input_, array.begin, window_bytes);
  SpareBatches spare;
  std::uint64_t expected = array.begin;
  std::optional<Error> error;
  bool ended = false;
  const auto use = [&](const Window& window, EventBatch batch) {
    while (expected < window.limit && !ended) {
      if (batch.begin != expected) {
        batch = parsers_.back()->parse(expected, window.limit, array.bracketed);
      }
      const SelfTraceMark mark("take events", "bytes",
                               static_cast<std::int64_t>(batch.end - batch.begin));
      sink_.consume(batch);
      note_window(batch);
      expected = batch.end;
      ended = batch.stop != WindowEnd::border;
      array.stop = batch.stop;
      if (batch.stop == WindowEnd::no_memory) {
        error = Error{ErrorCode::no_memory,
                      "There is not enough memory to read an event.",
                      {},
                      static_cast<std::int64_t>(batch.end)};
      }
    }
    spare.give(std::move(batch));
    if (!ended) input_->let_go(expected);  // what follows the events is read from here
    const bool going = context_->tick(*out_, expected);
    if (!going) error = Error{ErrorCode::cancelled, "Loading was cancelled.", {}, kNoOffset};
    return going && !ended;
  };
  for_windows_in_order<Window, EventBatch>(
      context_->jobs(), [&] { return plan.next(); },
      [&](unsigned worker, const Window& window) {
        return parsers_[worker]->parse(window.begin, window.limit, array.bracketed, spare.take());
      },
      use,
      [&] {
        context_->tick(*out_, expected);
      });  // shows what was read while the rest does not come
  array.end = expected;
  if (error) return *error;
  return ok();
}

void TraceLoader::note_window(const EventBatch& batch) {
  EventWindow window{.begin = batch.begin, .end = batch.end, .last_ns = batch.end_ns};
  for (const TimeSpan& span : batch.spans)
    window.first_ns = std::min(window.first_ns, span.begin_ns);
  window.has_others = !batch.side.empty();
  window.has_counters = batch.phase_counts['C'] > 0;
  windows_.push_back(window);
}

void TraceLoader::count_cut(bool in_object) {
  if (out_->diagnostics().has(diagnostic::kTruncated)) return;
  const auto end = static_cast<std::int64_t>(text_.reach_end());
  if (in_object) {
    out_->diagnostics().count(diagnostic::kTruncatedBrackets, end);
  } else {
    out_->diagnostics().count(diagnostic::kNoClosingBracket, end);
  }
}

void TraceLoader::count_trailing_text(std::uint64_t end) {
  const std::uint64_t next = skip_blanks(text_, end);
  if (!text_.reach(next + 1)) return;
  out_->diagnostics().count(diagnostic::kTrailingText, static_cast<std::int64_t>(next));
}

void TraceLoader::keep_text(Member& member) const {
  if (member.value.end - member.value.begin <= kShortValueBytes)
    member.text = text_.view(member.value);
}

// Before the events, as this program writes it: behind them their times are told already.
void TraceLoader::use_note(std::string_view other_data) {
  const auto note = ContainerNote::from(json::member(other_data, "cinderscope"));
  if (note) sink_.use_note(*note);
}

void TraceLoader::read_member(const Member& member) {
  const std::string_view value = member.text.empty() ? text_.seek(member.value) : member.text;
  constexpr std::string_view kOfOtherViewers[] = {"traceAnnotations", "powerTraceAsString",
                                                  "androidProcessDump", "cgroupDump"};
  if (member.key == "stackFrames") return frames_->add(value);
  if (member.key == "samples") return;  // these need the stackFrames, which may follow
  if (std::find(std::begin(kOfOtherViewers), std::end(kOfOtherViewers), member.key) !=
      std::end(kOfOtherViewers)) {
    return;
  }
  if (member.key == "displayTimeUnit" && json::text_of(value) == "ns") out_->show_ns_unit();
  if (member.key == "systemTraceEvents") {
    out_->diagnostics().count(diagnostic::kSystemTrace,
                              static_cast<std::int64_t>(member.value.begin));
  }
  if (member.key == "traceEvents") {
    out_->diagnostics().count(diagnostic::kBadJsonEventList,
                              static_cast<std::int64_t>(member.value.begin));
    return;
  }
  out_->note(member.key, value);
}

Status TraceLoader::finish() {
  text_.reach_end();
  if (sink_.element_count() > 0 && sink_.phased_count() == 0) return no_trace(false);
  for (const Member& member : members_) read_member(member);
  for (const Member& member : members_) {
    if (member.key != "samples") continue;
    sink_.add_samples(text_.seek(member.value), member.value.begin);
  }
  parsers_.clear();
  text_.release();
  // Giving memory back takes its time, too.
  const auto letting_go = in_background([this] { input_->let_go(UINT64_MAX); });
  const SelfTraceMark mark("pair async and flow events");
  sink_.finish(context_->jobs());
  give_back_free_memory();
  return ok();
}

std::vector<TextRange> TraceLoader::sample_lists() const {
  std::vector<TextRange> lists;
  for (const Member& member : members_) {
    if (member.key == "samples") lists.push_back(member.value);
  }
  return lists;
}

// Says what the file seems to be instead.
Error TraceLoader::no_trace(bool cut) const {
  const auto has = [this](std::string_view key) {
    return std::any_of(members_.begin(), members_.end(),
                       [key](const Member& member) { return member.key == key; });
  };
  std::string what = "There are no trace events in this JSON text.";
  if (has("traceEvents")) {
    what = "The traceEvents of this file are not an array.";
  } else if (cut) {
    what = "The input ends before the first trace event.";
  } else if (!members_.empty()) {
    what = fmt::format("This JSON object has no traceEvents; its first key is \"{}\".",
                       members_.front().key.substr(0, 60));
  }
  return {ErrorCode::damaged, what, std::string(kExpected)};
}

}  // namespace cinderscope::google_json
