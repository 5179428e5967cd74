// What the header of a .spall file says: its version, its unit, and the layout of what follows.
#pragma once

#include <cstdint>
#include <string>

#include "formats/spall/spall_wire.h"
#include "ingest/base/diagnostics.h"
#include "ingest/base/result.h"
#include "ingest/input/input.h"

namespace cinderscope::spall {

struct SpallFile {
  const FlatLayout* flat = nullptr;       // of versions 0 and 1, or
  const BufferLayout* buffers = nullptr;  // of versions 2, 3 and auto
  std::uint64_t header_bytes = 0;
  double unit = 1;                  // as written, or 1 where that is no usable number
  double ns_per_tick = 1;           // > 0 and finite
  std::string program_path;         // auto only
  std::uint64_t known_address = 0;  // auto only
  Diagnostics diagnostics;          // bad_unit, ambiguous_layout

  const char* version() const { return flat != nullptr ? flat->name : buffers->name; }
};

// An Error if the header is cut or of an unknown version.
Result<SpallFile> read_header(const Input& input);

}  // namespace cinderscope::spall
