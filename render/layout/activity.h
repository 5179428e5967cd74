// How busy tracks are in each column of pixels, added up over many tracks. No ImGui.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ingest/model/timeline.h"
#include "render/base/viewport.h"

namespace cinderscope {

// What stands for the track: when it is busy, or its instants where it has nothing else; null if it
// has neither.
const SliceRow* activity_row(const Track& track);

// How long the track is busy, by the coarsest summaries.
double busy_ns_of(const Track& track);

// How many tracks are worth reading closely for one picture.
inline constexpr std::size_t kReadClosely = 500;

// Adds the share of each column of `view` in which each track is busy. The `closely` tracks with
// most slices are read closely; each of the others is taken to be equally busy from its first slice
// to its last. `missing` as lay_out_row() has it.
void add_activity(const Timeline& timeline, std::span<const std::uint32_t> tracks,
                  std::size_t closely, const Viewport& view, std::span<float> covered,
                  std::atomic<bool>* missing = nullptr);

// 255 where at least one track is busy all the time; any activity at all is at least 1.
std::vector<std::uint8_t> busy_bytes(std::span<const float> covered);

}  // namespace cinderscope
