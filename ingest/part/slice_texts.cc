#include "ingest/part/slice_texts.h"

#include <algorithm>
#include <array>
#include <span>
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
    const std::size_t first = i * kPiece, count = std::min(kPiece, slices_.size() - first);
    std::array<TraceSource::RecordEnds, kPiece> records;
    for (std::size_t k = 0; k < count; ++k) {
      records[k] = {slices_[first + k].record, slices_[first + k].end_record};
    }
    part_.source()->describe_all(std::span(records).first(count),
                                 std::span(texts_).subspan(first, count));
  });
  for (std::size_t i = 0; i < slices_.size(); ++i) take_(slices_[i], texts_[i]);
  slices_.clear();
}

}  // namespace cinderscope
