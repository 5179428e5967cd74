#include "formats/perf_script/perf_reader.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "ingest/base/number_text.h"
#include "ingest/base/text_bytes.h"
#include "ingest/base/text_hash.h"
#include "ingest/build/profile/profile_diagnostics.h"

namespace cinderscope::perf_script {
namespace {

constexpr DiagnosticKind kUnknownPerfLine{
    "unknown_line", Severity::odd,
    "A line is neither a record nor a frame of one, and was left out."};
constexpr DiagnosticKind kSkippedPerfRecord{
    "skipped_record", Severity::harmless,
    "Records of perf itself (PERF_RECORD_...) are not drawn."};
constexpr DiagnosticKind kCutStack{"truncated",
                                   Severity::damage,
                                   "The text ends within a stack; its sample was left out.",
                                   {},
                                   true};
constexpr std::uint64_t kMostNotes = 100;

// Where the next line without anything begins; the text's end if there is none.
std::uint64_t blank_line_from(std::string_view text, std::uint64_t from) {
  for (; from + 17 <= text.size(); from += 16) {
    const std::uint32_t ends = SixteenBytes(text.data() + from).equal('\n') &
                               SixteenBytes(text.data() + from + 1).equal('\n');
    if (ends != 0) return from + static_cast<std::uint64_t>(std::countr_zero(ends)) + 1;
  }
  const std::size_t found = text.find("\n\n", from);
  return found == std::string_view::npos ? text.size() : found + 1;
}

// How many bytes before `a` and before `b` are the same; no more than `most`.
std::uint64_t same_bytes_before(const char* a, const char* b, std::uint64_t most) {
  std::uint64_t same = 0;
  while (same + 16 <= most) {
    const std::uint32_t equal = SixteenBytes(a - same - 16).equal(SixteenBytes(b - same - 16));
    if (equal != 0xffff) return same + static_cast<std::uint64_t>(std::countl_one(equal << 16));
    same += 16;
  }
  while (same < most &&
         a[-1 - static_cast<std::ptrdiff_t>(same)] == b[-1 - static_cast<std::ptrdiff_t>(same)]) {
    ++same;
  }
  return same;
}

}  // namespace

PerfReader::Line PerfReader::line_at(std::uint64_t offset) const {
  const std::size_t found = text_.find('\n', offset);
  const bool whole = found != std::string_view::npos;
  const std::size_t end = whole ? found : text_.size();
  Line line{text_.substr(offset, end - offset), offset, whole ? end + 1 : end, whole};
  if (line.text.ends_with('\r')) line.text.remove_suffix(1);
  return line;
}

void PerfReader::read_to(std::uint64_t offset) {
  while (at_ < text_.size() && at_ < offset) {
    if (open_ && shared_.stack != nullptr && at_ == shared_.begin && at_ < shared_.end) {
      shared_.taken = true;
      at_ = shared_.end;
      continue;
    }
    const Line line = line_at(at_);
    at_ = line.end;
    read_line(line);
  }
}

void PerfReader::finish() {
  end_record(text_.size());
  if (samples_.sample_count() > 0 || instant_count_ > 0) {
    out_->diagnostics().count(profile_diagnostic::kMissingSampleTime, kNoOffset, {},
                              untimed_instants_);
  }
}

void PerfReader::read_line(const Line& line) {
  if (line.text.find_first_not_of(" \t\r\v\f") == std::string_view::npos) {
    return end_record(line.begin);
  }
  if (line.text.starts_with('#')) {
    shared_.stack = nullptr;
    return read_comment(line.text);
  }
  if (!open_ || !line.text.starts_with('\t')) {
    if (const auto record = record_line(line.text)) return begin_record(*record, line.begin);
  }
  if (open_) {
    const auto frame = frame_line(line.text, true);
    const bool cut =
        !line.whole && (frame ? !frame->text.ends_with(')') : is_begun_frame(line.text));
    if (cut) {
      out_->diagnostics().count(kCutStack, static_cast<std::int64_t>(line.begin));
      open_.reset();
      return;
    }
    if (frame) return read_frame(*frame, line);
    shared_.stack = nullptr;  // the next stack has to come by this line as well
  }
  out_->diagnostics().count(kUnknownPerfLine, static_cast<std::int64_t>(line.begin));
}

// "# cmdline : perf record -g"
void PerfReader::read_comment(std::string_view line) {
  line.remove_prefix(1);
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || comment_count_ >= kMostNotes) return;
  const auto trimmed = [](std::string_view text) {
    while (text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    return text;
  };
  const std::string_view key = trimmed(line.substr(0, colon));
  const std::string_view value = trimmed(line.substr(colon + 1));
  if (key.empty() || value.empty()) return;
  ++comment_count_;
  out_->note(key, value);
}

void PerfReader::begin_record(const RecordLine& record, std::uint64_t offset) {
  end_record(offset);
  if (record.is_other) {
    out_->diagnostics().count(kSkippedPerfRecord, static_cast<std::int64_t>(offset));
    return;
  }
  open_ = OpenRecord{.line = record, .offset = offset, .has_payload = !record.rest.empty()};
  stack_.clear();
  shared_.stack = nullptr;
  shared_.taken = false;
  if (const auto frame = frame_of_rest(record.rest)) {
    stack_.push_back({frames_->frame(frame->address, frame->text, {}), offset});
    open_->has_payload = false;
  } else {
    find_shared_frames(record.tid);
  }
}

// Of a thread's stack mostly the outer frames are those of the one before, byte for byte; what was
// read there needs no more than a comparison. Only lines that are frames are compared.
void PerfReader::find_shared_frames(std::string_view tid) {
  if (at_ >= text_.size() || text_[at_] != '\t') return;
  if (next_blank_line_ < at_) next_blank_line_ = blank_line_from(text_, at_);
  // Once for each blank line: records may follow each other without any.
  if (next_blank_line_ == text_.size() || next_blank_line_ == shared_.end) return;
  ReadStack& known = last_stacks_[text_hash(tid) % kKnownStacks];
  const std::uint64_t end = next_blank_line_;
  auto& frames = known.frames;
  if (!frames.empty()) {
    const std::uint64_t most = std::min(end - at_, frames.back().before_end);
    const std::uint64_t same =
        same_bytes_before(text_.data() + end, text_.data() + known.end, most);
    while (!frames.empty() &&
           (frames.back().before_end > same || text_[end - frames.back().before_end - 1] != '\n')) {
      frames.pop_back();
    }
  }
  shared_ = {&known, end - (frames.empty() ? 0 : frames.back().before_end), end, false};
}

// Of the open record, whose lines end at `end`.
std::uint32_t PerfReader::path_of_stack(std::uint64_t end) {
  ReadStack* const known = std::exchange(shared_.stack, nullptr);
  const bool goes_on = known != nullptr && shared_.taken;
  const bool is_whole = known != nullptr && end == shared_.end;
  std::uint32_t path = goes_on ? known->frames.back().path : kNoCall;
  if (is_whole && !goes_on) known->frames.clear();
  for (auto line = stack_.rbegin(); line != stack_.rend(); ++line) {
    path = frames_->path(path, line->frame);
    if (is_whole) known->frames.push_back({end - line->begin, path});
  }
  if (is_whole) known->end = end;
  return path;
}

// The line below may tell where in the source the frame is.
void PerfReader::read_frame(const FrameLine& frame, const Line& line) {
  std::string_view source;
  if (line.whole && at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) {
    const Line below = line_at(at_);
    if (!frame_line(below.text, false)) source = source_of_line(below.text);
    if (!source.empty()) at_ = below.end;
  }
  stack_.push_back({frames_->frame(frame.address, frame.text, source), line.begin});
}

ThreadId PerfReader::thread_of(const RecordLine& record) {
  const std::string_view pid = record.pid.empty() ? std::string_view("-") : record.pid;
  const bool idle = record.tid == "0" && !record.cpu.empty();
  thread_key_.assign(pid).append(1, '/').append(record.tid);
  if (idle) {
    const auto cpu = parse_number<std::uint32_t>(record.cpu);  // written as 001
    thread_key_.append(1, '@').append(cpu ? std::to_string(*cpu) : std::string(record.cpu));
  }
  if (thread_key_ != last_thread_key_) {
    last_thread_key_ = thread_key_;
    const auto [at, fresh] = threads_.try_emplace(thread_key_, kNoThread);
    if (fresh) {
      at->second =
          out_->thread(out_->process(pid), std::string_view(thread_key_).substr(pid.size() + 1));
    }
    last_thread_ = at->second;
  }
  // Of several names, which a program may give itself, the last one counts.
  Thread& thread = out_->thread_facts(last_thread_);
  if (out_->strings()->text(thread.name) != record.comm) {
    thread.name = out_->intern(record.comm);
  }
  if (!record.pid.empty() && record.pid == record.tid) {
    out_->process_facts(thread.process).name = thread.name;
  }
  return last_thread_;
}

void PerfReader::end_record(std::uint64_t end) {
  if (!open_) return;
  const OpenRecord record = *open_;
  open_.reset();
  const RecordLine& line = record.line;
  const ThreadId thread = thread_of(line);
  const EventName event = event_name(line.event);
  if (stack_.empty() && !shared_.taken && record.has_payload) {
    if (!line.time_ns) {
      ++untimed_instants_;
      return;
    }
    std::string name(event.name);
    if (!event.modifiers.empty()) name.append(1, ':').append(event.modifiers);
    out_->instant(thread, *line.time_ns, out_->intern(name), first_line_ + record.offset);
    ++instant_count_;
    return;
  }
  const std::uint32_t call = frames_->call_of_sample(path_of_stack(end));
  if (record.has_payload && call != kNoCall) payloads_.try_emplace(call, record.offset);
  PerfSample sample{.time_ns = line.time_ns.value_or(0),
                    .period = line.period.value_or(0),
                    .call = call,
                    .cpu = parse_number<std::uint32_t>(line.cpu).value_or(kNoCpu)};
  samples_.add(samples_.event(event.name, event.modifiers), thread, sample,
               line.time_ns.has_value());
}

}  // namespace cinderscope::perf_script
