// By what a source can weigh its calls: a list of its own.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cinderscope {

// Lengths on the timeline stand for one of these. Of a profile without a clock each lays the same
// calls out anew.
struct Weight {
  std::string name;  // "time", "samples", "alloc_space"
  std::string unit;  // of a length: "nanoseconds", "bytes"
  bool operator==(const Weight&) const = default;
};

// What all traces of calls have. Of them one is a slice's length, the other a number of slices.
std::span<const Weight> usual_weights();

// By its name, else by its number from 0. Nothing for an empty text.
std::optional<std::size_t> find_weight(std::span<const Weight> weights, std::string_view wanted);

// "cpu, samples", for messages.
std::string weight_names(std::span<const Weight> weights);

}  // namespace cinderscope
