// Which names fulfil a search: asked once for each name, then looked up for each slice.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "ingest/query/search_query.h"
#include "ingest/slice_chunk.h"
#include "ingest/string_pool.h"

namespace cinderscope {

class NameMask {
 public:
  explicit NameMask(std::vector<std::uint8_t> holds);

  bool empty() const { return matching_.empty(); }
  bool holds(std::uint64_t name) const { return name < holds_.size() && holds_[name] != 0; }
  // False if none of the values that such a column can hold is the id of a matching name.
  bool any_of(const PackedColumn& names) const;

 private:
  std::vector<std::uint8_t> holds_;      // by StringId
  std::vector<std::uint32_t> matching_;  // their ids, ascending
};

// Some term looks at names.
bool asks_names(const SearchQuery& query);
// All terms on names hold of the name or of its label.
bool name_holds(const SearchQuery& query, const StringPool& names, StringId name);

// The names of which all terms on names hold. `jobs` threads help; nullopt once `cancelled`.
std::optional<NameMask> name_mask(const SearchQuery& query, const StringPool& names, unsigned jobs,
                                  const std::atomic<bool>& cancelled);

}  // namespace cinderscope
