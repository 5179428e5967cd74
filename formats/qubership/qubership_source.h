// An opened Qubership recording: a dump folder, a part of one, or a captured session.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "formats/qubership/found_files.h"
#include "formats/qubership/recording.h"
#include "formats/qubership/session_reader.h"
#include "ingest/format/capabilities.h"
#include "ingest/format/format.h"

namespace cinderscope::qubership {

class QubershipSource final : public TraceSource, public StatementSource, public MemoryOwner {
 public:
  explicit QubershipSource(Input input) : input_(std::move(input)) {}

  Status load(TimelineBuilder& out, LoadContext& control) override;
  RecordText describe(RecordOffset record, RecordOffset end_record) const override;
  bool has_statements() const override;
  std::vector<StatementTotal> statements(const std::atomic<bool>& cancelled) const override;
  const Input& input() const override { return input_; }
  std::uint64_t own_bytes() const override;
  RecordOffset record_end() const override { return recording_ ? recording_->store.size() : 0; }
  Size size() const override { return {stored_bytes_, recording_ ? recording_->store.size() : 0}; }
  std::vector<std::pair<std::string, std::string>> details() const override;

 private:
  Status load_session(TimelineBuilder& out, LoadContext& control);
  Status load_files(FoundFiles found, TimelineBuilder& out, LoadContext& control);
  Status load_single(TimelineBuilder& out, LoadContext& control);

  Input input_;
  std::optional<Recording> recording_;  // once load() began
  std::optional<SessionFacts> session_;
  std::uint64_t stored_bytes_ = 0;
};

}  // namespace cinderscope::qubership
