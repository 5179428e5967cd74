#include "ingest/part/slice_texts.h"

#include <algorithm>
#include <utility>

#include "ingest/base/parallel.h"
#include "ingest/format/trace_source.h"

namespace cinderscope {
namespace {

// So many texts are in memory at once.
constexpr std::size_t kBatch = 4096, kPiece = 64;

}  // namespace

SliceTexts::SliceTexts(const PartReader& part, Take take)
    : part_(part),
      take_(std::move(take)),
      reads_(part.source() != nullptr && part.source()->has_args()) {}

void SliceTexts::add(const PartSlice& slice) {
  if (!reads_) return take_(slice, {});
  slices_.push_back(slice);
  if (slices_.size() == kBatch) flush();
}

void SliceTexts::flush() {
  texts_.assign(slices_.size(), {});
  parallel_for((slices_.size() + kPiece - 1) / kPiece, part_.context().jobs(), [&](std::size_t i) {
    const std::size_t end = std::min((i + 1) * kPiece, slices_.size());
    for (std::size_t at = i * kPiece; at < end; ++at) {
      if (slices_[at].record == kNoRecord) continue;
      texts_[at] = part_.source()->describe(slices_[at].record, slices_[at].end_record);
    }
  });
  for (std::size_t i = 0; i < slices_.size(); ++i) take_(slices_[i], texts_[i]);
  slices_.clear();
}

}  // namespace cinderscope
