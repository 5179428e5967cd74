#include "formats/perfetto/kept_state.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "formats/perfetto/text/thread_time.h"

namespace cinderscope::perfetto {
namespace {

void save_epochs(const EpochsOfSequences& epochs, cinderscope::FieldWriter& out) {
  out.add(std::uint64_t{epochs.size()});
  for (const auto& [sequence, of_sequence] : epochs) {
    out.add(sequence);
    out.add(std::uint64_t{of_sequence.size()});
    for (const Epoch& epoch : of_sequence) {
      out.add(epoch.begin);
      epoch.places.save(out);
      out.add_values(epoch.defaults_at);
    }
  }
}

void restore_epochs(cinderscope::FieldReader& in, EpochsOfSequences& epochs) {
  for (std::size_t left = in.take_count(12); left > 0 && in.ok(); --left) {
    std::vector<Epoch>& of_sequence = epochs[in.take<std::uint32_t>()];
    of_sequence.resize(in.take_count(24));
    for (Epoch& epoch : of_sequence) {
      epoch.begin = in.take<std::uint64_t>();
      epoch.places.restore(in);
      epoch.defaults_at = in.take_values<std::uint64_t>();
    }
  }
}

template <class Counts>
void save_numbers(const Counts& counts, cinderscope::FieldWriter& out) {
  out.add(std::uint64_t{counts.size()});
  for (const auto& [key, count] : counts) {
    out.add(key);
    out.add(count);
  }
}

template <class Counts>
void restore_numbers(cinderscope::FieldReader& in, Counts& counts) {
  for (std::size_t left = in.take_count(12); left > 0 && in.ok(); --left) {
    const auto key = in.take<typename Counts::key_type>();
    counts[key] = in.take<std::uint64_t>();
  }
}

}  // namespace

void save_state(const Survey& survey, const LoadedTrace& loaded, cinderscope::FieldWriter& out) {
  out.add(std::uint64_t{survey.runs.size()});
  for (const PacketRun& run : survey.runs) {
    out.add(run.begin);
    out.add(run.end);
    out.add(run.sequence);
    out.add(run.mixed);
  }
  save_numbers(survey.sequence_bytes, out);
  out.add(survey.packet_count);
  save_numbers(survey.kinds, out);
  out.add_values(survey.extension_descriptors);
  out.add_values(survey.symbol_packets);
  survey.tracks.save_cpu_times(out);
  save_epochs(loaded.epochs, out);
  out.add(loaded.facts.states);
  out.add(loaded.facts.switches);
  out.add(std::uint64_t{loaded.facts.async_names.size()});
  for (const auto& [name, count] : loaded.facts.async_names) {
    out.add_text(name);
    out.add(count.count);
    out.add(count.total_ns);
  }
  out.add(loaded.cpu_time_samples);
  out.add(loaded.async_steps);
}

bool restore_state(cinderscope::FieldReader& in, Survey& survey, LoadedTrace& loaded) {
  survey.runs.resize(in.take_count(21));
  std::uint64_t reached = 0;
  for (PacketRun& run : survey.runs) {
    run.begin = in.take<std::uint64_t>();
    run.end = in.take<std::uint64_t>();
    run.sequence = in.take<std::uint32_t>();
    run.mixed = in.take<bool>();
    if (run.begin < reached || run.end < run.begin || run.end > survey.bytes.end()) in.fail();
    reached = run.end;
  }
  restore_numbers(in, survey.sequence_bytes);
  survey.packet_count = in.take<std::uint64_t>();
  restore_numbers(in, survey.kinds);
  survey.extension_descriptors = in.take_values<std::uint64_t>();
  survey.symbol_packets = in.take_values<std::uint64_t>();
  survey.tracks.restore_cpu_times(in);
  restore_epochs(in, loaded.epochs);
  loaded.facts.states = in.take<std::uint64_t>();
  loaded.facts.switches = in.take<std::uint64_t>();
  for (std::size_t left = in.take_count(24); left > 0 && in.ok(); --left) {
    std::string name(in.take_text());
    NameCount& count = loaded.facts.async_names[std::move(name)];
    count.count = in.take<decltype(count.count)>();
    count.total_ns = in.take<decltype(count.total_ns)>();
  }
  loaded.cpu_time_samples = in.take<std::uint64_t>();
  loaded.async_steps = in.take<std::uint64_t>();
  return in.ok();
}

}  // namespace cinderscope::perfetto
