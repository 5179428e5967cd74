#include "ingest/sql/tables/slice_scan.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace cinderscope {

namespace {

// For heaps with what comes next on top: of equal begins the outer one, which has a lower number.
auto later_of(bool backwards) {
  return [backwards](const auto& a, const auto& b) {
    const auto key = [](const auto& each) { return std::pair(each.begin_ns, each.number); };
    return backwards ? key(a) < key(b) : key(a) > key(b);
  };
}

}  // namespace

bool SliceScan::begin(ScanOrder order, std::uint64_t most) {
  order_ = order;
  spans_ = filter_.spans();
  next_span_ = 0;
  stream_.reset();
  streams_.clear();
  waiting_.clear();
  picked_.clear();
  next_picked_ = 0;
  if (order == ScanOrder::first_of_name) {
    mended_.clear();
    seen_names_.assign(static_cast<std::size_t>(data_.name_count()), 0);
  }
  row_ = nullptr;
  if (order == ScanOrder::longest || order == ScanOrder::shortest) {
    if (!pick_extremes(order == ScanOrder::longest, most)) return false;
  } else if (order == ScanOrder::begin || order == ScanOrder::begin_descending) {
    const bool backwards = order == ScanOrder::begin_descending;
    for (const ScannedSpan& span : spans_) {
      Stream stream{.span = span};
      if (!advance(stream, backwards)) continue;
      waiting_.push_back({span.row->slices->begin_ns(stream.index),
                          span.row->first_number + stream.index, streams_.size()});
      streams_.push_back(stream);
    }
    std::ranges::make_heap(waiting_, later_of(backwards));
  }
  return next();
}

// To the stream's next slice; false at its end or once the run is to end.
bool SliceScan::advance(Stream& stream, bool backwards) {
  const std::uint64_t first = stream.span.first / kChunkSlices;
  const std::uint64_t end = (stream.span.end + kChunkSlices - 1) / kChunkSlices;
  for (;;) {
    if (stream.has_chunk) {
      constexpr auto kWords = static_cast<std::uint32_t>(std::tuple_size_v<ChunkBits>);
      while (stream.word < kWords && stream.bits[stream.word] == 0) {
        stream.word += backwards ? -1u : 1u;  // from 0 back to beyond the last
      }
      if (stream.word < kWords) {
        std::uint64_t& bits = stream.bits[stream.word];
        const auto bit = static_cast<std::uint32_t>(backwards ? 63 - std::countl_zero(bits)
                                                              : std::countr_zero(bits));
        bits &= ~(std::uint64_t{1} << bit);
        stream.index = stream.base + std::uint64_t{stream.word} * 64 + bit;
        return true;
      }
      stream.has_chunk = false;
    }
    if (data_.stopped() || first + stream.chunk >= end) return false;
    const std::uint64_t chunk = backwards ? end - 1 - stream.chunk : first + stream.chunk;
    ++stream.chunk;
    if (!filter_.mark(stream.span, chunk, {}, stream.bits)) continue;
    if (order_ == ScanOrder::first_of_name && !drop_seen_names(stream.span, chunk, stream.bits)) {
      continue;
    }
    density_ = count_bits(stream.bits);
    stream.base = chunk * kChunkSlices;
    stream.word = backwards ? kChunkSlices / 64 - 1 : 0;
    stream.has_chunk = true;
  }
}

bool SliceScan::is_new_name(StringId name) {
  if (std::exchange(seen_names_[cinderscope::index(name)], std::uint8_t{1}) != 0) return false;
  // Names that were no UTF-8 may have become the same text.
  const std::string_view text = data_.text(row_->input, name);
  return text.find("\xef\xbf\xbd") == std::string_view::npos || mended_.emplace(text).second;
}

// False: none is left. Most chunks have no name that was not there before.
bool SliceScan::drop_seen_names(const ScannedSpan& span, std::uint64_t number,
                                ChunkBits& bits) const {
  const SliceChunk& chunk = *span.row->slices->chunks[number];
  std::array<std::uint32_t, kChunkSlices> names;
  chunk.read_names(0, {names.data(), chunk.count()});
  std::uint32_t all_seen = 1;
  for (std::uint32_t i = 0; i < chunk.count(); ++i) all_seen &= seen_names_[names[i]];
  if (all_seen != 0) return false;
  for (std::uint32_t i = 0; i < chunk.count(); ++i) {
    if (seen_names_[names[i]] != 0) bits[i / 64] &= ~(std::uint64_t{1} << (i % 64));
  }
  return count_bits(bits) > 0;
}

bool SliceScan::next_by_number() {
  for (;;) {
    if (stream_ != nullptr && advance(*stream_, false)) {
      show(stream_->span.row, stream_->index);
      return true;
    }
    if (data_.stopped()) return false;
    if (next_span_ == spans_.size()) {
      row_ = nullptr;
      return true;
    }
    if (stream_ == nullptr) stream_ = std::make_unique<Stream>();
    *stream_ = {.span = spans_[next_span_++]};
  }
}

bool SliceScan::next_by_begin() {
  const bool backwards = order_ == ScanOrder::begin_descending;
  const auto later = later_of(backwards);
  if (waiting_.empty()) {
    row_ = nullptr;
    return !data_.stopped();
  }
  std::ranges::pop_heap(waiting_, later);
  Waiting& next = waiting_.back();
  Stream& stream = streams_[next.stream];
  const NumberedRow& row = *stream.span.row;
  show(&row, next.number - row.first_number);
  if (advance(stream, backwards)) {
    next.begin_ns = row.slices->begin_ns(stream.index);
    next.number = row.first_number + stream.index;
    std::ranges::push_heap(waiting_, later);
  } else {
    waiting_.pop_back();
  }
  density_ = 1;
  return !data_.stopped();
}

bool SliceScan::next() {
  const bool goes_on = step();
  if (goes_on && row_ != nullptr) data_.count_handed_over();
  return goes_on;
}

bool SliceScan::step() {
  switch (order_) {
    case ScanOrder::number:
      return next_by_number();
    case ScanOrder::begin:
    case ScanOrder::begin_descending:
      return next_by_begin();
    case ScanOrder::first_of_name:
      for (;;) {
        if (!next_by_number()) return false;
        if (row_ == nullptr) return true;
        if (is_new_name(row_->slices->name(index_))) return true;
      }
    case ScanOrder::first_of_track: {
      const NumberedRow* last = row_;
      if (!next_by_number()) return false;
      while (row_ != nullptr && last != nullptr && row_->input == last->input &&
             row_->track == last->track) {
        stream_.reset();
        if (!next_by_number()) return false;
      }
      return true;
    }
    default:
      if (next_picked_ < picked_.size()) {
        show(picked_[next_picked_].row, picked_[next_picked_].index);
        ++next_picked_;
      } else {
        row_ = nullptr;
      }
      density_ = 1;
      return true;
  }
}

std::size_t SliceScan::ahead(std::span<NumberedPlace> places) const {
  std::size_t count = 0;
  if (order_ == ScanOrder::number && stream_ != nullptr && stream_->has_chunk) {
    for (std::uint32_t word = stream_->word; word < stream_->bits.size(); ++word) {
      for (std::uint64_t rest = stream_->bits[word]; rest != 0; rest &= rest - 1) {
        if (count == places.size()) return count;
        const auto bit = static_cast<std::uint32_t>(std::countr_zero(rest));
        places[count++] = {row_, stream_->base + std::uint64_t{word} * 64 + bit};
      }
    }
  }
  for (std::size_t i = next_picked_; i < picked_.size() && count < places.size(); ++i) {
    places[count++] = picked_[i];
  }
  return count;
}

bool SliceScan::pick_extremes(bool longest, std::uint64_t most) {
  struct Found {
    std::int64_t duration_ns;
    NumberedPlace place;
  };
  std::vector<Found> found;  // a heap with the least wanted on top
  const auto better = [longest](const Found& a, const Found& b) {
    return longest ? a.duration_ns > b.duration_ns : a.duration_ns < b.duration_ns;
  };
  TimeBounds wanted;
  ChunkBits bits;
  for (const ScannedSpan& span : spans_) {
    const std::uint64_t end = (span.end + kChunkSlices - 1) / kChunkSlices;
    for (std::uint64_t chunk = span.first / kChunkSlices; chunk < end && most > 0; ++chunk) {
      if (data_.stopped()) return false;
      if (wanted.first_ns > wanted.last_ns || !filter_.mark(span, chunk, wanted, bits)) continue;
      for (std::uint32_t word = 0; word < bits.size(); ++word) {
        for (std::uint64_t rest = bits[word]; rest != 0; rest &= rest - 1) {
          const std::uint64_t at = chunk * kChunkSlices + std::uint64_t{word} * 64 +
                                   static_cast<std::uint32_t>(std::countr_zero(rest));
          const Found each{span.row->slices->duration_ns(at), {span.row, at}};
          if (found.size() == most) {
            if (!better(each, found.front())) continue;
            std::ranges::pop_heap(found, better);
            found.pop_back();
          }
          found.push_back(each);
          std::ranges::push_heap(found, better);
        }
      }
      if (found.size() < most) continue;
      const std::int64_t worst_ns = found.front().duration_ns;
      (longest ? wanted.first_ns : wanted.last_ns) = longest ? worst_ns + 1 : worst_ns - 1;
    }
  }
  std::ranges::sort_heap(found, better);
  for (const Found& each : found) picked_.push_back(each.place);
  return true;
}

}  // namespace cinderscope
