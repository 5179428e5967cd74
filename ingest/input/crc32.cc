#include "ingest/input/crc32.h"

#ifdef CINDERSCOPE_ISAL
#include <isa-l/crc.h>
#else
#include <zlib.h>
#endif

namespace cinderscope {

std::uint32_t crc32_of(std::span<const std::byte> bytes) {
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
#ifdef CINDERSCOPE_ISAL
  return crc32_gzip_refl(0, data, bytes.size());  // several bytes at a time, by carry-less products
#else
  return static_cast<std::uint32_t>(crc32_z(0, data, bytes.size()));
#endif
}

}  // namespace cinderscope
