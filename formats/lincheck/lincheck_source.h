// An opened Lincheck trace.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "formats/lincheck/lazy_load.h"
#include "formats/lincheck/lookup.h"
#include "formats/lincheck/packed_trace.h"
#include "formats/lincheck/scan.h"
#include "formats/lincheck/trace_map.h"
#include "ingest/format/capabilities.h"
#include "ingest/format/name_index.h"
#include "ingest/format/trace_source.h"

namespace cinderscope::lincheck {

// Magic and version at the beginning of a data file: the version, or what is wrong with them.
Result<std::int64_t> version_of(std::span<const std::byte> head);

class LincheckSource final : public TraceSource, private TreeText, private NameIndexReader {
 public:
  explicit LincheckSource(Input input);  // of a data file or of a packed trace

  Status load(TimelineBuilder& out, LoadContext& context) override;
  Result<LoadedChildren> load_children(const ChildQuery& query, StringPool& names,
                                       LoadContext& context) override;
  RecordText read_record(RecordOffset record, RecordOffset end_record) const override;
  const Input& input() const override { return input_; }
  // What was packed lies unpacked in a file of ours.
  bool records_stay() const override { return packed_ || TraceSource::records_stay(); }
  RecordOffset record_end() const override { return data(UINT64_MAX).size(); }
  Size size() const override { return {input_.stored_bytes(), data(UINT64_MAX).size()}; }
  std::vector<std::pair<std::string, std::string>> details() const override;
  const IndexFile* index_file() const override { return &index_writer_; }
  TreeText* tree_text() override { return this; }
  const NameIndexReader* name_index() const override { return lazy_ ? this : nullptr; }

 private:
  class Index final : public IndexFile {
   public:
    explicit Index(LincheckSource& source) : source_(source) {}
    bool can_write() const override { return !source_.packed_ && !source_.input_.path().empty(); }
    bool is_wanted() const override { return can_write() && source_.index_is_bad_; }
    Result<std::string> write(LoadContext& context) const override {
      return source_.write_index(context);
    }

   private:
    LincheckSource& source_;
  };

  Result<std::string> write_index(LoadContext& context);
  Status print(const TreeRequest& request, const TreeSink& write, LoadContext& context) override;
  std::shared_ptr<const NameIndex> read(unsigned jobs, const std::atomic<bool>& cancelled,
                                        const SurveyProgress& progress) const override;

  // Unpacks the data where they are packed, and reads their header.
  Status open_data(LoadContext& context, const std::function<bool(std::uint64_t)>& tick);
  // All bytes of the data, or of the index, that are there; at least `wanted` unless they end
  // before. Any thread. They stay as long as the source once all have come, those of a stream that
  // still comes until the next call.
  std::span<const std::byte> data(std::uint64_t wanted) const;
  std::optional<std::span<const std::byte>> index_bytes() const;

  // Reads the data from end to end, unless that was done; compares the index on the way. `tick`
  // gets the bytes done.
  Status map_out(LoadContext& context, const std::function<bool(std::uint64_t)>& tick);
  // `keep_cells` of a new index, in rebuilt_index_.
  Status scan_data(LoadContext& context, const std::function<bool(std::uint64_t)>& tick,
                   bool keep_cells, TraceMap& map);
  Status scan_with_layout(LoadContext& context, const std::function<bool(std::uint64_t)>& tick,
                          bool keep_cells, TraceMap& map);
  // For data too large to load as a whole: reads the index only, or else makes one. Of a large
  // index only what the outer levels need, if that is allowed.
  Status map_out_by_index(LoadContext& context, const std::function<bool(std::uint64_t)>& tick,
                          bool outline_allowed);
  Status load_outer(TimelineBuilder& out, LoadContext& context,
                    const std::function<bool(std::uint64_t)>& tick);
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
  void find_index();
  void report_index(const std::optional<std::string>& problem, bool is_cut, std::int64_t offset,
                    TraceMap& map);

  Index index_writer_{*this};
  Input input_;
  std::optional<PackedTrace> packed_;
  std::optional<Input> index_;              // of a data file
  mutable std::mutex pin_mutex_;            // over the next two
  mutable Pin pin_, index_pin_;             // of input_ and index_
  bool index_wanted_ = false;               // there is a place where it should be
  std::atomic<bool> index_is_bad_ = false;  // it is missing, cut or wrong
  std::string index_name_;
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
