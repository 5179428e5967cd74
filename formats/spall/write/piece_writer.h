// Makes the records of a piece of a thread, on any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "formats/spall/write/begin_records.h"
#include "ingest/part/loss_report.h"
#include "ingest/part/nested_slices.h"
#include "ingest/part/part_reader.h"
#include "ingest/part/slice_batches.h"

namespace cinderscope::spall {

struct PieceRecords : WrittenRecords {  // cut names: each once
  std::vector<std::size_t> ends;        // of records, some KB apart
  Result<bool> read = true;             // as PartReader::read() says

  // What has been used is left out.
  void clear_bytes() { bytes.clear(), ends.clear(); }
  void clear() {
    clear_bytes();
    losses = {};
    cut_names.clear();
    read = true;
  }
};

class PieceWriter final : public PartVisitor {
 public:
  PieceWriter(PartReader& part, TickTime clock, PieceRecords& out,
              const std::function<bool()>& pass_on);

  void write(const PartPiece& piece);

  void open(const PartSlice& slice) override { nested_.reopen(slice); }
  void slice(const PartSlice& slice) override;
  bool goes_on() const override { return going_; }

 private:
  static constexpr std::size_t kSlicesBetweenLooks = 512;
  friend class NestedSlices<PieceWriter, std::string_view, std::string>;
  // The text is the arguments of a slice that is looked at by itself, else the record.
  void begin(const PartSlice& slice, std::string_view text);
  void end(std::int64_t time);
  void take(std::span<const PartSlice> slices, BeginRecords& records);
  void count_cut_name();
  void note_end();

  PartReader& part_;
  TickTime clock_;
  PieceRecords& out_;
  const std::function<bool()>& pass_on_;
  bool going_ = true;
  std::optional<ArgsOneByOne> args_;  // none: batches are made
  BeginWriter begins_;
  std::size_t until_look_ = kSlicesBetweenLooks;
  std::unordered_set<StringId> cut_names_;
  NestedSlices<PieceWriter, std::string_view, std::string> nested_;
  SliceBatches<BeginRecords> batches_;
};

}  // namespace cinderscope::spall
