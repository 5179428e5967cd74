// An opened Flow trace: its files, its methods, and what is known of each.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "formats/flow/event_reader.h"
#include "formats/flow/flow_files.h"
#include "formats/flow/method_table.h"
#include "ingest/format/capabilities.h"
#include "ingest/format/symbols.h"
#include "ingest/format/trace_source.h"

namespace cinderscope::flow {

class FlowSource final : public TraceSource,
                         private Symbols,
                         private Siblings,
                         private LoadedState {
 public:
  // A folder with its thread files, or one file (`files` has it alone).
  FlowSource(Input input, std::vector<ThreadFile> files);

  Status load(TimelineBuilder& out, LoadContext& context) override;
  RecordText read_record(RecordOffset record, RecordOffset end_record) const override;
  bool has_args() const override { return false; }
  const Input& input() const override { return input_; }
  std::vector<std::filesystem::path> files() const override;
  bool records_stay() const override { return true; }  // they are names, which are in memory
  RecordOffset record_end() const override;
  Size size() const override { return size_; }
  std::vector<std::pair<std::string, std::string>> details() const override;
  const Symbols* symbols() const override { return this; }
  // Of a file that has one thread of a folder's.
  const Siblings* siblings() const override;
  LoadedState* loaded_state() override { return this; }

 private:
  std::uint32_t reader_version() const override { return 1; }
  void save(FieldWriter& out) const override;
  bool restore(FieldReader& in, const std::shared_ptr<const StringPool>& pool) override;

  std::string_view file_ending() const override { return ".properties"; }
  bool has_beside() const override;
  Result<std::vector<RenamedTracks>> load(const StringPool& shown, const SymbolOptions& wanted,
                                          const std::shared_ptr<StringPool>& now) const override;
  std::size_t thread_count() const override;
  std::string recording_path() const override;

  // What names mean now; replaced as a whole.
  struct Names {
    std::shared_ptr<const StringPool> pool;
    std::vector<Method> methods;  // by record
    std::string mapping_path;     // empty: there is none
    std::size_t mapped_count = 0;
    std::uint64_t unknown_calls = 0;
  };
  std::shared_ptr<const Names> names() const;
  void set_names(std::shared_ptr<const Names> names) const;

  Input input_;
  std::vector<ThreadFile> files_;
  Size size_;
  std::vector<Layout> layouts_;  // those that the files have
  mutable std::mutex mutex_;     // over names_
  mutable std::shared_ptr<const Names> names_;
};

}  // namespace cinderscope::flow
