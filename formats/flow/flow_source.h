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
#include "ingest/format/format.h"

namespace cinderscope::flow {

class FlowSource : public TraceSource {
 public:
  // A folder with its thread files, or one file (`files` has it alone).
  FlowSource(Input input, std::vector<ThreadFile> files);

  Status load(TimelineBuilder& out, LoadContext& control) override;
  RecordText describe(RecordOffset record, RecordOffset end_record) const override;
  bool has_args() const override { return false; }
  const Input& input() const override { return input_; }
  RecordOffset record_end() const override;
  Size size() const override { return size_; }
  std::vector<std::pair<std::string, std::string>> details() const override;
  bool has_symbols() const override { return true; }
  bool has_symbols_beside() const override;
  Result<LoadedSymbols> load_symbols(const StringPool& shown, const SymbolOptions& names,
                                     const std::shared_ptr<StringPool>& pool) override;

 private:
  // What names mean now; replaced as a whole.
  struct Names {
    std::shared_ptr<const StringPool> pool;
    std::vector<Method> methods;  // by record
    std::string mapping_path;     // empty: there is none
    std::size_t mapped_count = 0;
  };
  std::shared_ptr<const Names> names() const;
  void set_names(std::shared_ptr<const Names> names);

  Input input_;
  std::vector<ThreadFile> files_;
  Size size_;
  std::vector<Layout> layouts_;  // those that the files have
  std::uint64_t unknown_calls_ = 0;
  mutable std::mutex mutex_;  // over names_
  std::shared_ptr<const Names> names_;
};

}  // namespace cinderscope::flow
