// An opened thread stream file, and the names that its calls have now.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "formats/thread_stream/growing/growing_streams.h"
#include "formats/thread_stream/record_data.h"
#include "formats/thread_stream/recording.h"
#include "ingest/format/capabilities.h"
#include "ingest/format/symbols.h"
#include "ingest/format/trace_source.h"
#include "ingest/os/file.h"

namespace cinderscope::thread_stream {

class ThreadStreamSource final : public TraceSource,
                                 private Symbols,
                                 private NativeSymbols,
                                 private LoadedState {
 public:
  ThreadStreamSource(Input input, const FileHeader& header);

  Status load(TimelineBuilder& out, LoadContext& context) override;
  RecordText read_record(RecordOffset record, RecordOffset end_record) const override;
  void read_records(std::span<const RecordEnds> records,
                    std::span<RecordText> texts) const override;
  const Input& input() const override { return input_; }
  std::vector<std::filesystem::path> files() const override;
  bool grows() const override { return live(); }
  std::unique_ptr<TraceSource> read_on() override;
  DiskChange change_on_disk() const override;
  bool records_stay() const override;
  RecordOffset record_end() const override { return recording_.walked.place_end; }
  Size size() const override;
  std::vector<std::pair<std::string, std::string>> details() const override;
  const Symbols* symbols() const override { return this; }
  const NativeSymbols* native_symbols() const override { return this; }
  LoadedState* loaded_state() override { return this; }

 private:
  std::string_view file_ending() const override { return kNamesEnding; }
  bool has_beside() const override { return has_names_beside(input_); }
  Result<std::vector<RenamedTracks>> load(const StringPool& shown, const SymbolOptions& wanted,
                                          const std::shared_ptr<StringPool>& now) const override;

  std::uint32_t reader_version() const override { return 1; }
  void save(FieldWriter& out) const override;
  bool restore(FieldReader& in, const std::shared_ptr<const StringPool>& names) override;

  bool can_read() const override;
  bool wanted() const override;
  Result<SymbolReport> write(const SymbolRequest& request, LoadContext& context) const override;

  std::function<StringId(RecordOffset, StringId)> names_by_record(
      const Names& before, const StringPool& shown, const std::vector<std::uint8_t>& split,
      const std::map<std::pair<std::uint64_t, std::uint64_t>, StringId>& by_code) const;
  std::shared_ptr<const Names> names() const;
  // A program may still write into the file, at its end and into chunks that are open.
  bool live() const {
    return (recording_.header.flags & kLive) != 0 && !recording_.tables.finished;
  }

  // Where the records lay that were read last: whoever asks for one after another goes on there.
  struct LastRecords {
    LastRecord begin, end;
  };

  Input input_;
  std::optional<FileStatus> status_;  // of the file as it was read
  Recording recording_;
  SymbolOptions wanted_names_;               // of the load
  std::unique_ptr<GrowingStreams> growing_;  // of a live file; whoever reads on takes it
  mutable std::mutex mutex_;                 // over names_
  mutable std::shared_ptr<const Names> names_;
  mutable std::mutex last_mutex_;  // over last_
  mutable LastRecords last_;
};

}  // namespace cinderscope::thread_stream
