// Any bytes as a ZIP archive: its directory, what is refused of it, and the start of what is not.
#include <cstddef>
#include <cstdint>
#include <span>

#include "ingest/input/archive.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cinderscope;
  constexpr std::size_t kMostBytes = 1 << 20;  // unpacked of an entry
  const std::span<const std::byte> bytes = std::as_bytes(std::span(data, size));
  Diagnostics damage;
  const auto archive = Archive::of_entries(zip_entries(bytes, damage), size, false);
  for (const std::string& name : archive->files_in("", true)) {
    const Result<ZipEntry> entry = archive->file(name);
    if (!entry) continue;
    std::size_t made = 0;
    unpack_zip_entry(
        bytes, *entry,
        [&](std::span<const std::byte> piece) { return (made += piece.size()) < kMostBytes; },
        damage);
  }
  return 0;
}
