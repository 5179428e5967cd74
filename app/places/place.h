// A place in a trace as one line of text: what is shown of which trace, for an issue or a
// colleague.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/places/named_slice.h"
#include "ingest/base/result.h"
#include "render/base/timeline_state.h"

namespace cinderscope {

// A trace by its base name. `size` and `head`, the first 8 digits of its identity's, may be
// missing.
struct PlacedTrace {
  std::string name;
  std::optional<std::uint64_t> size_bytes;
  std::string head;

  bool operator==(const PlacedTrace&) const = default;
};

struct Place {
  PlacedTrace trace;
  std::optional<TimeRange> view, range;  // absolute
  std::optional<NamedSlice> slice;       // its track without a name
  std::string thread;                    // PID/TID
  std::string search, panel;
  std::string sql;                   // a saved query's name
  std::optional<PlacedTrace> other;  // of a comparison
  std::string compared;              // the name that is selected there
  std::vector<std::string> unread;   // keys whose values could not be read; not written

  bool operator==(const Place&) const = default;
};

inline constexpr std::string_view kPlaceScheme = "cinderscope:";
inline constexpr std::size_t kLongestPlace = 4000;

bool is_place(std::string_view text);

// What is too long for a place is left out, the least telling first.
std::string place_text(const Place& place);

// Finds the line in `text` that is one. An Error: there is none, or it names no trace, or a path.
Result<Place> place_from(std::string_view text);

}  // namespace cinderscope
