#include "formats/google_json/event_sink.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "formats/google_json/events/operation_id.h"
#include "formats/google_json/google_json_wire.h"
#include "ingest/base/decimal_time.h"
#include "ingest/base/json/json_tokens.h"
#include "ingest/base/json/raw_json.h"
#include "ingest/base/saturating.h"

namespace cinderscope::google_json {
namespace {

constexpr std::int64_t kMostGaps = 4096;  // each is drawn in every frame

std::int64_t place(RecordOffset record) {
  return static_cast<std::int64_t>(record);
}

// One unit of the last decimal of microseconds; what is finer than a nanosecond was rounded.
std::int64_t unit_ns(int decimals) {
  constexpr std::int64_t kUnits[] = {1000, 100, 10, 1};
  return kUnits[std::clamp(decimals, 0, 3)];
}

}  // namespace

EventSink::EventSink(TimelineBuilder& out, const Input& input, StackFrames& frames)
    : out_(&out),
      text_(input),
      frames_(&frames),
      async_(out),
      objects_(out),
      flows_(out),
      samples_(out),
      metadata_(out, frames) {}

void EventSink::use_note(const ContainerNote& note) {
  clock_ = {note.begin, note.are_events};
  samples_.use_clock(clock_);
  tolerance_ns_ = note.tolerance_ns;
  if (note.are_events) out_->use_axis(TimeAxis::events);
}

void EventSink::consume(EventBatch& batch) {
  batch.move_times(clock_);
  if (keeps_ends_) {
    for (SliceEvent& event : batch.slices) event.has_args = true;
    for (KeyedEvent& event : batch.keyed) event.has_args = true;
  }
  text_.start_at(batch.begin);
  text_.reach(batch.end);
  map_tables(batch);
  feed_slices(batch);
  if (out_->replaying()) return;
  feed_counters(batch);
  feed_keyed(batch);
  for (const SideEvent& event : batch.side) add_side(event, batch);
  text_.release();
  for (std::size_t i = 0; i < phase_counts_.size(); ++i) phase_counts_[i] += batch.phase_counts[i];
  element_count_ += batch.element_count;
  phased_count_ += batch.phased_count;
  decimals_ = std::max(decimals_, batch.decimals);
  end_ns_ = std::max(end_ns_, batch.end_ns);
  // Nothing is damaged between two batches.
  spans_.back().add(batch.spans.front());
  for (const TimeSpan& span : std::span(batch.spans).subspan(1)) {
    if (spans_.size() == 1 || !spans_.back().empty()) spans_.emplace_back();
    spans_.back().add(span);
  }
  out_->count_records(batch.element_count);
  out_->diagnostics().merge(batch.diagnostics);
}

// Ids are given in the order in which names and threads come in the file, whatever the windows.
void EventSink::map_tables(const EventBatch& batch) {
  names_.clear();
  for (const LocalName& name : batch.names) {
    const std::string_view raw = text_.view(name.text);
    names_.push_back(out_->intern(name.escaped ? decode_json_string(raw) : raw));
  }
  threads_.clear();
  for (const LocalThread& thread : batch.threads) {
    threads_.push_back(out_->thread(out_->process(thread.pid), thread.tid));
    thread_by_tid_.try_emplace(thread.tid, threads_.back());
  }
  tracks_.assign(threads_.size(), nullptr);
}

void EventSink::feed_slices(const EventBatch& batch) {
  for (const SliceEvent& event : batch.slices) {
    const StringId name = name_of(event.name);
    if (event.phase == kThreadInstant) {
      out_->instant(threads_[event.thread], event.begin_ns, name, event.record);
      continue;
    }
    if (event.phase == kProcessInstant || event.phase == kGlobalInstant) {
      out_->wide_instant(threads_[event.thread], event.phase == kGlobalInstant, event.begin_ns,
                         name, event.record);
      continue;
    }
    TrackWriter*& track = tracks_[event.thread];
    if (track == nullptr) track = &out_->slices(threads_[event.thread]);
    if (event.lasts && tolerance_ns_) {  // a trace that this program wrote
      track->complete(event.begin_ns, event.duration_ns, name, event.record,
                      static_cast<std::uint8_t>(event.flags | kUnfinished));
      continue;
    }
    switch (event.phase) {
      case 'B':
        track->begin(event.begin_ns, name, event.record);
        break;
      case 'E':
        track->end(event.begin_ns, name == kEmptyString ? kNoName : name, event.record,
                   event.has_args ? event.record : kNoRecord);
        break;
      default:
        if (event.unfinished) {
          track->complete_unfinished(event.begin_ns, name, event.record, event.flags);
        } else {
          track->complete(event.begin_ns, event.duration_ns, name, event.record, event.flags);
        }
    }
  }
}

void EventSink::feed_counters(const EventBatch& batch) {
  const std::string_view keys = batch.keys;
  std::size_t next = 0;
  for (const CounterEvent& event : batch.counters) {
    StringId name = name_of(event.name);
    if (event.has_id) {
      name = out_->intern(fmt::format("{}[{}]", out_->strings()->text(name),
                                      keys.substr(event.id_begin, event.id_end - event.id_begin)));
    }
    const ProcessId process = out_->thread_facts(threads_[event.thread]).process;
    const CounterId counter = out_->counter(process, name);
    for (std::uint64_t i = 0; i < event.value_count; ++i) {
      const CounterValue& value = batch.values[next++];
      out_->counter_value(counter, name_of(value.series), event.time_ns, value.value);
    }
  }
}

void EventSink::feed_keyed(const EventBatch& batch) {
  for (const CutAsync& cut : batch.cut_async) async_.add_cut(cut);
  const std::string_view keys = batch.keys;
  for (const KeyedEvent& event : batch.keyed) {
    const std::string_view key = keys.substr(event.key_begin, event.key_end - event.key_begin);
    const ThreadId thread = threads_[event.thread];
    switch (phase_kind(event.phase)) {
      case PhaseKind::async:
        async_.add(event, key, name_of(event.name), name_of(event.step),
                   out_->thread_facts(thread).process);
        break;
      case PhaseKind::object:
        objects_.add(event, key, name_of(event.name), out_->thread_facts(thread).process);
        break;
      case PhaseKind::flow:
        flows_.add(event, key, name_of(event.name), thread);
        break;
      default:
        flows_.add_bound(event, key, name_of(event.name), thread);
    }
  }
}

void EventSink::add_side(const SideEvent& event, const EventBatch& batch) {
  const ThreadId thread = threads_[event.thread];
  const std::string_view name = out_->strings()->text(name_of(event.name));
  switch (phase_kind(event.phase)) {
    case PhaseKind::instant:
      samples_.whole_profile(thread, event.time_ns, event.record, text_.view(event.args));
      break;
    case PhaseKind::sample:
      add_sample(event, thread, name, batch.threads[event.thread].pid);
      break;
    case PhaseKind::metadata:
      metadata_.add(name, thread, text_.view(event.args), event.record);
      break;
    default:
      break;
  }
}

void EventSink::add_sample(const SideEvent& event, ThreadId thread, std::string_view name,
                           std::string_view pid) {
  const std::string_view args = text_.view(event.args);
  if (name == "Profile" || name == "ProfileChunk") {
    std::string key;
    append_operation_id(key, text_.view(event.id), text_.view(event.id2), text_.view(event.scope),
                        pid);
    key.append("\n").append(pid);
    if (name == "Profile") {
      samples_.profile(key, thread, event.time_ns, event.record, args);
    } else {
      samples_.profile_chunk(key, thread, event.time_ns, event.record, args);
    }
  } else if (event.stack_frame) {
    samples_.sample(thread, event.time_ns, event.record, id_text(text_.view(event.stack_frame)));
  } else {
    out_->count_samples(1);
    out_->diagnostics().count(diagnostic::kSampleWithoutStack, place(event.record));
  }
}

// They name a thread by its tid alone; some writers add the pid.
void EventSink::add_samples(std::string_view samples, std::uint64_t offset) {
  json::MemberReader reader(samples);
  while (reader.next()) {
    const std::string_view sample = reader.value();
    const RecordOffset record = offset + static_cast<std::uint64_t>(sample.data() - samples.data());
    const std::string_view ts = json::member(sample, "ts");
    const auto time = time_from_decimal(json::is_string(ts) ? json::text_of(ts) : std::string(ts));
    if (!time) {
      out_->diagnostics().count(diagnostic::kMissingTime, place(record));
      continue;
    }
    const std::string tid = id_text(json::member(sample, "tid"));
    const std::string_view pid = json::member(sample, "pid");
    const auto known = thread_by_tid_.find(tid);
    const ThreadId thread = pid.empty() && known != thread_by_tid_.end()
                                ? known->second
                                : out_->thread(out_->process(id_text(pid)), tid);
    samples_.sample(thread, clock_.time(time->ns), record, id_text(json::member(sample, "sf")));
  }
}

void EventSink::finish(unsigned jobs) {
  async_.close();
  objects_.close();
  flows_.close();
  flows_.finish(jobs);  // first: what is made of them is narrower than they were
  async_.finish(end_ns_, jobs);
  objects_.finish(end_ns_, jobs);
  samples_.finish(*frames_);
  metadata_.finish();
  out_->set_nesting_tolerance(tolerance_ns_.value_or(unit_ns(decimals_)));
  count_phases();
  mark_gaps();
}

// What damage took lies between the last time before it and the first behind it, if no event in the
// file before it has a later time than one behind it. Else it may have been anywhere.
void EventSink::mark_gaps() {
  std::vector<std::int64_t> first_behind(spans_.size() + 1, INT64_MAX);
  for (std::size_t i = spans_.size(); i-- > 0;) {
    first_behind[i] = std::min(first_behind[i + 1], spans_[i].begin_ns);
  }
  std::int64_t last_ns = INT64_MIN;
  std::vector<TimeSpan> gaps;
  for (std::size_t i = 0; i + 1 < spans_.size(); ++i) {
    last_ns = std::max(last_ns, spans_[i].end_ns);
    const TimeSpan gap{last_ns, first_behind[i + 1]};
    const bool known = last_ns != INT64_MIN && gap.end_ns != INT64_MAX && !gap.empty();
    if (known) gaps.push_back(gap);
  }
  // Of very many those that cannot be told apart in a picture of the whole trace are one.
  const std::int64_t near_ns =
      gaps.size() <= kMostGaps
          ? -1
          : saturating_difference(gaps.back().end_ns, gaps.front().begin_ns) / kMostGaps;
  for (std::size_t i = 0; i < gaps.size();) {
    TimeSpan gap = gaps[i++];
    while (i < gaps.size() && saturating_difference(gaps[i].begin_ns, gap.end_ns) <= near_ns) {
      gap.add(gaps[i++]);
    }
    out_->gap(kNoThread, gap.begin_ns, gap.end_ns);
  }
}

// Says what of the file is not drawn, by letter.
void EventSink::count_phases() {
  struct Ignored {
    std::string_view letters;
    const DiagnosticKind& kind;
  };
  constexpr Ignored kIgnored[] = {
      {"vV", diagnostic::kMemoryDumps},
      {"c", diagnostic::kClockSync},
      {"()", diagnostic::kContextEvents},
  };
  const auto& by_code = out_->diagnostics().by_code();
  if (const auto unknown = by_code.find(diagnostic::kUnknownPhase.code); unknown != by_code.end()) {
    const Diagnostic counted = unknown->second;
    std::string letters;
    for (std::size_t i = 0; i < phase_counts_.size(); ++i) {
      const char letter = static_cast<char>(i);
      if (phase_counts_[i] == 0 || phase_kind(letter) != PhaseKind::unknown) continue;
      const bool plain = i > 0x20 && i < 0x7f;
      letters +=
          fmt::format("{}{} ({})", letters.empty() ? "" : ", ",
                      plain ? std::string(1, letter) : fmt::format("byte {}", i), phase_counts_[i]);
    }
    out_->diagnostics().forget(diagnostic::kUnknownPhase.code);
    out_->diagnostics().count(diagnostic::kUnknownPhase, counted.first_offset,
                              "Events of unknown phases were left out: " + letters + ".",
                              counted.count);
  }
  for (const Ignored& ignored : kIgnored) {
    for (const char letter : ignored.letters) {
      out_->diagnostics().count(ignored.kind, kNoOffset, {},
                                phase_counts_[static_cast<unsigned char>(letter)]);
    }
  }
}

}  // namespace cinderscope::google_json
