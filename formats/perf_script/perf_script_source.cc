#include "formats/perf_script/perf_script_source.h"

#include <fmt/format.h>

#include "formats/perf_script/frame_table.h"
#include "formats/perf_script/perf_lines.h"
#include "formats/perf_script/perf_reader.h"
#include "ingest/base/fields.h"
#include "ingest/base/json/json_writer.h"

namespace cinderscope::perf_script {
namespace {

std::string_view line_of_text(std::string_view text, std::uint64_t offset) {
  if (offset >= text.size()) return {};
  std::string_view line = text.substr(offset, text.find('\n', offset) - offset);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::vector<std::pair<std::string, std::string>> details_of(const PerfSamples& samples) {
  JsonWriter events;
  events.begin_array();
  for (const PerfEvent& event : samples.events()) {
    const std::uint64_t count = samples.samples_of(event).samples;
    if (count == 0) continue;
    events.begin_object().field("name", event.name).field("samples", count).end_object();
  }
  events.end_array();
  const int main = samples.main_event();
  std::vector<std::pair<std::string, std::string>> details = {
      {"events", events.str()},
      {"main_event",
       json_quoted(main < 0 ? "" : samples.events()[static_cast<std::size_t>(main)].name)},
      {"usual_distance", fmt::format("{}", samples.usual_distance_ns())}};
  if (samples.sample_count() > 0 && !samples.has_times())
    details.emplace_back("unit", json_quoted("samples"));
  return details;
}

}  // namespace

Status PerfScriptSource::load(TimelineBuilder& out, LoadContext& context) {
  Result<InputText> text = InputText::of(input_);
  if (!text) return text.error();
  text_ = std::move(*text);
  context.set_total_bytes(text_.text().size());
  FrameTable frames(*out.strings());
  PerfReader reader(text_.whole_lines(), kFirstLine, frames, out);
  while (!reader.at_end()) {
    if (!context.tick(out, reader.offset())) {
      return Error{ErrorCode::cancelled, "Loading was cancelled."};
    }
    reader.read_to(reader.offset() + context.window_bytes());
  }
  reader.finish();
  PerfSamples& samples = reader.samples();
  if (samples.sample_count() == 0 && reader.instant_count() == 0) {
    return Error{ErrorCode::damaged, "There are no samples and no events in this text.",
                 "perf script writes a line for each, followed by the frames of its stack."};
  }
  payloads_ = reader.take_payloads();
  out.set_legend(frames.legend());
  frames_ = frames.take_calls();
  const CallTree tree = frames.take_tree();
  out.count_samples(samples.sample_count());
  out.count_records(samples.sample_count() + reader.instant_count());
  details_ = details_of(samples);
  samples.write(tree, context.options().weight, out);
  return ok();
}

RecordText PerfScriptSource::read_record(RecordOffset record, RecordOffset) const {
  RecordText out;
  const auto add_payload = [&](std::uint64_t offset) {
    const auto line = record_line(line_of_text(text_.text(), offset));
    if (!line) return;
    if (!line->cpu.empty()) out.facts.emplace_back("CPU", std::string(line->cpu));
    if (!line->rest.empty()) out.args = parse_args(json_quoted(line->rest));
  };
  if (record >= kFirstLine) {
    add_payload(record - kFirstLine);
    return out;
  }
  const auto call = static_cast<std::uint32_t>(record);
  if (call >= frames_.call_count()) return out;
  frames_.describe(call, out);
  if (const auto payload = payloads_.find(call); payload != payloads_.end()) {
    add_payload(payload->second);
  }
  return out;
}

void PerfScriptSource::save(FieldWriter& out) const {
  frames_.save(out, text_.text());
  out.add(std::uint64_t{payloads_.size()});
  for (const auto& [call, offset] : payloads_) {
    out.add(call);
    out.add(offset);
  }
  out.add_pairs(details_);
}

bool PerfScriptSource::restore(FieldReader& in, const std::shared_ptr<const StringPool>&) {
  Result<InputText> text = InputText::of(input_);
  if (!text) return false;
  text_ = std::move(*text);
  frames_.restore(in, text_.text());
  payloads_.clear();
  constexpr std::size_t kPayloadBytes = 12;
  for (std::size_t left = in.take_count(kPayloadBytes); left-- > 0;) {
    const auto call = in.take<std::uint32_t>();
    payloads_[call] = in.take<std::uint64_t>();
  }
  details_ = in.take_pairs();
  return in.done();
}

TraceSource::Size PerfScriptSource::size() const {
  Size size = TraceSource::size();
  size.own_bytes = frames_.kept_bytes();
  return size;
}

}  // namespace cinderscope::perf_script
