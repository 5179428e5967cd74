// Entries of a ZIP archive, unpacked piece by piece; also of archives that were cut short.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "ingest/base/diagnostics.h"

namespace cinderscope {

// Methods of packing; nothing else can be unpacked.
inline constexpr std::uint16_t kStored = 0, kDeflated = 8;

struct ZipEntry {
  std::string name;
  std::uint64_t header_at = 0;
  std::uint64_t data_at = 0;       // where its packed bytes begin
  std::uint64_t packed_bytes = 0;  // what the archive says; not trusted
  std::uint64_t bytes = 0;
  std::uint32_t crc = 0;
  std::uint16_t method = kStored;
  bool sizes_known = false;  // false: only the deflated bytes themselves tell where they end
  bool is_encrypted = false;
  bool is_link = false;  // a symbolic one; only the directory tells
};

// An entry that does not say how long it is may unpack to so many times of what it takes, beyond a
// harmless amount: traces are packed to a thirtieth or so.
inline constexpr std::uint64_t kMostUnsaidRatio = 200, kHarmlessBytes = 1u << 20;
constexpr bool is_unsaid_bomb(std::uint64_t made_bytes, std::uint64_t used_bytes) {
  return made_bytes / kMostUnsaidRatio > used_bytes + kHarmlessBytes / kMostUnsaidRatio;
}

// By the directory at the end, or, where that is missing or damaged, by walking over the entries;
// then counts kDamagedArchive. At most 65536 entries.
std::vector<ZipEntry> zip_entries(std::span<const std::byte> archive, Diagnostics& damage);

// Whether bytes begin as a ZIP archive with entries does.
bool begins_as_zip(std::span<const std::byte> head);

using ZipSink = std::function<bool(std::span<const std::byte>)>;  // false: takes no more

// Damage is counted in `damage` (kTruncatedCompression, kDamagedCompression); what came before
// it went to the sink. `used_bytes`, unless null, tells that how many packed bytes it took so far.
void unpack_zip_entry(std::span<const std::byte> archive, const ZipEntry& entry,
                      const ZipSink& sink, Diagnostics& damage,
                      std::uint64_t* used_bytes = nullptr);

}  // namespace cinderscope
