#include "formats/perfetto/trace_load.h"

#include <algorithm>
#include <queue>
#include <utility>

#include "formats/perfetto/events/flow_chains.h"
#include "formats/perfetto/events/packet_decoder.h"
#include "formats/perfetto/load_report.h"
#include "formats/perfetto/perfetto_wire.h"
#include "formats/perfetto/wire/block_reader.h"
#include "ingest/base/parallel.h"

namespace cinderscope::perfetto {
namespace {

// Of packets whose events are kept at once.
constexpr std::uint64_t kMostRoundBytes = 64u << 20;

// Which decoder gets which sequence: the largest first, to the one that has least.
std::unordered_map<std::uint32_t, unsigned> shares_of(
    const std::unordered_map<std::uint32_t, std::uint64_t>& bytes, unsigned decoders) {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> sequences;
  for (const auto& [sequence, size] : bytes) sequences.emplace_back(size, sequence);
  std::sort(sequences.begin(), sequences.end(), std::greater<>());
  std::priority_queue<std::pair<std::uint64_t, unsigned>,
                      std::vector<std::pair<std::uint64_t, unsigned>>, std::greater<>>
      least;
  for (unsigned i = 0; i < decoders; ++i) least.emplace(0, i);
  std::unordered_map<std::uint32_t, unsigned> shares;
  for (const auto& [size, sequence] : sequences) {
    auto [sum, decoder] = least.top();
    least.pop();
    shares[sequence] = decoder;
    least.emplace(sum + size, decoder);
  }
  return shares;
}

class TraceLoad {
 public:
  TraceLoad(Survey& survey, Lanes& lanes, TimelineBuilder& out, LoadContext& context,
            const LoadedTrace& loaded)
      : survey_(survey),
        out_(out),
        context_(context),
        loaded_(loaded),
        sink_(out, survey.owners, lanes, survey.clocks.restarted()) {
    trace_ = {.bytes = &survey.bytes,
              .clocks = &survey.clocks,
              .tracks = &survey.tracks,
              .owners = &survey.owners,
              .lanes = &lanes,
              .strings = out.strings().get(),
              .symbols = &survey.symbols,
              .clock_units = survey.clock_units,
              .sequence_bytes = &survey.sequence_bytes};
    const std::size_t sequences = std::max<std::size_t>(survey.sequence_bytes.size(), 1);
    const auto jobs =
        static_cast<unsigned>(std::min<std::size_t>(std::max(1u, context.jobs()), sequences));
    for (unsigned i = 0; i < jobs; ++i) decoders_.emplace_back(trace_, jobs);
    shares_ = shares_of(survey.sequence_bytes, jobs);
  }

  bool run() {
    std::vector<EventBatch*> batches;
    for (PacketDecoder& decoder : decoders_) batches.push_back(&decoder.batch());
    std::size_t last = 0;
    for (std::size_t first = 0; first < survey_.runs.size(); first = last) {
      if (!context_.tick(out_, survey_.bytes.file_offset(survey_.runs[first].begin))) return false;
      last = end_of_round(first);
      parallel_for(decoders_.size(), static_cast<unsigned>(decoders_.size()),
                   [&](std::size_t i) { decode(static_cast<unsigned>(i), first, last); });
      sink_.consume(batches);
    }
    sink_.consume(batches);  // threads and processes that no event names
    for (EventBatch* batch : batches) sink_.take_samples(*batch);
    sink_.finish();
    if (!out_.replaying()) chain_flows(sink_, out_);
    return !context_.cancelled();
  }

  void tell(LoadedTrace& loaded) {
    MissingState missing;
    for (PacketDecoder& decoder : decoders_) {
      for (auto& [id, sequence] : decoder.sequences()) {
        if (!sequence.epochs.empty()) sequence.epochs.back().places.close();
        sequence.epochs.shrink_to_fit();
        loaded.epochs[id] = std::move(sequence.epochs);
        missing.add(sequence, survey_.bytes);
        if (std::ranges::any_of(sequence.lanes,
                                [&](std::uint32_t lane) { return sink_.needs_replay(lane); })) {
          loaded.sequences_to_replay.insert(id);
        }
      }
      const EventBatch& batch = decoder.batch();
      for (std::size_t i = 0; i < batch.phase_counts.size(); ++i) {
        loaded.phase_counts[i] += batch.phase_counts[i];
      }
      loaded.cpu_time_samples += batch.cpu_time_samples;
      loaded.async_steps += batch.async_steps;
      for (const auto& [key, text] : batch.notes) out_.note(key, text);
    }
    loaded.facts = sink_.facts();
    survey_.owners.tell_names(out_, survey_.tracks.ranks_processes(),
                              survey_.tracks.ranks_threads());
    missing.report(out_.diagnostics());
  }

 private:
  // Which runs are decoded before the next events are put into the timeline. Recorders write one
  // sequence behind the other for megabytes, so a round goes on until all decoders have enough of
  // it.
  std::size_t end_of_round(std::size_t first) const {
    std::vector<std::uint64_t> shares(decoders_.size(), 0);
    std::uint64_t sum = 0;
    std::size_t last = first;
    while (last < survey_.runs.size()) {
      const PacketRun& run = survey_.runs[last++];
      sum += run.size_bytes();
      if (run.mixed) {
        for (std::uint64_t& share : shares) share += run.size_bytes() / shares.size();
      } else {
        shares[decoder_of(run.sequence)] += run.size_bytes();
      }
      if (sum >= kMostRoundBytes) break;
      const std::uint64_t most = *std::max_element(shares.begin(), shares.end());
      if (sum >= shares.size() * context_.window_bytes() && most * shares.size() <= sum / 8 * 9) {
        break;
      }
    }
    return last;
  }
  unsigned decoder_of(std::uint32_t sequence) const {
    const auto share = shares_.find(sequence);
    return share == shares_.end() ? 0 : share->second;
  }

  void decode(unsigned decoder, std::size_t first_run, std::size_t last_run) {
    Packet packet;
    for (std::size_t i = first_run; i < last_run && !context_.cancelled(); ++i) {
      const PacketRun& run = survey_.runs[i];
      if (!run.mixed && !is_wanted(run.sequence, decoder)) continue;
      const Pin pin = survey_.bytes.pin(run.begin, run.size_bytes());
      BlockReader reader(pin.text(), run.begin);
      while (reader.next()) {
        packet.address = reader.address();
        packet.tag = reader.tag();
        if (run.mixed && !is_wanted(sequence_of(reader.body()), decoder)) continue;
        if (read_packet(reader.body(), packet)) decoders_[decoder].decode(packet);
      }
    }
  }
  bool is_wanted(std::uint32_t sequence, unsigned decoder) const {
    if (out_.replaying() && !loaded_.sequences_to_replay.contains(sequence)) return false;
    return decoders_.size() == 1 || decoder_of(sequence) == decoder;
  }

  Survey& survey_;
  TimelineBuilder& out_;
  LoadContext& context_;
  const LoadedTrace& loaded_;
  DecodedTrace trace_;
  EventSink sink_;
  std::deque<PacketDecoder> decoders_;
  std::unordered_map<std::uint32_t, unsigned> shares_;
};

}  // namespace

Status load_trace(Survey& survey, Lanes& lanes, TimelineBuilder& out, LoadContext& context,
                  LoadedTrace& loaded) {
  TraceLoad load(survey, lanes, out, context, loaded);
  if (!load.run()) return Error{ErrorCode::cancelled, "Loading was cancelled."};
  if (!out.replaying()) load.tell(loaded);
  return ok();
}

}  // namespace cinderscope::perfetto
