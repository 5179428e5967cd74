// Scope: which slices of a trace a question is about.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/base/result.h"
#include "ingest/model/timeline.h"

namespace cinderscope {

enum class SlicesOf : std::uint8_t { calls, samples, both };
std::string_view word_of(SlicesOf slices);
std::optional<SlicesOf> slices_of_word(std::string_view word);

// The set of what flows connect with a slice: see connected_slices().
inline constexpr std::string_view kConnectedSet = "connected";

struct Scope {
  std::int64_t begin_ns = INT64_MIN, end_ns = INT64_MAX;  // half open; the default is all of time
  std::vector<TrackId> tracks = {};                       // ascending; empty: all threads
  SlicesOf slices = SlicesOf::calls;
  std::string set = {};          // the name of a set of slices; empty: all slices
  SliceRef connected_with = {};  // of the set "connected"; falsy: nothing is in it

  bool operator==(const Scope&) const = default;
  bool has_range() const { return begin_ns != INT64_MIN || end_ns != INT64_MAX; }
  // Tracks that are named are meant whatever their kind.
  bool names_tracks() const { return !tracks.empty(); }
  bool has_track(TrackId track) const {
    return tracks.empty() || std::binary_search(tracks.begin(), tracks.end(), track);
  }
  bool has_set() const { return !set.empty(); }
  // The only track, if it is one.
  TrackId only_track() const { return tracks.size() == 1 ? tracks.front() : kNoTrack; }

  static Scope of_track(TrackId track) {
    Scope scope;
    if (track != kNoTrack) scope.tracks.push_back(track);
    return scope;
  }
};

// An Error says what of the scope cannot be measured or searched: no set but "connected" can be.
Status check_scope(const Scope& scope);

// The one text form: "trace", or what differs from it: "range 1500..2500 threads 3 7 samples". What
// a set is connected with is not part of it: that is the selection of whoever reads it.
std::string scope_text(const Scope& scope);
// Also refuses what check_scope() refuses.
Result<Scope> parse_scope(std::string_view text);

}  // namespace cinderscope
