#include "formats/thread_stream/growing/growing_streams.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <utility>

#include "ingest/base/parallel.h"
#include "ingest/base/path_text.h"

namespace cinderscope::thread_stream {
namespace {

constexpr std::uint64_t kWindowsEachJob = 2;

bool is_same_chunk(const Chunk& then, const Chunk& now) {
  return then.at == now.at && then.kind == now.kind && then.stream == now.stream &&
         then.sequence == now.sequence && then.ordinal == now.ordinal &&
         then.stored_bytes == now.stored_bytes && then.first_tick == now.first_tick;
}

bool is_sample(const ClockSample& a, const ClockSample& b) {
  return a.tick == b.tick && a.monotonic_ns == b.monotonic_ns;
}

std::size_t managed_count(const Tables& tables) {
  return tables.assemblies.size() + tables.classes.size() + tables.methods.size();
}

std::string names_path_of(const Names& names) {
  return names.file ? names.file->path : std::string();
}

}  // namespace

std::map<std::uint32_t, std::vector<std::uint32_t>> chunks_by_stream(const Recording& recording) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> chunks_of;
  const std::vector<Chunk>& chunks = recording.walked.chunks;
  for (std::uint32_t i = 0; i < chunks.size(); ++i) {
    if (chunks[i].kind != kTableChunk) chunks_of[chunks[i].stream].push_back(i);
  }
  for (const auto& [stream, entry] : recording.tables.threads) chunks_of.try_emplace(stream);
  for (auto& [stream, indices] : chunks_of) {
    std::ranges::stable_sort(indices, {}, [&](std::uint32_t i) { return chunks[i].sequence; });
  }
  return chunks_of;
}

ThreadId thread_of_stream(std::uint32_t stream, const Tables& tables, ProcessId process,
                          std::map<std::uint64_t, std::uint32_t>& used_tids, TimelineBuilder& out) {
  const auto entry = tables.threads.find(stream);
  if (entry == tables.threads.end()) return out.thread(process, fmt::format("#{}", stream));
  const std::uint32_t times = ++used_tids[entry->second.tid];
  const ThreadId thread =
      out.thread(process, times == 1 ? fmt::to_string(entry->second.tid)
                                     : fmt::format("{}#{}", entry->second.tid, times));
  out.thread_facts(thread).name = out.intern(tables.text(entry->second.name));
  return thread;
}

ProcessId process_of(const Recording& recording, TimelineBuilder& out) {
  const auto& pid = recording.header.pid;
  const ProcessId process = out.process(pid ? fmt::to_string(*pid) : "-");
  out.process_facts(process).name = out.intern(recording.tables.fact("name"));
  return process;
}

std::unique_ptr<GrowingStreams> GrowingStreams::create(const Recording& recording,
                                                       const LoadContext& context) {
  const bool live = (recording.header.flags & kLive) != 0 && !recording.tables.finished;
  if (!live || recording.header.damaged || !context.options().reads_on) return nullptr;
  std::unique_ptr<GrowingStreams> growing(new GrowingStreams(context.keep()));
  growing->builder_ = std::make_unique<TimelineBuilder>(
      recording.tables.fact("axis") == "events" ? TimeAxis::events : TimeAxis::nanoseconds);
  growing->builder_->keep_only(growing->keep_);
  return growing;
}

bool GrowingStreams::take(const Input& input, const Recording& recording, const Names& names,
                          const TickClock& clock, const std::vector<StringId>& near_sites,
                          LoadContext& context) {
  if (known_ && !is_same_file(recording, names, context)) return false;
  around_.emplace(StreamSurroundings{input, recording.walked.chunks, recording.tables, names.code,
                                     clock, near_sites, *builder_});
  builder_->stop_when(context.cancel_flag());
  if (!go_on(recording, *around_)) return false;
  remember(recording, names, context);
  return read(context, TickClock::settled(recording.header, recording.tables.clock));
}

void GrowingStreams::remember(const Recording& recording, const Names& names,
                              const LoadContext& context) {
  const Tables& tables = recording.tables;
  Known& known = known_.emplace(Known{});
  known.chunks = recording.walked.chunks;
  known.clock = tables.clock;
  for (const auto& [stream, entry] : tables.threads) known.tids[stream] = entry.tid;
  for (const Snapshot& snapshot : tables.snapshots) {
    known.segments.push_back(snapshot.segments.size());
  }
  known.symbols = tables.symbols.size();
  known.managed = managed_count(tables);
  known.redefined = recording.odd.of(Oddity::duplicate_id);
  known.axis = tables.fact("axis");
  known.names = context.names();
  known.names_path = names_path_of(names);
  known.names_status = file_status(path_of(known.names_path));
}

bool GrowingStreams::is_same_file(const Recording& recording, const Names& names,
                                  const LoadContext& context) {
  const std::string path = names_path_of(names);
  return recording.odd.of(Oddity::duplicate_id) == known_->redefined &&
         context.names() == known_->names && path == known_->names_path &&
         file_status(path_of(path)) == known_->names_status && has_same_tables(recording.tables);
}

bool GrowingStreams::has_same_tables(const Tables& tables) const {
  const Known& known = *known_;
  if (tables.symbols.size() != known.symbols || managed_count(tables) != known.managed) {
    return false;
  }
  if (tables.fact("axis") != known.axis || tables.clock.size() < known.clock.size() ||
      !std::ranges::equal(known.clock, std::span(tables.clock).first(known.clock.size()),
                          is_sample)) {
    return false;
  }
  // Threads come in order of their streams' numbers.
  for (const auto& [stream, entry] : tables.threads) {
    const auto then = known.tids.find(stream);
    const bool is_known = then != known.tids.end();
    if (is_known ? then->second != entry.tid
                 : !streams_.empty() && stream <= streams_.rbegin()->first) {
      return false;
    }
  }
  if (tables.snapshots.size() < known.segments.size()) return false;
  for (std::size_t i = 0; i < tables.snapshots.size(); ++i) {
    const Snapshot& snapshot = tables.snapshots[i];
    const bool is_known = i < known.segments.size();
    if (is_known && snapshot.segments.size() == known.segments[i]) continue;
    const bool renames = std::ranges::any_of(
        streams_, [&](const auto& each) { return each.second.renamed_by_map(snapshot.tick); });
    if (renames) return false;
  }
  return true;
}

bool GrowingStreams::go_on(const Recording& recording, const StreamSurroundings& around) {
  const std::vector<Chunk>& chunks = recording.walked.chunks;
  std::vector<std::uint32_t> index_now;
  if (known_) {
    std::uint32_t at = 0;
    for (const Chunk& then : known_->chunks) {
      while (at < chunks.size() && chunks[at].at < then.at) ++at;
      if (at == chunks.size() || !is_same_chunk(then, chunks[at])) return false;
      index_now.push_back(at);
    }
  }
  const ProcessId process = process_of(recording, *builder_);
  std::map<std::uint64_t, std::uint32_t> used_tids;
  const std::uint32_t last = streams_.empty() ? 0 : streams_.rbegin()->first;
  const bool any = !streams_.empty();
  for (auto& [stream, indices] : chunks_by_stream(recording)) {
    const auto found = streams_.find(stream);
    const ThreadId thread =
        thread_of_stream(stream, recording.tables, process, used_tids, *builder_);
    if (found != streams_.end()) {
      if (!found->second.go_on(around, std::move(indices), index_now)) return false;
      continue;
    }
    if (any && stream < last) return false;
    StreamLoad& load = streams_.emplace(stream, StreamLoad(stream, around)).first->second;
    load.take_chunks(std::move(indices));
    load.attach(thread, builder_->slices(thread));
  }
  return true;
}

bool GrowingStreams::read(LoadContext& context, const TickClock::Settled& clock) {
  std::vector<StreamLoad*> active;
  std::uint64_t all_work = 0;
  for (auto& [stream, load] : streams_) {
    active.push_back(&load);
    all_work += load.left_work();
  }
  context.set_total_bytes(all_work);
  const std::uint64_t round = context.jobs() * kWindowsEachJob * context.window_bytes();
  while (!active.empty()) {
    const std::uint64_t share = round / active.size() + 1;
    std::vector<std::uint8_t> more(active.size());
    std::uint64_t before = 0, after = 0, left = 0;
    for (const StreamLoad* stream : active) before += stream->counts.records;
    parallel_for(active.size(), context.jobs(), [&](std::size_t i) {
      more[i] = active[i]->settle(share, clock, context.cancel_flag()) ? 1 : 0;
    });
    for (const StreamLoad* stream : active) after += stream->counts.records;
    builder_->count_records(after - before);
    std::size_t i = 0;
    std::erase_if(active, [&](const StreamLoad*) { return more[i++] == 0; });
    for (const auto& [stream, load] : streams_) {
      if (!load.settles()) return false;
      left += load.left_work();
    }
    if (!context.tick(*builder_, all_work - std::min(all_work, left))) return false;
  }
  return true;
}

}  // namespace cinderscope::thread_stream
