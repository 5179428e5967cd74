// One opened Google JSON trace.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "formats/google_json/events/stack_frames.h"
#include "formats/google_json/trace_loader.h"
#include "ingest/format/capabilities.h"
#include "ingest/format/trace_source.h"

namespace cinderscope::google_json {

class GoogleJsonSource final : public TraceSource, private LoadedState {
 public:
  explicit GoogleJsonSource(Input input) : input_(std::move(input)) {}

  Status load(TimelineBuilder& out, LoadContext& context) override;
  RecordText read_record(RecordOffset record, RecordOffset end_record) const override;
  void read_categories(std::span<const RecordEnds> records,
                       std::span<std::string> categories) const override;
  const Input& input() const override { return input_; }
  RecordOffset record_end() const override { return text().size_bytes(); }
  std::vector<std::pair<std::string, std::string>> details() const override;

  // What is read: the input, or its text in UTF-8.
  const Input& text() const { return converted_ ? *converted_ : input_; }
  // After load(): where its events lie, and how they count time.
  const std::vector<TraceLoader::EventArray>& arrays() const { return arrays_; }
  const std::vector<TraceLoader::EventWindow>& windows() const { return windows_; }
  const EventClock& clock() const { return clock_; }
  // After load() for writing.
  const std::vector<ProfileSamples>& profiles() const { return profiles_; }
  const std::vector<TextRange>& sample_lists() const { return sample_lists_; }
  // It was loaded to be written, or no end is an event of its own.
  bool knows_ends() const override { return knows_ends_; }
  LoadedState* loaded_state() override { return this; }

 private:
  std::uint32_t reader_version() const override { return 1; }
  void save(FieldWriter& out) const override;
  bool restore(FieldReader& in, const std::shared_ptr<const StringPool>& names) override;
  Status convert();  // to UTF-8, if it is in UTF-16
  bool has_no_ends() const;
  // The event and what follows it; empty for kNoRecord.
  Pin event_bytes(RecordOffset record) const;

  Input input_;
  std::optional<Input> converted_;
  StackFrames frames_;
  PhaseCounts phase_counts_{};
  std::vector<TraceLoader::EventArray> arrays_;
  std::vector<TraceLoader::EventWindow> windows_;
  EventClock clock_;
  std::vector<ProfileSamples> profiles_;
  std::vector<TextRange> sample_lists_;
  bool knows_ends_ = false;
};

}  // namespace cinderscope::google_json
