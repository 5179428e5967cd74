// What of a trace is written, and what of it is changed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ingest/model/timeline.h"

namespace cinderscope {

// What becomes of a slice that only partly lies in the range.
enum class RangeEdges : std::uint8_t {
  cut,    // what lies inside is written, and marked
  whole,  // it is written whole, so the part is longer than the range
  drop,   // it is left out; the depth of what lies in it shrinks
};

// Decides on names and changes them. Used by one thread.
class NameChanger {
 public:
  virtual ~NameChanger() = default;
  virtual bool keeps(std::string_view name) = 0;  // false: slices of it are left out
  // The text to write. Stays as long as the changer.
  virtual std::string_view changed(std::string_view name) = 0;
};

struct PartOptions {
  std::int64_t from = INT64_MIN, to = INT64_MAX;  // [from, to), in the axis' unit, absolute
  std::vector<TrackId> tracks;                    // ascending; empty: all
  RangeEdges edges = RangeEdges::cut;
  std::int64_t min_duration =
      0;                    // slices shorter than that, as they would be written, are left out
  std::uint32_t depth = 0;  // the deepest that is written, 1: outermost; 0: all
  bool zero = false;        // times from the begin of what is written
  bool args = true, categories = true;
  std::string source_format;  // of the input, for a note in the output
  bool rewrite = false;  // in the plain form, even where the bytes of the input could be copied
  std::shared_ptr<NameChanger> names;        // of slices, instants, counters; null: as they are
  std::shared_ptr<NameChanger> owner_names;  // of processes, threads and tracks; null: as they are

  bool has_range() const { return from != INT64_MIN || to != INT64_MAX; }
  // Everything is written, and nothing changed.
  bool is_all() const {
    return !has_range() && tracks.empty() && min_duration == 0 && depth == 0 && !zero && args &&
           categories && names == nullptr && owner_names == nullptr;
  }
};

}  // namespace cinderscope
