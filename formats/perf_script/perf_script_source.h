// One opened text of `perf script`.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "formats/perf_script/call_frames.h"
#include "ingest/format/capabilities.h"
#include "ingest/format/trace_source.h"
#include "ingest/input/input_text.h"

namespace cinderscope::perf_script {

// The record of a slice is the number of its call; that of an instant is kFirstLine and where its
// line begins.
class PerfScriptSource final : public TraceSource, private LoadedState {
 public:
  explicit PerfScriptSource(Input input) : input_(std::move(input)) {}

  Status load(TimelineBuilder& out, LoadContext& context) override;
  RecordText read_record(RecordOffset record, RecordOffset end_record) const override;
  const Input& input() const override { return input_; }
  RecordOffset record_end() const override { return kFirstLine + text_.text().size(); }
  Size size() const override;
  std::vector<std::pair<std::string, std::string>> details() const override { return details_; }
  LoadedState* loaded_state() override { return this; }

 private:
  std::uint32_t reader_version() const override { return 1; }
  void save(FieldWriter& out) const override;
  bool restore(FieldReader& in, const std::shared_ptr<const StringPool>& names) override;

  static constexpr RecordOffset kFirstLine = RecordOffset{1} << 32;

  Input input_;
  InputText text_;
  CallFrames frames_;
  // Where a line is whose payload stands beside the stack of a sample: the first of each call.
  std::unordered_map<std::uint32_t, std::uint64_t> payloads_;
  std::vector<std::pair<std::string, std::string>> details_;
};

}  // namespace cinderscope::perf_script
