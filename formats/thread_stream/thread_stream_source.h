// An opened thread stream file, and the names that its calls have now.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "formats/thread_stream/recording.h"
#include "ingest/format/symbols.h"
#include "ingest/format/trace_source.h"

namespace cinderscope::thread_stream {

class ThreadStreamSource final : public TraceSource, private Symbols {
 public:
  ThreadStreamSource(Input input, const FileHeader& header);

  Status load(TimelineBuilder& out, LoadContext& context) override;
  RecordText read_record(RecordOffset record, RecordOffset end_record) const override;
  const Input& input() const override { return input_; }
  std::vector<std::filesystem::path> files() const override;
  RecordOffset record_end() const override { return recording_.walked.place_end; }
  Size size() const override;
  std::vector<std::pair<std::string, std::string>> details() const override;
  const Symbols* symbols() const override { return this; }

 private:
  std::string_view file_ending() const override { return kNamesEnding; }
  bool has_beside() const override { return has_names_beside(input_); }
  Result<std::vector<RenamedTracks>> load(const StringPool& shown, const SymbolOptions& wanted,
                                          const std::shared_ptr<StringPool>& now) const override;

  std::shared_ptr<const Names> names() const;

  Input input_;
  Recording recording_;
  mutable std::mutex mutex_;  // over names_
  mutable std::shared_ptr<const Names> names_;
};

}  // namespace cinderscope::thread_stream
