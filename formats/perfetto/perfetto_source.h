// One opened Perfetto trace.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "formats/perfetto/kept_state.h"
#include "formats/perfetto/text/describe_event.h"
#include "formats/perfetto/trace_load.h"
#include "ingest/format/capabilities.h"
#include "ingest/format/trace_source.h"

namespace cinderscope::perfetto {

class PerfettoSource final : public TraceSource, private LoadedState {
 public:
  explicit PerfettoSource(Input input) : input_(std::move(input)) {}

  Status load(TimelineBuilder& out, LoadContext& context) override;
  const Input& input() const override { return input_; }
  RecordOffset record_end() const override;
  bool knows_ends() const override { return false; }
  Size size() const override;
  std::vector<std::pair<std::string, std::string>> details() const override;
  LoadedState* loaded_state() override {
    return survey_ != nullptr && !can_be_kept(*survey_) ? nullptr : this;
  }

 protected:
  RecordText read_record(RecordOffset record, RecordOffset end_record) const override {
    return text_of(record, end_record, true);
  }
  // Who reads many asks for their arguments: CPU times would have to be summed up.
  void read_records(std::span<const RecordEnds> records,
                    std::span<RecordText> texts) const override;
  void read_categories(std::span<const RecordEnds> records,
                       std::span<std::string> categories) const override;

 private:
  std::uint32_t reader_version() const override { return 1; }
  void save(cinderscope::FieldWriter& out) const override;
  bool restore(cinderscope::FieldReader& in,
               const std::shared_ptr<const StringPool>& names) override;
  void read_types();
  EventRecord event_of(const Pin& pin, RecordOffset record) const;
  RecordText text_of(RecordOffset record, RecordOffset end_record, bool with_cpu_time) const;

  Input input_;
  std::unique_ptr<Survey> survey_;
  Lanes lanes_;
  MessageTypes types_;
  LoadedTrace loaded_;
};

}  // namespace cinderscope::perfetto
