#include "formats/firefox/firefox_source.h"

#include "formats/firefox/profile_load.h"

namespace cinderscope::firefox {

Status FirefoxSource::load(TimelineBuilder& out, LoadContext& context) {
  Result<InputText> text = InputText::of(input_);
  if (!text) return text.error();
  text_ = std::move(*text);
  context.set_total_bytes(text_.text().size());
  inner_texts_.clear();
  calls_ = std::make_unique<FirefoxCalls>(out, context.names().colours_by_package);
  ProfileLoad load(*calls_, inner_texts_, out, context);
  Status status = load.load(text_.text(), text_.stream_cut());
  tables_ = load.take_tables();
  markers_ = load.take_markers();
  schemas_ = MarkerSchemas(load.marker_schemas());
  details_ = load.details();
  return status;
}

RecordText FirefoxSource::read_record(RecordOffset record, RecordOffset) const {
  RecordText out;
  if (record < kFirstMarker) {
    const auto call = static_cast<std::uint32_t>(record);
    if (call < calls_->call_count()) calls_->describe(call, out);
    return out;
  }
  const std::uint64_t number = record - kFirstMarker;
  if (number >= markers_.size()) return out;
  const KeptMarker& marker = markers_[number];
  const std::string name = marker.tables->text(marker.name);
  schemas_.describe({name, marker.data, marker.end_data, marker.duration_ns}, *marker.tables,
                    *calls_, out);
  return out;
}

TraceSource::Size FirefoxSource::size() const {
  Size size = TraceSource::size();
  size.own_bytes = calls_ == nullptr ? 0 : calls_->kept_bytes();
  size.own_bytes += markers_.capacity() * sizeof(KeptMarker);
  for (const auto& tables : tables_) {
    size.own_bytes += tables->strings->capacity() * sizeof(std::string_view) +
                      tables->stacks.call.capacity() * 2 * sizeof(std::uint32_t);
  }
  for (const std::string& text : inner_texts_) size.own_bytes += text.capacity();
  return size;
}

}  // namespace cinderscope::firefox
