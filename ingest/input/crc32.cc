#include "ingest/input/crc32.h"

#ifdef CINDERSCOPE_ISAL
#include <isa-l/crc.h>
#else
#include <zlib.h>
#endif

namespace cinderscope {

std::uint32_t crc32_of(std::span<const std::byte> bytes, std::uint32_t before) {
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
#ifdef CINDERSCOPE_ISAL
  return crc32_gzip_refl(before, data,
                         bytes.size());  // several bytes at a time, by carry-less products
#else
  return static_cast<std::uint32_t>(crc32_z(before, data, bytes.size()));
#endif
}

}  // namespace cinderscope
