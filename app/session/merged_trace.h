// Several files on one timeline: a source made of their sources.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/session/merge_offset.h"
#include "app/session/merged_file.h"
#include "app/session/trace_loader.h"
#include "ingest/format/capabilities.h"
#include "ingest/format/name_index.h"
#include "ingest/format/symbols.h"
#include "ingest/format/trace_source.h"

namespace cinderscope {

// Which symbols each source takes if the user asks for `wanted` (null: a file that was left out). A
// file with names holds for the traces of its own folder; if there are none, for the traces that
// have no such file beside them; if there are none either, for all. The others keep their own.
std::vector<SymbolOptions> names_of_each(const std::vector<std::shared_ptr<TraceSource>>& sources,
                                         const SymbolOptions& wanted);

// Opens the file or folder of that path; loader thread.
using PathOpener = std::function<Result<OpenedSource>(const std::string& path, LoadContext&)>;

// Reads one file after the other. A file that cannot be read, or whose axis differs from the first
// file's, is left out; diagnostics and merged_files() say so.
class MergedSource final : public TraceSource,
                           private Symbols,
                           private NativeSymbols,
                           private Statements,
                           private CallFacts,
                           private NameIndexReader {
 public:
  MergedSource(std::vector<MergeFile> files, PathOpener open);

  Status load(TimelineBuilder& out, LoadContext& context) override;
  Result<LoadedChildren> load_children(const ChildQuery& query, StringPool& names,
                                       LoadContext& context) override;
  RecordText read_record(RecordOffset record, RecordOffset end_record) const override;
  void read_records(std::span<const RecordEnds> records,
                    std::span<RecordText> texts) const override;
  const Input& input() const override { return input_; }  // empty: there are several
  bool grows() const override;
  DiskChange change_on_disk() const override;
  bool records_stay() const override { return true; }  // each source looks at its own
  RecordOffset record_end() const override;
  void stop() const override;
  Size size() const override;
  const Symbols* symbols() const override;
  const NativeSymbols* native_symbols() const override;
  const Statements* statements() const override;
  const NameIndexReader* name_index() const override;
  const CallFacts* call_facts() const override;

  // After load().
  const std::vector<MergedFile>& merged_files() const { return merged_; }
  const std::string& path(std::size_t part) const { return files_[part].path; }
  TimeAxis axis() const { return axis_; }

 private:
  struct Source {
    std::shared_ptr<TraceSource> source;  // null: left out
    RecordOffset first_record = 0, record_end = 0;
    std::int64_t shift_ns = 0;
    std::size_t first_track = 0, track_count = 0;  // of the timeline
    unsigned number = 0;                           // among the files that were merged, from 1
  };

  std::string_view file_ending() const override;
  bool has_beside() const override;
  Result<std::vector<RenamedTracks>> load(const StringPool& shown, const SymbolOptions& wanted,
                                          const std::shared_ptr<StringPool>& now) const override;
  bool can_read() const override;
  bool wanted() const override;
  Result<SymbolReport> write(const SymbolRequest& request, LoadContext& context) const override;
  std::vector<StatementTotal> totals(const std::atomic<bool>& cancelled) const override;
  std::span<const Column> columns() const override;
  std::vector<std::int64_t> facts_of(RecordOffset record) const override;
  std::shared_ptr<const NameIndex> read(const std::shared_ptr<StringPool>& names, unsigned jobs,
                                        const std::atomic<bool>& cancelled,
                                        const SurveyProgress& progress) const override;

  const Symbols* symbols_of_first() const;
  std::vector<SymbolOptions> names_of_each(const SymbolOptions& wanted) const;
  std::optional<Error> open_all(LoadContext& context);
  std::optional<Error> read_all(LoadContext& context, std::vector<Timeline>& timelines);
  void align(const std::vector<Timeline>& timelines);
  const Source* source_of(RecordOffset record) const;

  std::vector<MergeFile> files_;
  PathOpener open_;
  Input input_;
  TimeAxis axis_ = TimeAxis::nanoseconds;
  std::vector<MergedFile> merged_;
  std::vector<Source> sources_;  // by file
  mutable std::mutex mutex_;     // guards stopped_ and stoppable_
  mutable bool stopped_ = false;
  std::vector<std::shared_ptr<TraceSource>> stoppable_;
};

}  // namespace cinderscope
