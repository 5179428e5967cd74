// An opened Lincheck trace.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "formats/lincheck/lazy_load.h"
#include "formats/lincheck/lookup.h"
#include "formats/lincheck/recording_files.h"
#include "formats/lincheck/scan_recording.h"
#include "formats/lincheck/trace_map.h"
#include "ingest/format/capabilities.h"
#include "ingest/format/name_index.h"
#include "ingest/format/trace_source.h"

namespace cinderscope::lincheck {

class LincheckSource final : public TraceSource, private TreeText, private NameIndexReader {
 public:
  explicit LincheckSource(Input input);  // of a data file or of a packed trace

  Status load(TimelineBuilder& out, LoadContext& context) override;
  Result<LoadedChildren> load_children(const ChildQuery& query, StringPool& names,
                                       LoadContext& context) override;
  RecordText read_record(RecordOffset record, RecordOffset end_record) const override;
  const Input& input() const override { return files_.input(); }
  // What was packed lies unpacked in a file of ours.
  bool records_stay() const override {
    return files_.packed() != nullptr || TraceSource::records_stay();
  }
  RecordOffset record_end() const override { return files_.data(UINT64_MAX).size(); }
  Size size() const override { return {input().stored_bytes(), files_.data(UINT64_MAX).size()}; }
  std::vector<std::pair<std::string, std::string>> details() const override;
  const IndexFile* index_file() const override { return &index_writer_; }
  TreeText* tree_text() override { return this; }
  const NameIndexReader* name_index() const override { return lazy_ ? this : nullptr; }

 private:
  using Tick = std::function<bool(std::uint64_t done_bytes)>;

  class Index final : public IndexFile {
   public:
    explicit Index(LincheckSource& source) : source_(source) {}
    bool can_write() const override { return source_.files_.can_write_index(); }
    bool is_wanted() const override { return can_write() && source_.index_is_bad_; }
    Result<std::string> write(LoadContext& context) const override {
      return source_.write_index(context);
    }

   private:
    LincheckSource& source_;
  };

  Result<std::string> write_index(LoadContext& context);
  Status print(const TreeRequest& request, const TreeSink& write, LoadContext& context) override;
  std::shared_ptr<const NameIndex> read(const std::shared_ptr<StringPool>& names, unsigned jobs,
                                        const std::atomic<bool>& cancelled,
                                        const SurveyProgress& progress) const override;

  // Unpacks the data where they are packed, and reads their header.
  Status open_data(LoadContext& context, const Tick& tick);
  // Reads the data from end to end, unless that was done; compares the index on the way. `tick`
  // gets the bytes done.
  Status map_out(LoadContext& context, const Tick& tick);
  // Reads the data whatever was done; takes the layout over, and whether the index is bad.
  Result<ScannedRecording> scanned(const LoadContext& context, const Tick& tick,
                                   bool rebuild_index);
  // For data too large to load as a whole: reads the index only, or else makes one. Of a large
  // index only what the outer levels need, if that is allowed.
  Status map_out_by_index(LoadContext& context, const Tick& tick, bool outline_allowed);
  Status load_outer(TimelineBuilder& out, LoadContext& context, const Tick& tick);
  // The rest of an index of which the outline was read. False: something in it is wrong.
  bool read_rest(unsigned jobs) const;
  // Makes one from the data in its place.
  Status rebuild_rest(LoadContext& context);
  // What an outline left out, once it was read.
  struct AllObjects {
    TraceMap map;
    std::unique_ptr<Lookup> lookup;
  };
  void take_rest(TraceMap map, std::vector<ThreadCells> cells) const;  // under rest_mutex_
  const Lookup* lookup() const;  // the best there is; null before it was mapped out
  bool is_large(const LoadContext& context) const;
  bool begins_as_diff() const;
  void note_facts(TimelineBuilder& out) const;

  Index index_writer_{*this};
  RecordingFiles files_;
  std::atomic<bool> index_is_bad_ = false;  // it is missing, cut or wrong
  Layout layout_;
  bool mapped_out_ = false;
  TraceMap map_;
  std::unique_ptr<Lookup> lookup_;  // once mapped out
  std::unique_ptr<GrowingFile> rebuilt_index_;
  std::unique_ptr<LazyLoad> lazy_;  // of large data
  bool is_outline_ = false;         // map_ and lookup_ are that of a large index
  mutable std::mutex rest_mutex_;   // over the next three
  mutable bool rest_is_read_ = false;
  mutable std::unique_ptr<AllObjects> all_objects_;
  mutable std::uint64_t container_count_ = 0;  // of large data
  mutable std::atomic<const Lookup*> all_lookup_ = nullptr;
  std::uint64_t survey_window_bytes_ = 0;
};

}  // namespace cinderscope::lincheck
