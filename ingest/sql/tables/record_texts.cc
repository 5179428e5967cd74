#include "ingest/sql/tables/record_texts.h"

#include <algorithm>
#include <array>

#include "ingest/base/parallel.h"
#include "ingest/format/trace_source.h"

namespace cinderscope {

void RecordTexts::read() {
  constexpr std::size_t kPiece = 64;
  texts_.assign(places_.size(), {});
  const auto read_piece = [&](std::size_t piece) {
    std::array<TraceSource::RecordEnds, kPiece> ends;
    std::size_t first = piece * kPiece;
    const std::size_t last = std::min(first + kPiece, places_.size());
    while (first < last && !data_.stopped()) {  // neighbours of one file together
      const std::uint32_t input = places_[first].row->input;
      std::size_t count = 0;
      for (; first + count < last && places_[first + count].row->input == input; ++count) {
        const auto& [row, at] = places_[first + count];
        const SliceChunk& chunk = row->slices->chunk_of(at);
        const std::uint32_t k = SliceRow::in_chunk(at);
        ends[count] = {chunk.record(k), chunk.end_record(k)};
      }
      const TraceSource* source = data_.inputs()[input].source.get();
      if (source != nullptr && source->has_args()) {
        source->describe_all(std::span(ends).first(count), std::span(texts_).subspan(first, count));
      }
      first += count;
    }
  };
  const std::size_t pieces = (places_.size() + kPiece - 1) / kPiece;
  if (pieces == 1) return read_piece(0);
  parallel_for(pieces, data_.jobs(), read_piece);
}

}  // namespace cinderscope
