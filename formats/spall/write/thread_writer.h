// Writes one track of a trace as threads of a .spall file: one for each row of overlaps.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "formats/spall/write/begin_records.h"
#include "formats/spall/write/thread_buffers.h"
#include "ingest/part/loss_report.h"
#include "ingest/part/nested_slices.h"
#include "ingest/part/part_reader.h"
#include "ingest/part/slice_batches.h"

namespace cinderscope::spall {

// What all tracks of a file share.
struct SpallOutput {
  PartReader& part;
  OutputFile& file;
  LossReport& losses;
  TickTime clock = {};
  Spill spill{};
  std::unordered_set<StringId> cut_names = {};  // that were counted
};

struct SpallThread {
  std::uint32_t pid = 0, tid = 0;
  std::string process_name;  // empty: it has none, or another thread has told it
  std::string name;
};

// At most 255 bytes of a name; a longer one is counted.
std::string fitting_name(std::string_view name, LossReport& losses);

// The buffers of a thread, to which its names are written; they go out as they become full.
ThreadBuffers buffers_of(const SpallThread& thread, OutputFile& file);
void count_cut_names(SpallOutput& out,
                     std::span<const std::pair<StringId, RecordOffset>> cut_names);

// For tracks whose slices may partly overlap, or lie on disk.
class ThreadWriter final : public PartVisitor {
 public:
  // `further_tid` gives an id for a row of overlaps, of which 2 is the first.
  ThreadWriter(SpallOutput& out, SpallThread thread,
               std::function<std::uint32_t(std::uint32_t row)> further_tid);

  // Reads the track and writes all of it.
  Status write(const PartTrack& track);

  void slice(const PartSlice& slice) override { batches_.add(slice, slice.record); }
  bool goes_on() const override { return out_.file.ok() && !error_; }

 private:
  struct Row {
    Row(ThreadWriter& writer, std::uint32_t tid)
        : of(writer), buffers(writer.thread_.pid, tid), nested(*this, writer.out_.losses) {}
    void begin(const PartSlice& slice, std::string_view record);
    void end(std::int64_t time);

    ThreadWriter& of;
    ThreadBuffers buffers;
    NestedSlices<Row, std::string_view, std::string> nested;
  };

  void take(std::span<const PartSlice> slices, BeginRecords& records);
  void spill_rows();
  Row& row_of(std::uint32_t number);
  std::uint64_t tick(std::int64_t time);

  SpallOutput& out_;
  SpallThread thread_;
  std::function<std::uint32_t(std::uint32_t)> further_tid_;
  std::vector<std::unique_ptr<Row>> rows_;
  std::size_t waiting_bytes_ = 0;  // of further rows, in memory; since they were spilled
  std::optional<Error> error_;
  SliceBatches<BeginRecords> batches_;
};

}  // namespace cinderscope::spall
