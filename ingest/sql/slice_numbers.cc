#include "ingest/sql/slice_numbers.h"

#include <algorithm>
#include <array>
#include <utility>

namespace cinderscope {

namespace {

constexpr std::array kKinds = {TrackKind::thread,    TrackKind::samples, TrackKind::async,
                               TrackKind::lifetimes, TrackKind::calls,   TrackKind::marks};

}  // namespace

SliceNumbers::SliceNumbers(std::vector<std::shared_ptr<const SliceSet>> sets, Of of)
    : sets_(std::move(sets)), tracks_(sets_.size()), nested_(sets_.size()) {
  std::uint64_t next = 1;
  for (std::uint32_t input = 0; input < sets_.size(); ++input) {
    const auto add = [&](const TrackSlices& track, BlockId block, std::uint32_t row,
                         const SliceRow& slices) {
      if (slices.count() == 0) return;
      rows_.push_back({&slices, next, input, track.kind, track.track, block, row});
      next += slices.count();
    };
    // Calls `add_rows` for each track, kind by kind, and notes which rows are the track's.
    const auto for_tracks = [&](std::vector<Stretch>& stretches, const auto& add_rows) {
      for (const TrackKind kind : kKinds) {
        for (const TrackSlices& track : sets_[input]->tracks) {
          if (track.kind != kind) continue;
          const auto first = static_cast<std::uint32_t>(rows_.size());
          add_rows(track);
          if (index(track.track) >= stretches.size()) stretches.resize(index(track.track) + 1);
          stretches[index(track.track)] = {first, static_cast<std::uint32_t>(rows_.size())};
        }
      }
    };
    const auto add_blocks = [&](const TrackSlices& track, std::vector<SliceRow> SliceBlock::*rows,
                                bool nested) {
      for (std::uint32_t b = 0; b < track.blocks.size(); ++b) {
        if (track.blocks[b] == nullptr) continue;
        const std::vector<SliceRow>& all = (*track.blocks[b]).*rows;
        for (std::uint32_t row = nested && b == 0 ? 1 : 0; row < all.size(); ++row) {
          add(track, BlockId{b}, row, all[row]);
        }
      }
    };
    if (of == Of::slices) {
      for_tracks(tracks_[input],
                 [&](const TrackSlices& track) { add_blocks(track, &SliceBlock::rows, false); });
      continue;
    }
    for_tracks(tracks_[input],
               [&](const TrackSlices& track) { add(track, BlockId{}, 0, track.instants); });
    for_tracks(nested_[input], [&](const TrackSlices& track) {
      add_blocks(track, &SliceBlock::nested_instants, true);
    });
  }
}

std::optional<NumberedPlace> SliceNumbers::place_of(std::uint64_t number) const {
  if (number == 0 || number > count()) return std::nullopt;
  const auto after = std::ranges::upper_bound(rows_, number, {}, &NumberedRow::first_number);
  const NumberedRow& row = *std::prev(after);
  return NumberedPlace{&row, number - row.first_number};
}

std::uint64_t SliceNumbers::number_in(std::span<const NumberedRow> rows, BlockId block,
                                      std::uint32_t row, std::uint64_t at) const {
  const auto found = std::ranges::lower_bound(
      rows, std::pair(index(block), row), {},
      [](const NumberedRow& each) { return std::pair(index(each.block), each.row); });
  if (found == rows.end() || found->block != block || found->row != row) return 0;
  return at < found->count() ? found->first_number + at : 0;
}

std::uint64_t SliceNumbers::number_of(std::uint32_t input, const SliceRef& slice) const {
  return number_in(rows_of(input, slice.track), slice.block, slice.row, slice.slice);
}

std::uint64_t SliceNumbers::number_of(std::uint32_t input, const InstantRef& instant) const {
  const bool nested = index(instant.block) != 0 || instant.row != 0;
  return number_in(nested ? nested_rows_of(input, instant.track) : rows_of(input, instant.track),
                   instant.block, instant.row, instant.instant);
}

std::span<const NumberedRow> SliceNumbers::stretch(const std::vector<std::vector<Stretch>>& tracks,
                                                   std::uint32_t input, TrackId track) const {
  if (input >= tracks.size() || index(track) >= tracks[input].size()) return {};
  const Stretch& of = tracks[input][index(track)];
  return std::span(rows_).subspan(of.first, of.end - of.first);
}

std::span<const NumberedRow> SliceNumbers::rows_of(std::uint32_t input, TrackId track) const {
  return stretch(tracks_, input, track);
}

std::span<const NumberedRow> SliceNumbers::nested_rows_of(std::uint32_t input,
                                                          TrackId track) const {
  return stretch(nested_, input, track);
}

}  // namespace cinderscope
