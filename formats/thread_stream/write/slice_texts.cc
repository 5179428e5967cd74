#include "formats/thread_stream/write/slice_texts.h"

#include <span>
#include <utility>

#include "ingest/format/trace_source.h"

namespace cinderscope {
namespace {

void read_texts(const TraceSource& source, std::span<const PartSlice> slices,
                std::vector<RecordText>& texts) {
  std::vector<TraceSource::RecordEnds> records;
  records.reserve(slices.size());
  for (const PartSlice& slice : slices) records.push_back({slice.record, slice.end_record});
  texts.resize(slices.size());
  source.describe_all(records, texts);
}

}  // namespace

SliceTexts::SliceTexts(const PartReader& part, unsigned jobs, Take take, std::size_t most)
    : take_(std::move(take)),
      reads_(part.source() != nullptr && part.source()->has_args()),
      batches_(
          jobs,
          [&part](std::span<PartSlice> slices, std::vector<RecordText>& texts) {
            if (!slices.empty()) read_texts(*part.source(), slices, texts);
          },
          [this](std::span<PartSlice> slices, std::vector<RecordText>& texts) {
            for (std::size_t i = 0; i < slices.size(); ++i) take_(slices[i], texts[i]);
          },
          most) {}

void SliceTexts::add(const PartSlice& slice) {
  if (!reads_) return take_(slice, {});
  batches_.add(slice, slice.record);
}

}  // namespace cinderscope
