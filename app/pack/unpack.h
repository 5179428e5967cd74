// A pack as files in a folder.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/pack/pack.h"

namespace cinderscope {

struct Unpacked {
  std::size_t files = 0;
  std::vector<std::string> problems;  // a sentence for each that is not whole, and was left out
};

// All files of the pack as they are in it; the folder is made. One that is there has to be empty,
// unless `replace`. Blocks; files that were written before it was cancelled stay.
Result<Unpacked> unpack_pack(const std::string& pack, const std::string& folder, bool replace,
                             PackControl& control);

}  // namespace cinderscope
