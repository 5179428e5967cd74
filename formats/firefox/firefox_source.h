// One opened profile of the Firefox Profiler, or of Firefox itself.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "formats/firefox/kept_calls.h"
#include "formats/firefox/marker_schema.h"
#include "formats/firefox/text_places.h"
#include "formats/firefox/thread_tables.h"
#include "ingest/format/capabilities.h"
#include "ingest/format/trace_source.h"
#include "ingest/input/input_text.h"

namespace cinderscope::firefox {

// A marker, for its details; raw text that lies in the input.
struct KeptMarker {
  std::int64_t name = -1;
  std::string_view data, end_data;
  std::int64_t duration_ns = -1;  // below 0: of an instant
  const SharedTables* tables = nullptr;
};

// The record of a slice of samples is the number of its call; that of a marker is kFirstMarker and
// its number.
class FirefoxSource final : public TraceSource, private LoadedState {
 public:
  static constexpr RecordOffset kFirstMarker = RecordOffset{1} << 32;

  explicit FirefoxSource(Input input) : input_(std::move(input)) {}

  Status load(TimelineBuilder& out, LoadContext& context) override;
  RecordText read_record(RecordOffset record, RecordOffset end_record) const override;
  const Input& input() const override { return input_; }
  bool has_group_colours() const override { return true; }
  RecordOffset record_end() const override { return kFirstMarker + markers_.size(); }
  Size size() const override;
  std::vector<std::pair<std::string, std::string>> details() const override { return details_; }
  LoadedState* loaded_state() override { return this; }

 private:
  std::uint32_t reader_version() const override { return 1; }
  void save(FieldWriter& out) const override;
  bool restore(FieldReader& in, const std::shared_ptr<const StringPool>& names) override;
  void restore_tables(FieldReader& in, const TextPlaces& places);
  void restore_markers(FieldReader& in, const TextPlaces& places);

  Input input_;
  InputText text_;
  std::deque<InnerText> inner_texts_;
  KeptCalls calls_;
  std::vector<std::shared_ptr<const SharedTables>> tables_;
  std::vector<KeptMarker> markers_;
  std::string_view schemas_text_;
  MarkerSchemas schemas_;
  std::vector<std::pair<std::string, std::string>> details_;
};

}  // namespace cinderscope::firefox
