// What the records of slices say, read again for a batch of them on all cores.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "ingest/model/record_text.h"
#include "ingest/part/part_reader.h"
#include "ingest/part/slice_batches.h"

namespace cinderscope {

// Hands slices on in their order, each with its text. One thread uses it.
class SliceTexts {
 public:
  static constexpr std::size_t kMost = SliceBatches<std::vector<RecordText>>::kMost;
  using Take = std::function<void(const PartSlice& slice, const RecordText& text)>;
  // On so many threads, at most `most` slices at once.
  SliceTexts(const PartReader& part, unsigned jobs, Take take, std::size_t most = kMost);

  void add(const PartSlice& slice);
  void flush() { batches_.flush(); }  // hands on all that were added

 private:
  Take take_;
  bool reads_;  // false: no record says anything
  SliceBatches<std::vector<RecordText>> batches_;
};

}  // namespace cinderscope
