// A slice by its texts and times, so that it is found again in another load.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/store/track_names.h"
#include "ingest/base/result.h"
#include "ingest/model/slice_set.h"
#include "ingest/search/typed_slice.h"

namespace cinderscope {

struct NamedSlice {
  TrackName track;          // without a name: told by its ids alone
  std::uint32_t depth = 0;  // of nesting, from 1; 0: not known
  std::string name;         // as it is shown
  std::int64_t begin_ns = 0;
  std::int64_t duration_ns = -1;  // -1: not known

  bool operator==(const NamedSlice&) const = default;
};

std::optional<NamedSlice> named_slice(const Timeline& timeline, const SliceRef& slice);

// Where to look for it: on its track, else on the tracks of that name. An Error: there is none.
// UI thread.
Result<WantedSlice> wanted_slice(const Timeline& timeline, const NamedSlice& named);

// Of the slices of that name that begin as `found` does, the one of that depth and duration, if
// there is one; `found` where none fits. UI thread.
SliceRef settled_slice(const Timeline& timeline, const NamedSlice& named, const SliceRef& found);

}  // namespace cinderscope
