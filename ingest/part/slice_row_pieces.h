// The rows of a track's slices, made piece by piece on all cores.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ingest/part/slice_rows.h"

namespace cinderscope {

inline constexpr std::uint64_t kRowsOfPiece = 8192;

// Every slice of the part is a row, so that of each piece it is known how many come before it.
bool has_all_rows(const PartOptions& options);

// As SliceRows::read(); all of the pieces can be apart.
Result<bool> read_row_pieces(PartReader& part, std::span<const PartPiece> pieces,
                             std::uint64_t first_id, const SliceRows::Write& write,
                             const SliceRows::Take& take);

// What of the table no slice tells of itself.
const TraceSource* source_of_categories(const PartReader& part);
void read_row_categories(const TraceSource& source, std::span<SliceTableRow> rows,
                         std::vector<std::string>& categories);
// All but slice_id, parent_slice_id, self_dur, overlapping and the track.
void fill_row(const PartSlice& slice, SliceTableRow& row);
void fill_owners(const PartReader& part, const PartTrack& track, SliceTableRow& row);

}  // namespace cinderscope
