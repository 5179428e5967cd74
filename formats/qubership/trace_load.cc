#include "formats/qubership/trace_load.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "formats/qubership/text/method_word.h"
#include "ingest/base/saturating.h"

namespace cinderscope::qubership {
namespace {

constexpr std::int64_t kNsPerMs = 1'000'000;
constexpr std::int64_t kMostMs = (std::int64_t{1} << 62) / kNsPerMs;

// Of Call::late_tag: no child has ended yet; one has, and no tag came since.
constexpr std::uint64_t kNoChild = kNoRecord, kAwaited = kNoRecord - 1;

constexpr std::uint64_t kMostDense = 1u << 20;

// Behind the last block that is complete. One that is damaged is complete once another begins
// behind it: where that is has been told by its first bytes, and more of the file does not change
// it.
std::uint64_t end_of_blocks(std::span<const std::byte> bytes, std::uint64_t at) {
  TraceEvent event;
  while (bytes.size() - at >= kBlockHeaderBytes) {
    BlockReader events(bytes, 0, at);
    while (events.next(event)) {
    }
    if (events.cut()) break;
    std::uint64_t next = events.at();
    if (events.damaged()) next = next_block_after(bytes, next, events.real_ms()).value_or(at);
    if (next == at) break;
    at = next;
  }
  return at;
}

}  // namespace

std::int64_t ns_of_ms(std::int64_t ms) {
  return std::clamp(ms, -kMostMs, kMostMs) * kNsPerMs;
}

TraceLoad::TraceLoad(Recording& recording, CallList& calls, TimelineBuilder& out, ProcessId process)
    : recording_(recording), calls_(calls), out_(out), process_(process) {
  // Ids of words are nearly always dense and few; of others only those in use get a name.
  method_names_.assign(static_cast<std::size_t>(std::min(recording.dictionary.size(), kMostDense)),
                       kNoName);
  ids_ = parameter_ids();
}

TraceLoad::TraceLoad(const TraceLoad& other, Recording& recording, CallList& calls,
                     TimelineBuilder& out)
    : recording_(recording),
      calls_(calls),
      out_(out),
      process_(other.process_),
      threads_(other.threads_),
      number_of_id_(other.number_of_id_),
      number_of_name_(other.number_of_name_),
      method_names_(other.method_names_),
      other_names_(other.other_names_),
      ids_(other.ids_),
      followed_(other.followed_),
      last_file_(other.last_file_),
      any_file_(other.any_file_),
      was_cut_(other.was_cut_),
      last_ns_(other.last_ns_) {
  for (ThreadState& thread : threads_) thread.slices = &out.slices(thread.id);
}

TraceLoad::ParameterIds TraceLoad::parameter_ids() const {
  const auto id_of = [&](std::string_view name) {
    return recording_.dictionary.find(recording_.store, name);
  };
  return {id_of("java.thread"), id_of("profiler.title"),  id_of("web.method"),     id_of("web.url"),
          id_of("web.query"),   id_of("web.remote.host"), id_of("web.remote.addr")};
}

bool TraceLoad::take_words() {
  const auto stays = [&](std::uint32_t id, StringId name) {
    return name == kNoName || name == out_.intern(shown_name(id));
  };
  for (const auto& [id, name] : other_names_) {
    if (!stays(id, name)) return false;
  }
  for (std::uint32_t id = 0; id < method_names_.size(); ++id) {
    if (!stays(id, method_names_[id])) return false;
  }
  const auto dense = static_cast<std::size_t>(std::min(recording_.dictionary.size(), kMostDense));
  if (dense > method_names_.size()) method_names_.resize(dense, kNoName);
  const ParameterIds before = std::exchange(ids_, parameter_ids());
  return before.thread == ids_.thread || recording_.blocks.empty();
}

std::string TraceLoad::shown_name(std::uint32_t id) const {
  const std::string word = recording_.dictionary.text(recording_.store, id);
  return std::string(short_name(method_word(word)).substr(0, kMostNameUnits * 4));
}

std::uint32_t TraceLoad::thread_number(std::int64_t id) {
  const auto next = static_cast<std::uint32_t>(threads_.size());
  const auto [found, added] = number_of_id_.try_emplace(id, next);
  if (added) {
    ThreadState& thread = threads_.emplace_back();
    thread.id = out_.thread(process_, fmt::to_string(id));
    thread.slices = &out_.slices(thread.id);
  }
  return found->second;
}

std::uint32_t TraceLoad::thread_named(const std::string& name) {
  const auto next = static_cast<std::uint32_t>(threads_.size());
  const auto [found, added] = number_of_name_.try_emplace(name, next);
  if (added) {
    ThreadState& thread = threads_.emplace_back();
    thread.id = out_.thread(process_, name.empty() ? "-" : name);  // no id is known
    thread.name = name;
    out_.thread_facts(thread.id).name = out_.intern(name);
  }
  return found->second;
}

StringId TraceLoad::method_name(std::uint32_t id) {
  StringId* known = nullptr;
  if (id < method_names_.size()) {
    known = &method_names_[id];
    if (*known != kNoName) return *known;
  } else {
    const auto [found, added] = other_names_.try_emplace(id, kNoName);
    known = &found->second;
    if (!added) return *known;
  }
  *known = out_.intern(shown_name(id));
  return *known;
}

void TraceLoad::begin_file(const StreamFile& file) {
  if (std::exchange(was_cut_, false)) lose_track();
  if (any_file_ && file.index != last_file_ + 1) {
    report(out_.diagnostics(), diagnostic::kMissingFile, file, 0,
           "the file before it is missing; calls that were open then end there.");
    lose_track();
  }
  any_file_ = true;
  last_file_ = file.index;
}

bool TraceLoad::trace(const StreamFile& file, ReadOn& from, AtEnd end, const GoOn& go_on) {
  constexpr std::uint64_t kAskEachBytes = 4u << 20;
  std::span<const std::byte> bytes = recording_.store.bytes(file);
  Diagnostics& problems = out_.diagnostics();
  stray_exits_ = stray_tags_ = early_ = clamped_ = {};
  const bool has_head = bytes.size() >= kTraceHeaderBytes;
  if (end == AtEnd::more && !has_head) return true;
  if (from.at == 0) begin_file(file);
  if (!bytes.empty() && !has_head) {
    report(problems, diagnostic::kTruncated, file, 0, "the file ends in its head.");
  }
  WireCursor header(bytes);
  const std::int64_t epoch_ms = header.i64();
  std::uint64_t at =
      from.at != 0 ? from.at : std::min<std::uint64_t>(kTraceHeaderBytes, bytes.size());
  if (end == AtEnd::more) {
    bytes = bytes.first(static_cast<std::size_t>(end_of_blocks(bytes, at)));
  }
  std::uint64_t ask_at = at + kAskEachBytes;
  bool goes_on = true;
  while (goes_on && at < bytes.size()) {
    if (bytes.size() - at < kBlockHeaderBytes) {
      report(problems, diagnostic::kTruncated, file, at,
             "the file ends in the middle of a block's head.");
      break;
    }
    BlockReader events(bytes, epoch_ms, at);
    read_block(file, at, events);
    at = events.at();
    if (events.damaged()) {
      report(problems, diagnostic::kDataDamaged, file, at,
             "a tag's value is of an unknown kind; events up to the next block were left out.");
      lose_track();
      at = next_block_after(bytes, at, events.real_ms()).value_or(bytes.size());
    } else if (events.cut()) {
      was_cut_ = true;
      report(problems, diagnostic::kTruncated, file, at, "the file ends in the middle of a block.");
    }
    if (at < ask_at) continue;
    ask_at = at + kAskEachBytes;
    goes_on = go_on();
  }
  from.at = at;
  report(problems, diagnostic::kStrayEnd, file, stray_exits_.first_at,
         "a method's end has no open call and was left out.", stray_exits_.count);
  report(problems, diagnostic::kStrayTag, file, stray_tags_.first_at,
         "a value stands outside of any call and was left out.", stray_tags_.count);
  report(problems, diagnostic::kEarlyEvent, file, early_.first_at,
         "an event was noted later than it happened; it is drawn where the one before it is.",
         early_.count);
  report(problems, diagnostic::kClampedTime, file, clamped_.first_at,
         "a time lies beyond 146 years from zero and was moved to that limit.", clamped_.count);
  return goes_on;
}

void TraceLoad::read_block(const StreamFile& file, std::uint64_t at, BlockReader& events) {
  const std::uint32_t number = thread_number(events.thread_id());
  ThreadState& thread = threads_[number];
  std::vector<TraceBlock>& blocks = recording_.blocks;
  const auto block = static_cast<std::uint32_t>(blocks.size());
  if (thread.last_block != kNoBlock) {
    blocks[thread.last_block].next = block;
  } else {
    followed_.push_back(number);
  }
  thread.last_block = block;
  blocks.push_back({file.begin + at, number});
  const std::span<const std::uint32_t> calls = calls_.of_block(file.index, at);
  for (const std::uint32_t call : calls) calls_.call(call).thread = number;

  auto due = calls.begin();
  TraceEvent event;
  for (std::uint32_t i = 0; events.next(event); ++i) {
    for (; due != calls.end() && calls_.call(*due).event <= i; ++due) {
      ListedCall& call = calls_.call(*due);
      if (call.event == i && event.kind == EventKind::enter) call.root = file.begin + event.at;
    }
    take(file, event, thread);
  }
}

void TraceLoad::take(const StreamFile& file, const TraceEvent& event, ThreadState& thread) {
  const RecordOffset place = file.begin + event.at;
  ++recording_.counts.events;
  std::int64_t time_ns = ns_of_ms(event.time_ms);
  if (event.time_ms > kMostMs || event.time_ms < -kMostMs) clamped_.note(event.at);
  if (time_ns < thread.last_ns) {
    early_.note(event.at);
    time_ns = thread.last_ns;
  }
  thread.last_ns = time_ns;
  last_ns_ = std::max(last_ns_, time_ns);
  switch (event.kind) {
    case EventKind::enter:
      recording_.counts.trees += thread.open.empty() ? 1 : 0;
      thread.slices->begin(time_ns, method_name(event.id), place);
      thread.open.push_back({place, kNoChild});
      break;
    case EventKind::exit: {
      if (thread.open.empty()) {
        stray_exits_.note(event.at);
        break;
      }
      const Call call = thread.open.back();
      thread.open.pop_back();
      const bool far = call.late_tag < kAwaited && call.late_tag - call.record > kMostScannedBytes;
      thread.slices->end(time_ns, kNoName, place, far ? call.late_tag : kNoRecord);
      if (!thread.open.empty()) thread.open.back().late_tag = kAwaited;
      break;
    }
    case EventKind::tag:
      ++recording_.counts.tags;
      if (thread.open.empty()) {
        stray_tags_.note(event.at);
        break;
      }
      if (thread.open.back().late_tag == kAwaited) thread.open.back().late_tag = place;
      if (ids_.thread == event.id) thread.name_tag = place;
      break;
    case EventKind::end_of_block:
      break;
  }
}

void TraceLoad::lose_track() {
  for (const std::uint32_t number : followed_) {
    ThreadState& thread = threads_[number];
    thread.last_block = kNoBlock;
    while (!thread.open.empty()) {
      thread.slices->end(thread.last_ns, kNoName, thread.open.back().record, kNoRecord,
                         kUnfinished);
      thread.open.pop_back();
    }
  }
  followed_.clear();
}

}  // namespace cinderscope::qubership
