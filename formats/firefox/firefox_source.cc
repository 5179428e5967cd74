#include "formats/firefox/firefox_source.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "formats/firefox/profile_load.h"
#include "ingest/base/fields.h"

namespace cinderscope::firefox {

Status FirefoxSource::load(TimelineBuilder& out, LoadContext& context) {
  Result<InputText> text = InputText::of(input_);
  if (!text) return text.error();
  text_ = std::move(*text);
  context.set_total_bytes(text_.text().size());
  inner_texts_.clear();
  FirefoxCalls calls(out, context.names().colours_by_package);
  ProfileLoad load(calls, inner_texts_, out, context);
  Status status = load.load(text_.text(), text_.stream_cut());
  calls_ = load.take_calls();
  tables_ = load.take_tables();
  markers_ = load.take_markers();
  schemas_text_ = load.marker_schemas();
  schemas_ = MarkerSchemas(schemas_text_);
  details_ = load.details();
  return status;
}

RecordText FirefoxSource::read_record(RecordOffset record, RecordOffset) const {
  RecordText out;
  if (record < kFirstMarker) {
    const auto call = static_cast<std::uint32_t>(record);
    if (call < calls_.count()) calls_.describe(call, out);
    return out;
  }
  const std::uint64_t number = record - kFirstMarker;
  if (number >= markers_.size()) return out;
  const KeptMarker& marker = markers_[number];
  const std::string name = marker.tables->text(marker.name);
  schemas_.describe({name, marker.data, marker.end_data, marker.duration_ns}, *marker.tables,
                    calls_, out);
  return out;
}

void FirefoxSource::save(FieldWriter& out) const {
  save_inner_texts(out, text_.text(), inner_texts_);
  const TextPlaces places(text_.text(), inner_texts_);
  calls_.save(out);
  std::unordered_map<const SharedTables*, std::uint32_t> number_of_tables;
  out.add(std::uint64_t{tables_.size()});
  for (const auto& tables : tables_) {
    number_of_tables[tables.get()] = static_cast<std::uint32_t>(number_of_tables.size());
    places.save(out, tables->strings->array);
    out.add_values(tables->stacks.call);
  }
  out.add(std::uint64_t{markers_.size()});
  for (const KeptMarker& marker : markers_) {
    out.add(marker.name);
    places.save(out, marker.data);
    places.save(out, marker.end_data);
    out.add(marker.duration_ns);
    out.add(number_of_tables.at(marker.tables));
  }
  places.save(out, schemas_text_);
  out.add_pairs(details_);
}

bool FirefoxSource::restore(FieldReader& in, const std::shared_ptr<const StringPool>& names) {
  Result<InputText> text = InputText::of(input_);
  if (!text) return false;
  text_ = std::move(*text);
  inner_texts_ = take_inner_texts(in, text_.text());
  const TextPlaces places(text_.text(), inner_texts_);
  calls_.restore(in, names);
  restore_tables(in, places);
  restore_markers(in, places);
  schemas_text_ = places.take(in);
  schemas_ = MarkerSchemas(schemas_text_);
  details_ = in.take_pairs();
  return in.done();
}

void FirefoxSource::restore_tables(FieldReader& in, const TextPlaces& places) {
  constexpr std::size_t kTableBytes = 28;
  std::map<const char*, std::shared_ptr<const RawTexts>> strings;  // several tables may share some
  tables_.clear();
  for (std::size_t left = in.take_count(kTableBytes); left-- > 0 && in.ok();) {
    auto tables = std::make_shared<SharedTables>();
    const std::string_view array = places.take(in);
    auto& texts = strings[array.data()];
    if (texts == nullptr) texts = std::make_shared<const RawTexts>(array);
    tables->strings = texts;
    tables->stacks.call = in.take_values<std::uint32_t>();
    const auto is_call = [this](std::uint32_t call) {
      return call == kNoCall || call < calls_.count();
    };
    if (!std::ranges::all_of(tables->stacks.call, is_call)) in.fail();
    tables_.push_back(std::move(tables));
  }
}

void FirefoxSource::restore_markers(FieldReader& in, const TextPlaces& places) {
  constexpr std::size_t kMarkerBytes = 60;
  markers_.clear();
  std::size_t left = in.take_count(kMarkerBytes);
  markers_.reserve(left);
  for (; left > 0 && in.ok(); --left) {
    KeptMarker& marker = markers_.emplace_back();
    marker.name = in.take<std::int64_t>();
    marker.data = places.take(in);
    marker.end_data = places.take(in);
    marker.duration_ns = in.take<std::int64_t>();
    const auto tables = in.take<std::uint32_t>();
    if (tables >= tables_.size()) return in.fail();
    marker.tables = tables_[tables].get();
  }
}

TraceSource::Size FirefoxSource::size() const {
  Size size = TraceSource::size();
  size.own_bytes = calls_.kept_bytes();
  size.own_bytes += markers_.capacity() * sizeof(KeptMarker);
  for (const auto& tables : tables_) {
    size.own_bytes += tables->strings->texts.capacity() * sizeof(std::string_view) +
                      tables->stacks.call.capacity() * 2 * sizeof(std::uint32_t);
  }
  for (const InnerText& inner : inner_texts_) size.own_bytes += inner.text.capacity();
  return size;
}

}  // namespace cinderscope::firefox
