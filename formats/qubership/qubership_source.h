// An opened Qubership recording: a dump folder, a part of one, or a captured session.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "formats/qubership/found_files.h"
#include "formats/qubership/growing/growing_recording.h"
#include "formats/qubership/recording.h"
#include "formats/qubership/session_reader.h"
#include "ingest/format/capabilities.h"
#include "ingest/format/trace_source.h"

namespace cinderscope::qubership {

class QubershipSource final : public TraceSource, private Statements, private CallFacts {
 public:
  explicit QubershipSource(Input input) : input_(std::move(input)) {}

  Status load(TimelineBuilder& out, LoadContext& context) override;
  RecordText read_record(RecordOffset record, RecordOffset end_record) const override;
  const Input& input() const override { return input_; }
  std::vector<std::filesystem::path> files() const override;
  bool grows() const override { return true; }         // agents write for as long as they run
  bool records_stay() const override { return true; }  // all streams lie in a file of ours
  std::unique_ptr<TraceSource> read_on() override;
  RecordOffset record_end() const override {
    return recording_ ? recording_->store.end_place() : 0;
  }
  Size size() const override;
  std::vector<std::pair<std::string, std::string>> details() const override;
  const Statements* statements() const override;
  const CallFacts* call_facts() const override;

 private:
  std::span<const Column> columns() const override;
  std::vector<std::int64_t> facts_of(RecordOffset record) const override;
  std::vector<StatementTotal> totals(const std::atomic<bool>& cancelled) const override;
  Status load_session(TimelineBuilder& out, LoadContext& context);
  Status load_files(FoundFiles found, TimelineBuilder& out, LoadContext& context);
  bool load_further(const FoundFiles& found, TimelineBuilder& out, LoadContext& context);
  Status show_growing(TimelineBuilder& out, LoadContext& context);
  Status load_single(TimelineBuilder& out, LoadContext& context);

  Input input_;
  std::optional<Recording> recording_;  // once load() began
  std::optional<SessionFacts> session_;
  std::uint64_t stored_bytes_ = 0;
  // Of a folder that is written while it is read; whoever reads on takes it.
  std::unique_ptr<GrowingRecording> growing_;
};

}  // namespace cinderscope::qubership
