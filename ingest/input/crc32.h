// The checksum of gzip, PNG and others: CRC-32, polynomial EDB88320 reflected.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace cinderscope {

// "123456789" gives CBF43926. `before`: that of the bytes before these.
std::uint32_t crc32_of(std::span<const std::byte> bytes, std::uint32_t before = 0);

}  // namespace cinderscope
