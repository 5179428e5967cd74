// Lays out one row of slices as boxes, by its summaries: the cost depends on pixels.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "ingest/model/slice_row.h"
#include "ingest/model/string_pool.h"
#include "render/base/viewport.h"

namespace cinderscope {

// A bit of DrawBox::flags, beside those of SliceFlag.
inline constexpr std::uint8_t kChildrenMissing = 128;  // its children are still on disk

// Stands for one slice, or for all slices that fall into one column of pixels.
struct DrawBox {
  float x_px = 0, width_px = 0;  // real pixels from the view's left edge, cut to just outside of it
  std::uint32_t count = 1;       // of slices, saturating
  StringId name = kEmptyString;  // if it is one slice
  std::uint64_t first = 0;       // index of the first slice in its row
  LodSummary tint;               // the covered share of the column and its colour; see thin()
  std::uint8_t flags = 0;        // if it is one slice

  bool merged() const { return count > 1; }
  // Thinner than a pixel: drawn in the column's colour, even if it stands for one slice.
  bool thin() const { return tint.busy != 0; }
};

// Appends the boxes of the slices of `row` in `view`, sorted by x. A slice of a pixel or more gets
// a box of its own, cut where the next one begins; thinner ones are summed up by column. Returns
// how many pixels are covered. Does not allocate once `out` is large enough. Any thread.
//
// `missing`, unless null: chunks that are not at hand are drawn by what sums them up, and this is
// set; it is to be done again soon. Null: they are waited for.
double lay_out_row(const SliceRow& row, const Viewport& view, const StringPool& names,
                   std::vector<DrawBox>& out, std::atomic<bool>* missing = nullptr);

}  // namespace cinderscope
