// One cell of an index file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "formats/lincheck/lincheck_wire.h"

namespace cinderscope::lincheck {

struct IndexCell {
  std::uint8_t kind = 0;  // as the version writes it
  std::int32_t id = 0;
  std::int64_t start = 0, end = 0;
};

inline void write_cell(std::byte* to, const IndexCell& cell) {
  const std::uint32_t id = __builtin_bswap32(static_cast<std::uint32_t>(cell.id));
  const std::uint64_t start = __builtin_bswap64(static_cast<std::uint64_t>(cell.start));
  const std::uint64_t end = __builtin_bswap64(static_cast<std::uint64_t>(cell.end));
  to[0] = std::byte{cell.kind};
  std::memcpy(to + 1, &id, sizeof id);
  std::memcpy(to + 5, &start, sizeof start);
  std::memcpy(to + 13, &end, sizeof end);
}

inline void append_cell(std::vector<std::byte>& to, const IndexCell& cell) {
  to.resize(to.size() + kCellBytes);
  write_cell(to.data() + to.size() - kCellBytes, cell);
}

inline IndexCell read_cell(const std::byte* from) {
  std::uint32_t id = 0;
  std::uint64_t start = 0, end = 0;
  std::memcpy(&id, from + 1, sizeof id);
  std::memcpy(&start, from + 5, sizeof start);
  std::memcpy(&end, from + 13, sizeof end);
  return {std::to_integer<std::uint8_t>(from[0]), static_cast<std::int32_t>(__builtin_bswap32(id)),
          static_cast<std::int64_t>(__builtin_bswap64(start)),
          static_cast<std::int64_t>(__builtin_bswap64(end))};
}

}  // namespace cinderscope::lincheck
