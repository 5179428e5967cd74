#include "formats/perfetto/perfetto_source.h"

#include <algorithm>

#include "formats/perfetto/load_report.h"
#include "formats/perfetto/skipped_packets.h"
#include "formats/perfetto/text/thread_time.h"
#include "ingest/base/json/json_writer.h"

namespace cinderscope::perfetto {
namespace {

constexpr char kPacketTag = '\n';  // field 1, bytes

}  // namespace

Status PerfettoSource::load(TimelineBuilder& out, LoadContext& context) {
  if (out.replaying()) return load_trace(*survey_, lanes_, out, context, loaded_);
  if (input_.complete()) context.set_total_bytes(input_.size_bytes());
  survey_ = std::make_unique<Survey>(input_);
  if (!survey_packets(input_, context, *survey_)) {
    return Error{ErrorCode::cancelled, "Loading was cancelled."};
  }
  out.diagnostics().merge(survey_->diagnostics);
  lanes_.add_described(survey_->tracks);
  Status status = load_trace(*survey_, lanes_, out, context, loaded_);
  if (!status) return status;
  report_recording(*survey_, out);
  read_types();
  input_.let_go(UINT64_MAX);  // not before: packets are looked at twice
  return status;
}

void PerfettoSource::read_types() {
  for (const std::uint64_t address : survey_->extension_descriptors) {
    const Pin pin = survey_->bytes.packet_at(address);
    types_.add_descriptor(event_of(pin, address).packet.body);
  }
}

void PerfettoSource::save(cinderscope::FieldWriter& out) const {
  save_state(*survey_, loaded_, out);
}

bool PerfettoSource::restore(cinderscope::FieldReader& in,
                             const std::shared_ptr<const StringPool>&) {
  survey_ = std::make_unique<Survey>(input_);
  if (!restore_state(in, *survey_, loaded_)) {
    survey_.reset();
    loaded_ = {};
    return false;
  }
  for (const std::uint64_t address : survey_->symbol_packets) {
    const Pin pin = survey_->bytes.packet_at(address);
    survey_->symbols.add(event_of(pin, address).packet.body);
  }
  read_types();
  return in.done();
}

RecordOffset PerfettoSource::record_end() const {
  return survey_ ? survey_->bytes.end() : input_.size_bytes();
}

TraceSource::Size PerfettoSource::size() const {
  Size size = TraceSource::size();
  for (const auto& [sequence, epochs] : loaded_.epochs) {
    size.own_bytes += epochs.capacity() * sizeof(Epoch);
    for (const Epoch& epoch : epochs) {
      size.own_bytes += epoch.places.kept_bytes();
      size.own_bytes += epoch.defaults_at.capacity() * sizeof(std::uint64_t);
    }
  }
  if (survey_) size.own_bytes += survey_->symbols.kept_bytes();
  size.own_bytes += types_.kept_bytes();
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

EventRecord PerfettoSource::event_of(const Pin& pin, RecordOffset record) const {
  Packet packet;
  packet.address = record;
  const std::size_t head = std::min<std::size_t>(pin.size(), read_head(pin.text()).head_bytes);
  if (!read_packet(pin.text().substr(head), packet)) packet = {};
  return {packet, EpochTexts(survey_->bytes, epoch_of(packet, loaded_.epochs), record + pin.size(),
                             &survey_->symbols)};
}

void PerfettoSource::read_records(std::span<const RecordEnds> records,
                                  std::span<RecordText> texts) const {
  for (std::size_t i = 0; i < records.size(); ++i) {
    texts[i] = text_of(records[i].record, records[i].end_record, records.size() == 1);
  }
}

RecordText PerfettoSource::text_of(RecordOffset record, RecordOffset end_record,
                                   bool with_cpu_time) const {
  if (!survey_) return {};
  const Pin begin = survey_->bytes.packet_at(record);
  if (begin.size() == 0) return {};
  // Events of the kernel's tracer lie within their packets.
  if (begin.text()[0] != kPacketTag) {
    return describe_ftrace_event(begin.text().substr(read_head(begin.text()).head_bytes));
  }
  const EventRecord of_begin = event_of(begin, record);
  const Pin end = end_record == kNoRecord ? Pin() : survey_->bytes.packet_at(end_record);
  std::optional<EventRecord> of_end;
  if (end_record != kNoRecord) of_end = event_of(end, end_record);
  RecordText text = describe_event(of_begin, of_end ? &*of_end : nullptr, types_);
  if (with_cpu_time && !text.cpu_ns && loaded_.cpu_time_samples != 0) {
    text.cpu_ns = thread_time_of(of_begin.packet, *survey_, loaded_.epochs);
  }
  return text;
}

void PerfettoSource::read_categories(std::span<const RecordEnds> records,
                                     std::span<std::string> categories) const {
  for (std::size_t i = 0; i < records.size(); ++i) {
    const Pin pin = survey_->bytes.packet_at(records[i].record);
    if (pin.size() == 0 || pin.text()[0] != kPacketTag) continue;
    categories[i] = category_of_event(event_of(pin, records[i].record));
  }
}

}  // namespace cinderscope::perfetto
