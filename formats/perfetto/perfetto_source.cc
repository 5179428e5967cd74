#include "formats/perfetto/perfetto_source.h"

#include <algorithm>

#include "formats/perfetto/load_report.h"
#include "ingest/base/json/json_writer.h"

namespace cinderscope::perfetto {

Status PerfettoSource::load(TimelineBuilder& out, LoadContext& context) {
  if (out.replaying()) return load_trace(*survey_, lanes_, out, context, loaded_);
  if (input_.complete()) context.set_total_bytes(input_.size_bytes());
  survey_ = std::make_unique<Survey>(input_);
  if (!survey_packets(input_, context, *survey_)) {
    return Error{ErrorCode::cancelled, "Loading was cancelled."};
  }
  out.diagnostics().merge(survey_->diagnostics);
  lanes_.add_described(survey_->tracks);
  const Status status = load_trace(*survey_, lanes_, out, context, loaded_);
  if (status) report_recording(*survey_, out);
  return status;
}

RecordOffset PerfettoSource::record_end() const {
  return survey_ ? survey_->bytes.end() : input_.size_bytes();
}

TraceSource::Size PerfettoSource::size() const {
  Size size = TraceSource::size();
  for (const auto& [sequence, epochs] : loaded_.epochs) {
    size.own_bytes += epochs.capacity() * sizeof(Epoch);
    for (const Epoch& epoch : epochs) size.own_bytes += epoch.places.kept_bytes();
  }
  return size;
}

std::vector<std::pair<std::string, std::string>> PerfettoSource::details() const {
  if (!survey_) return {};
  const auto number = [](std::uint64_t value) { return std::to_string(value); };
  struct Row {
    std::string name;
    NameCount count;
  };
  std::vector<Row> names;
  for (const auto& [name, count] : loaded_.facts.async_names) names.push_back({name, count});
  std::stable_sort(names.begin(), names.end(),
                   [](const Row& a, const Row& b) { return a.count.count > b.count.count; });
  JsonWriter async;
  async.begin_array();
  for (const Row& row : names) {
    async.begin_object().field("name", row.name.empty() ? "(no name)" : row.name.c_str());
    async.field("count", row.count.count).field("total", row.count.total_ns).end_object();
  }
  async.end_array();
  return {{"packets", number(survey_->packet_count)},
          {"sequences", number(static_cast<std::uint64_t>(std::ranges::count_if(
                            survey_->sequence_bytes, [](const auto& s) { return s.first != 0; })))},
          {"descriptors", number(survey_->tracks.descriptor_count())},
          {"states", number(loaded_.facts.states)},
          {"async_steps", number(loaded_.async_steps)},
          {"cpu_time_samples", number(loaded_.cpu_time_samples)},
          {"sched_switches", number(loaded_.facts.switches)},
          {"skipped_packets", skipped_packets_json(*survey_)},
          {"async_names", async.str()}};
}

RecordText PerfettoSource::read_record(RecordOffset, RecordOffset) const {
  return {};
}

}  // namespace cinderscope::perfetto
