// One opened profile of V8.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "formats/cpuprofile/profile_reader.h"
#include "ingest/format/capabilities.h"
#include "ingest/format/trace_source.h"
#include "ingest/input/input_text.h"

namespace cinderscope::cpuprofile {

// The record of a slice is the number of its call.
class CpuprofileSource final : public TraceSource, private LoadedState {
 public:
  explicit CpuprofileSource(Input input) : input_(std::move(input)) {}

  Status load(TimelineBuilder& out, LoadContext& context) override;
  RecordText read_record(RecordOffset record, RecordOffset end_record) const override;
  bool has_categories() const override { return false; }
  const Input& input() const override { return input_; }
  RecordOffset record_end() const override { return nodes_of_call_.size(); }
  Size size() const override;
  std::vector<std::pair<std::string, std::string>> details() const override { return details_; }
  LoadedState* loaded_state() override { return this; }

 private:
  std::uint32_t reader_version() const override { return 1; }
  void save(FieldWriter& out) const override;
  bool restore(FieldReader& in, const std::shared_ptr<const StringPool>& names) override;

  void write_weights(ReadProfile& profile, ThreadId thread, TimelineBuilder& out);
  void write_times(ReadProfile& profile, ThreadId thread, TimelineBuilder& out,
                   const LoadContext& context);
  void describe_without_clock(std::string_view unit, std::int64_t total);
  void keep_nodes(const ReadProfile& profile, const V8Profile::Calls& calls);

  Input input_;
  InputText text_;
  bool is_nested_ = false;
  // The first node of each call, and of each node the next one of its call.
  std::vector<std::uint32_t> nodes_of_call_, next_node_;
  std::vector<std::uint64_t> node_offset_;
  std::vector<std::pair<std::string, std::string>> details_;
};

}  // namespace cinderscope::cpuprofile
