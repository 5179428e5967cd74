// What the user typed into the search field, taken apart.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cinderscope {

// The text that searches for all calls of exactly this name, and, where given, of a duration in
// [shortest_ns, longest_ns]: `="name" dur:12..34`.
std::string search_text_for(std::string_view name,
                            std::optional<std::int64_t> shortest_ns = std::nullopt,
                            std::optional<std::int64_t> longest_ns = std::nullopt);

}  // namespace cinderscope
