// Bytes that are to come later in an output, on disk meanwhile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "ingest/base/result.h"

namespace cinderscope {

class TemporaryFile;

class Spill {
 public:
  Spill();
  ~Spill();
  Spill(const Spill&) = delete;
  Spill& operator=(const Spill&) = delete;
  struct Piece {
    std::uint64_t offset = 0;
    std::size_t bytes = 0;
  };
  Result<Piece> put(std::string_view bytes);
  std::string_view get(const Piece& piece) const;
  void clear() { used_ = 0; }  // what was put is needed no more

 private:
  std::unique_ptr<TemporaryFile> file_;
  std::uint64_t used_ = 0;
};

}  // namespace cinderscope
