// The names that match a search: tested once each, then looked up for each slice.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "ingest/model/slice_chunk.h"
#include "ingest/model/string_pool.h"
#include "ingest/search/search_query.h"

namespace cinderscope {

class NameMask {
 public:
  explicit NameMask(std::vector<std::uint8_t> holds);  // by StringId, 0 or 1

  bool empty() const { return matching_.empty(); }
  bool all() const { return matching_.size() == count_; }  // of the tested names
  bool holds(std::uint64_t name) const { return name < count_ && holds_[name] != 0; }

  // The matching ids that a column with values of `bytes` each may hold, ascending, less its base.
  std::span<const std::uint32_t> within(std::uint64_t base, std::size_t bytes) const;
  // Whether an id matches, by its difference to the base; one or two bytes have a value for each.
  std::span<const std::uint8_t> table(std::uint64_t base, std::size_t bytes) const;

 private:
  std::size_t count_ = 0;                // tested names
  std::vector<std::uint8_t> holds_;      // of those, then of ids that a narrow column might hold
  std::vector<std::uint32_t> matching_;  // their ids, ascending
};

// Some term looks at names.
bool asks_names(const SearchQuery& query);
// All terms on names hold for the name or for its label.
bool name_holds(const SearchQuery& query, const StringPool& names, StringId name);

// The names for which all terms on names hold, tested by `jobs` threads; nullopt once `cancelled`.
std::optional<NameMask> name_mask(const SearchQuery& query, const StringPool& names, unsigned jobs,
                                  const std::atomic<bool>& cancelled);

}  // namespace cinderscope
