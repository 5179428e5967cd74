// The slices of a part as rows of the table `slice`, numbered, with callers and self times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "ingest/base/result.h"
#include "ingest/part/part_reader.h"

namespace cinderscope {

// Numbers count from 1; 0: there is none. Those of tracks, threads, processes and names are the
// timeline's, those of slices count what is read, track by track in the order of calls.
struct SliceTableRow {
  std::uint64_t slice_id = 0, parent_slice_id = 0;
  std::uint32_t track_id = 0, thread_id = 0, process_id = 0, name_id = 0;
  std::int64_t ts = 0, dur = 0, self_dur = 0;
  std::uint32_t depth = 1;
  std::string_view name;
  std::string_view category;  // empty: it has none
  bool unfinished = false, overlapping = false, cut_begin = false, cut_end = false;
  RecordOffset record = kNoRecord, end_record = kNoRecord;

  std::int64_t ts_end() const { return ts + dur; }
};

class SliceRows {
 public:
  // Makes a text of some rows; on any thread.
  using Write = std::function<void(std::span<const SliceTableRow> rows, std::string& text)>;
  // Gets them in order; returns false where it wants no more.
  using Take = std::function<bool(std::span<const SliceTableRow> rows, std::string_view text)>;
  SliceRows(PartReader& part, Write write, Take take)
      : part_(part), write_(std::move(write)), take_(std::move(take)) {}

  // Goes through the track twice, for what slices spend themselves is known once others have
  // followed; of long tracks these wait in a temporary file. False: cancelled, or `take` had
  // enough.
  Result<bool> read(const PartTrack& track);

 private:
  PartReader& part_;
  Write write_;
  Take take_;
  std::uint64_t last_id_ = 0;
};

}  // namespace cinderscope
