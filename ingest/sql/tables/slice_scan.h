// Goes through the slices that a filter lets pass: by number, by begin, or the longest ones.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "ingest/sql/tables/slice_filter.h"

namespace cinderscope {

enum class ScanOrder : int {
  number,
  begin,
  begin_descending,
  longest,  // a given number of them
  shortest,
  first_of_name,   // one of each name
  first_of_track,  // one of each track
};

class SliceScan {
 public:
  explicit SliceScan(const QueryData& data, SliceFilter& filter) : data_(data), filter_(filter) {}

  // `most` is the number of longest or shortest ones. False: the run is to end.
  bool begin(ScanOrder order, std::uint64_t most);
  bool next();
  bool at_end() const { return row_ == nullptr; }

  const NumberedRow& row() const { return *row_; }
  std::uint64_t index() const { return index_; }
  // Slices behind this one that will follow; at most `places.size()`, fewer where it is not known.
  std::size_t ahead(std::span<NumberedPlace> places) const;
  // How many of the chunk pass, where whole chunks are gone through; else 1.
  std::uint32_t density() const { return density_; }

 private:
  // The place in one span.
  struct Stream {
    ScannedSpan span;
    std::uint64_t chunk = 0;  // the next one to be marked
    std::uint64_t base = 0;   // first slice of the chunk that was marked last
    std::uint32_t word = 0;   // of bits; what was passed is cleared
    bool has_chunk = false;
    std::uint64_t index = 0;
    ChunkBits bits{};
  };
  bool advance(Stream& stream, bool backwards);
  bool drop_seen_names(const ScannedSpan& span, std::uint64_t chunk, ChunkBits& bits) const;
  bool is_new_name(StringId name);
  bool step();
  bool next_by_number();
  bool next_by_begin();
  bool pick_extremes(bool longest, std::uint64_t most);
  void show(const NumberedRow* row, std::uint64_t index) {
    row_ = row;
    index_ = index;
  }

  const QueryData& data_;
  SliceFilter& filter_;
  ScanOrder order_ = ScanOrder::number;
  std::vector<ScannedSpan> spans_;
  std::size_t next_span_ = 0;
  std::unique_ptr<Stream> stream_;
  struct Waiting {
    std::int64_t begin_ns;
    std::uint64_t number;
    std::size_t stream;
  };
  std::vector<Stream> streams_;
  std::vector<Waiting> waiting_;  // a heap
  std::vector<NumberedPlace> picked_;
  std::size_t next_picked_ = 0;
  std::vector<std::uint8_t> seen_names_;  // 1: was given
  std::set<std::string_view> mended_;     // texts with U+FFFD that were given

  const NumberedRow* row_ = nullptr;
  std::uint64_t index_ = 0;
  std::uint32_t density_ = 0;
};

}  // namespace cinderscope
