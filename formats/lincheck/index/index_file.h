// The index file beside the data: compared with what the data say, or written anew.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "formats/lincheck/index/index_cell.h"
#include "formats/lincheck/trace_map.h"

namespace cinderscope::lincheck {

std::vector<std::byte> index_header(std::int64_t version);
std::vector<std::byte> index_footer(const Layout& layout);

// Takes the cells of a scan and looks whether a file holds the same. Where objects "end" means
// nothing and is not compared.
class IndexComparison {
 public:
  IndexComparison(std::span<const std::byte> file, const Layout& layout);

  void add(std::span<const std::byte> cells);

  // After the last cell: what is wrong with the file, and where. nullopt: it is healthy.
  struct Problem {
    bool is_cut = false;  // only the end is missing, as after a crash
    std::uint64_t at = 0;
    std::string what;
  };
  std::optional<Problem> finish();

 private:
  void fail(bool is_cut, std::string what);

  std::span<const std::byte> file_;
  const Layout& layout_;
  std::uint64_t at_ = 0;
  std::optional<Problem> problem_;
};

}  // namespace cinderscope::lincheck
