#include "formats/thread_stream/trace_load.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <span>
#include <utility>

#include "formats/thread_stream/growing/growing_streams.h"
#include "formats/thread_stream/id_events.h"
#include "formats/thread_stream/symbols/write_symbols.h"
#include "ingest/base/parallel.h"
#include "ingest/base/self_trace.h"
#include "ingest/build/passing_memory.h"

namespace cinderscope::thread_stream {
namespace {

constexpr std::uint64_t kWindowsEachJob = 2;  // read in a round
constexpr std::uint64_t kWindowShare = 4;     // a byte of packed records is much work
constexpr std::uint64_t kFewestBytes = 1u << 14;
constexpr std::size_t kStreamsBetweenTicks = 4096;

Error cancelled() {
  return {ErrorCode::cancelled, "Loading was cancelled.", {}};
}

class TraceLoad {
 public:
  TraceLoad(const Input& input, Recording& recording, Names& names, const TickClock& clock,
            const std::vector<StringId>& near_sites, TimelineBuilder& out, LoadContext& context)
      : recording_(recording),
        names_(names),
        out_(out),
        context_(context),
        around_{input, recording.walked.chunks, recording.tables, names.code, clock, near_sites,
                out} {}

  // False if it was cancelled. `read` has been read for good; may be null.
  bool run(const GrowingStreams* read) {
    const Tables& tables = recording_.tables;
    if (tables.fact("axis") == "events") out_.use_axis(TimeAxis::events);
    process_ = process_of(recording_, out_);
    for (const auto& [key, value] : tables.facts) out_.note(key, value);
    note_left_out();
    if (!make_streams(read)) return false;
    if (!read_streams()) return false;
    finish();
    return true;
  }

 private:
  void note_left_out() {
    std::string left_out;
    recording_.tables.sites.for_each([&](std::uint32_t id, const Site& site) {
      if ((site.flags & kSiteLeftOut) == 0 || left_out.size() >= kMostNoteBytes) return;
      left_out += (left_out.empty() ? "" : "\n") + names_.code.site(id).text;
    });
    if (!left_out.empty()) out_.note("not recorded (left out by a filter)", left_out);
  }

  // A thread for each stream that has chunks or is described, in order of their numbers.
  bool make_streams(const GrowingStreams* read) {
    std::map<std::uint64_t, std::uint32_t> used_tids;
    for (auto& [stream, indices] : chunks_by_stream(recording_)) {
      const ThreadId thread =
          thread_of_stream(stream, recording_.tables, process_, used_tids, out_);
      if (read != nullptr) {
        streams_.emplace_back(read->streams().at(stream), around_);
      } else {
        streams_.emplace_back(stream, around_).take_chunks(std::move(indices));
      }
      streams_.back().attach(thread, out_.slices(thread));
      if (streams_.size() % kStreamsBetweenTicks == 0 && !context_.tick(out_, 0)) return false;
    }
    return true;
  }

  // In rounds, so that progress shows and a cancelled load ends soon.
  bool read_streams() {
    std::vector<StreamLoad*> active;
    for (StreamLoad& stream : streams_) {
      if (!stream.done()) active.push_back(&stream);
    }
    std::uint64_t all_work = 0;
    for (const StreamLoad* stream : active) all_work += stream->left_work();
    context_.set_total_bytes(all_work);
    const std::uint64_t window = std::max<std::uint64_t>(context_.window_bytes() / kWindowShare, 1);
    const std::uint64_t round = context_.jobs() * kWindowsEachJob * window;
    std::uint64_t left_work = all_work;
    while (!active.empty()) {
      // The longest first: what is left for the end of a round is short.
      std::ranges::stable_sort(active, std::greater(), &StreamLoad::left_work);
      const std::uint64_t share =
          std::max(round / active.size() + 1, std::min(window, kFewestBytes));
      std::size_t count = 0;
      for (std::uint64_t sum = 0; count < active.size() && sum < round; ++count) {
        sum += std::min(share, active[count]->left_work());
      }
      const auto chosen = std::span(active).first(count);
      const auto add_up = [&](auto part) {
        std::uint64_t sum = 0;
        for (const StreamLoad* stream : chosen) sum += part(*stream);
        return sum;
      };
      const auto work = [](const StreamLoad& stream) { return stream.left_work(); };
      const auto records = [](const StreamLoad& stream) { return stream.counts.records; };
      const std::uint64_t work_before = add_up(work), records_before = add_up(records);
      parallel_for(count, context_.jobs(), [&](std::size_t i) {
        const SelfTraceMark mark("decode a stream");
        chosen[i]->decode(share, context_.cancel_flag());
      });
      left_work -= std::min(left_work, work_before - add_up(work));
      out_.count_records(add_up(records) - records_before);
      std::erase_if(active, [](const StreamLoad* stream) { return stream->done(); });
      if (!context_.tick(out_, all_work - left_work)) return false;
    }
    return true;
  }

  void finish() {
    std::uint64_t most_tick = 0;
    const std::vector<ClockSample>& clock = recording_.tables.clock;
    if (!clock.empty()) most_tick = clock.back().tick;
    std::optional<std::uint64_t> first_tick;
    for (const StreamLoad& stream : streams_) {
      if (!stream.last_tick()) continue;
      most_tick = std::max(most_tick, *stream.last_tick());
      first_tick = std::min(first_tick.value_or(UINT64_MAX), stream.first_tick());
    }
    const std::int64_t begin_ns = around_.clock.ns(first_tick.value_or(0));
    std::int64_t end_ns = INT64_MIN;
    std::vector<IdEvent> async_events, flow_events;
    for (StreamLoad& stream : streams_) {
      stream.finish(most_tick);
      if (stream.last_tick()) end_ns = std::max(end_ns, stream.end_ns());
      take(stream, begin_ns);
      append(async_events, stream.async_events);
      append(flow_events, stream.flow_events);
    }
    add_async_calls(std::move(async_events), process_, end_ns, out_, recording_.odd);
    add_flows(std::move(flow_events), out_, recording_.odd);
    finish_recording();
  }

  template <class T>
  static void append(std::vector<T>& to, std::vector<T>& from) {
    to.insert(to.end(), from.begin(), from.end());
    release(from);
  }

  void take(StreamLoad& stream, std::int64_t begin_ns) {
    recording_.odd.add(stream.odd);
    StreamCounts& sum = recording_.counts;
    const StreamCounts& counts = stream.counts;
    sum.records += counts.records;
    sum.lost += counts.lost;
    sum.gaps += counts.gaps;
    sum.args += counts.args;
    sum.stacks += counts.stacks;
    sum.frames += counts.frames;
    sum.clock_steps += counts.clock_steps;
    recording_.used_streams += stream.used() ? 1 : 0;
    for (const StreamGap& gap : stream.gaps) {
      out_.gap(stream.thread(), gap.begin_ns.value_or(std::min(begin_ns, gap.end_ns)), gap.end_ns);
    }
    const StringId series = out_.intern("value");
    for (const CounterValue& value : stream.counters) {
      out_.counter_value(out_.counter(process_, value.name), series, value.time_ns, value.value);
    }
    release(stream.counters);
    append(recording_.links, stream.links);
    append(recording_.clock_steps, stream.clock_steps);
    append(names_.called, stream.called);
  }

  void finish_recording() {
    std::ranges::sort(recording_.links, {}, &ChunkLink::from);
    std::ranges::sort(recording_.clock_steps, {},
                      [](const ClockStep& step) { return std::pair(step.chunk, step.place); });
    const std::vector<Chunk>& chunks = recording_.walked.chunks;
    for (std::uint32_t i = 0; i < chunks.size(); ++i) {
      if (chunks[i].kind != kTableChunk && chunks[i].packed_lz4()) {
        recording_.lz4_chunks.push_back(i);
      }
    }
    const auto key = [](const CalledCode& code) {
      return std::tuple(code.key, code.detail, code.name);
    };
    std::ranges::sort(names_.called, {}, key);
    // Not std::ranges::unique, whose subrange clang 14 cannot compile with libstdc++ 12.
    const auto is_same = [&](const CalledCode& a, const CalledCode& b) { return key(a) == key(b); };
    names_.called.erase(std::unique(names_.called.begin(), names_.called.end(), is_same),
                        names_.called.end());
    names_.called.shrink_to_fit();
    names_.pool = out_.strings();
    names_.count_unnamed();
  }

  static constexpr std::size_t kMostNoteBytes = std::size_t{64} * 1024;

  Recording& recording_;
  Names& names_;
  TimelineBuilder& out_;
  LoadContext& context_;
  ProcessId process_{};
  StreamSurroundings around_;
  std::deque<StreamLoad> streams_;  // by number
};

}  // namespace

void Names::count_unnamed() {
  unnamed_addresses = unnamed_methods = 0;
  std::uint64_t last = 0;
  for (const CalledCode& one : called) {  // by key
    if (one.known || one.key == last) continue;
    last = one.key;
    (one.key < managed_key(0, 0) ? unnamed_addresses : unnamed_methods) += 1;
  }
}

namespace {

std::vector<StringId> names_of_near_sites(const Tables& tables, const Names& names,
                                          TimelineBuilder& out) {
  std::vector<StringId> near_sites;
  tables.sites.for_each([&](std::uint32_t id, const Site&) {
    const CallName name = names.code.site(id);
    if (!name.known || id >= IdMap<Site>::kNear) return;
    if (id >= near_sites.size()) near_sites.resize(id + 1, kNoName);
    near_sites[id] = interned(name, *out.strings());
  });
  return near_sites;
}

// False if it has to be read whole.
Result<bool> load_growing(const Input& input, Recording& recording, Names& names,
                          const TickClock& clock, GrowingStreams& growing, TimelineBuilder& out,
                          LoadContext& context) {
  const std::vector<StringId> near_sites =
      names_of_near_sites(recording.tables, names, growing.builder());
  const bool taken = growing.take(input, recording, names, clock, near_sites, context);
  if (context.cancelled()) return cancelled();
  if (!taken) return false;
  context.no_more_snapshots();
  const std::unique_ptr<TimelineBuilder> builder = growing.fork();
  builder->stop_when(context.cancel_flag());
  TraceLoad load(input, recording, names, clock, near_sites, *builder, context);
  if (!load.run(&growing)) return cancelled();
  recording.odd.report(builder->diagnostics());
  if (names.file) names.file->odd.report(builder->diagnostics(), false);
  Timeline timeline = builder->finish(context.jobs());
  if (context.cancelled()) return cancelled();
  out.adopt(std::move(timeline));
  return true;
}

}  // namespace

Status load_trace(const Input& input, Recording& recording, std::shared_ptr<Names>& names,
                  std::unique_ptr<GrowingStreams>& growing, TimelineBuilder& out,
                  LoadContext& context) {
  if (input.complete()) context.set_total_bytes(input.size_bytes());
  if (recording.header.damaged) recording.odd.count(Oddity::header_damaged, std::uint64_t{0});
  const std::function<bool(std::uint64_t)> go_on = [&](std::uint64_t) {
    return context.tick(out, 0);
  };
  auto walked = walk_chunks(input, recording.header, recording.odd, go_on);
  if (!walked) return cancelled();
  recording.walked = std::move(*walked);
  if (!read_tables(input, recording.walked, recording.tables, recording.odd, go_on)) {
    return cancelled();
  }
  Result<std::optional<NamesFile>> file = read_names_file(input, recording.tables, context.names());
  if (!file) return file.error();
  names = std::make_shared<Names>(recording, std::move(*file));
  recording.has_module_files = has_module_files(recording.tables);
  if (!recording.tables.finished) recording.odd.count(Oddity::not_finished);
  const TickClock clock(recording.header, recording.tables.clock, recording.odd);
  for (bool anew = !growing;; anew = true) {
    if (anew) growing = GrowingStreams::create(recording, context);
    if (!growing) break;
    const Result<bool> read = load_growing(input, recording, *names, clock, *growing, out, context);
    const bool is_done = read && *read;
    if (!is_done || recording.tables.finished) growing.reset();
    if (!read) return read.error();
    if (is_done) return ok();
    if (anew) break;  // something is odd about it
  }
  const std::vector<StringId> near_sites = names_of_near_sites(recording.tables, *names, out);
  if (!TraceLoad(input, recording, *names, clock, near_sites, out, context).run(nullptr)) {
    return cancelled();
  }
  recording.odd.report(out.diagnostics());
  if (names->file) names->file->odd.report(out.diagnostics(), false);
  return ok();
}

}  // namespace cinderscope::thread_stream
