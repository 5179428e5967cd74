#include "formats/spall/spall_load.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <vector>

#include "formats/spall/buffer_layout.h"
#include "formats/spall/buffer_reader.h"
#include "formats/spall/event_reader.h"
#include "formats/spall/flat_reader.h"
#include "ingest/base/parallel.h"
#include "ingest/base/self_trace.h"

namespace cinderscope::spall {
namespace {

constexpr std::int64_t kLongNs = 86'400'000'000'000;  // a day
constexpr std::int64_t kShortNs = 1000;
constexpr std::uint64_t kFewRecords = 100;  // so few may well be quick

std::unique_ptr<EventReader> make_reader(const SpallFile& file, const Input& input,
                                         const SpallClock& clock, const LoadContext& context) {
  if (file.flat != nullptr) {
    return make_flat_reader(*file.flat, input, clock.doubles, context.window_bytes());
  }
  return make_buffer_reader(*file.buffers, input, file.header_bytes, clock.ticks,
                            context.window_bytes(), context.jobs());
}

// One reading of the whole file.
class Pass {
 public:
  Pass(EventReader& reader, const Input& input, const TimeScale& scale, TimelineBuilder& out)
      : reader_(reader), input_(input), scale_(scale), out_(out) {}

  // False if it was cancelled.
  bool run(LoadContext& context) {
    reader_.scan();
    while (true) {
      const std::vector<std::uint32_t>& active = reader_.take_scanned();
      attach_new_threads();
      if (active.empty() && reader_.at_end()) return true;
      parallel_for(active.size() + 1, context.jobs(), [&](std::size_t i) {
        if (context.cancelled()) return;
        const SelfTraceMark mark(i == 0 ? "scan buffers" : "decode a thread");
        if (i == 0) {
          reader_.scan();
        } else {
          reader_.decode(active[i - 1], context.cancel_flag());
        }
      });
      input_.let_go(reader_.needed_from());
      for (const std::uint32_t thread : active) note(*reader_.threads()[thread], ids_[thread]);
      if (!context.tick(out_, reader_.scanned_bytes())) return false;
    }
  }

  std::uint64_t records() const { return records_; }

  // Where the rest of a buffer could not be read.
  void mark_gaps() {
    const auto& threads = reader_.threads();
    for (std::size_t i = 0; i < threads.size(); ++i) {
      for (const ThreadLoad::LostKeys& keys : threads[i]->lost) {
        const bool has_end = keys.end != INT64_MAX;
        out_.gap(ids_[i], scale_.ns(keys.begin),
                 has_end ? scale_.ns(keys.end) : DataGap::kToTheEnd);
      }
    }
  }

 private:
  void attach_new_threads() {
    auto& threads = reader_.threads();
    while (ids_.size() < threads.size()) {
      ThreadLoad& thread = *threads[ids_.size()];
      const ProcessId process = out_.process(fmt::to_string(thread.key().pid));
      const ThreadId id = out_.thread(process, fmt::to_string(thread.key().tid));
      ids_.push_back(id);
      TrackWriter& writer = out_.slices(id);
      writer.set_scale(&scale_);
      thread.attach(writer, *out_.strings());
    }
  }

  void note(ThreadLoad& thread, ThreadId id) {
    out_.count_records(thread.records);
    records_ += thread.records;
    thread.records = 0;
    if (thread.thread_name.changed) {
      thread.thread_name.changed = false;
      out_.thread_facts(id).name = out_.intern(thread.thread_name.text);
    }
    if (!thread.process_name.changed) return;
    thread.process_name.changed = false;
    // Threads of a process are read side by side: the name furthest down the file wins.
    const ProcessId process = out_.thread_facts(id).process;
    std::uint64_t& offset = process_name_offsets_[index(process)];
    if (thread.process_name.offset < offset) return;
    offset = thread.process_name.offset;
    out_.process_facts(process).name = out_.intern(thread.process_name.text);
  }

  EventReader& reader_;
  const Input& input_;
  const TimeScale& scale_;
  TimelineBuilder& out_;
  std::uint64_t records_ = 0;
  std::vector<ThreadId> ids_;  // by the reader's number of the thread
  std::unordered_map<std::uint32_t, std::uint64_t> process_name_offsets_;
};

// Section 8: a unit that is off by the factor 1000 shows in the length of the whole.
void check_span(EventReader& reader, const TimeScale& scale, std::uint64_t records,
                Diagnostics& diagnostics) {
  std::int64_t first = INT64_MAX;
  std::int64_t last = INT64_MIN;
  for (const auto& thread : reader.threads()) {
    if (!thread->has_events()) continue;
    first = std::min(first, thread->first_key());
    last = std::max(last, thread->last_key());
  }
  if (first > last) return;
  const std::int64_t span_ns = scale.ns(last) - scale.ns(first);
  const bool is_long = span_ns > kLongNs;
  if (!is_long && (span_ns >= kShortNs || records < kFewRecords)) return;
  diagnostics.count(diagnostic::kSuspiciousUnit, static_cast<std::int64_t>(kUnitAt),
                    fmt::format("The trace lasts {} in all; the header's unit of time may be wrong "
                                "by a factor of 1000.",
                                is_long ? "more than a day" : "less than a microsecond"));
}

Error cancelled() {
  return {ErrorCode::cancelled, "Loading was cancelled.", {}};
}

}  // namespace

SpallClock clock_of(const SpallFile& file, const Input& input) {
  const std::uint64_t first =
      file.buffers == nullptr ? 0 : first_tick(*file.buffers, input, file.header_bytes);
  return {DoubleClock(file.ns_per_tick), TickClock(file.ns_per_tick, first)};
}

Status load_file(const SpallFile& file, const Input& input, const SpallClock& clock,
                 TimelineBuilder& out, LoadContext& context, bool& has_args) {
  const TimeScale& scale =
      file.flat != nullptr ? static_cast<const TimeScale&>(clock.doubles) : clock.ticks;
  if (input.complete()) context.set_total_bytes(input.size_bytes());
  out.diagnostics().merge(file.diagnostics);
  const std::unique_ptr<EventReader> reader = make_reader(file, input, clock, context);
  Pass pass(*reader, input, scale, out);
  if (!pass.run(context)) return cancelled();
  input.let_go(UINT64_MAX);
  if (reader->error()) return *reader->error();
  out.diagnostics().merge(reader->diagnostics());
  for (const auto& thread : reader->threads()) out.diagnostics().merge(thread->diagnostics);
  const bool any_may = file.flat != nullptr ? file.flat->has_args : file.buffers->micro;
  has_args = any_may || std::ranges::any_of(reader->threads(),
                                            [](const auto& thread) { return thread->has_args; });
  pass.mark_gaps();
  check_span(*reader, scale, pass.records(), out.diagnostics());
  if (file.buffers != nullptr && file.buffers->micro) {
    out.process_facts(out.process("0")).name = out.intern(file.program_path);
  }
  return ok();
}

}  // namespace cinderscope::spall
