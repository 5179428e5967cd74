// The bytes of a trace as one range of addresses: those of the file, and behind each bundle what it
// unpacks to. So addresses grow as the trace was written, and without bundles they are offsets.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "formats/perfetto/wire/byte_source.h"
#include "formats/perfetto/wire/packet_hop.h"

namespace cinderscope::perfetto {

class PacketBytes {
 public:
  explicit PacketBytes(const Input& input) : input_(&input) {}

  // Content of the bundle whose packet ends at `file_offset`: `length` bytes, behind all that the
  // bundles before it gave. In order of the file.
  void add_bundle(std::uint64_t packet_begin, std::uint64_t packet_end, std::uint64_t length);
  void keep_unpacked(std::unique_ptr<GrowingFile> file) { unpacked_ = std::move(file); }
  const GrowingFile* unpacked() const { return unpacked_.get(); }

  std::uint64_t address_in_file(std::uint64_t offset) const;
  std::uint64_t address_unpacked(std::uint64_t offset) const;
  // In the file; of what was unpacked the bundle's.
  std::uint64_t file_offset(std::uint64_t address) const;
  std::uint64_t end() const;  // behind the last address

  // All of it lies in the file, or in one bundle; fewer bytes where that ends.
  Pin pin(std::uint64_t address, std::uint64_t length) const;
  // The packet at `address` with its tag and length; empty where there is none.
  Pin packet_at(std::uint64_t address) const;

 private:
  struct Bundle {
    std::uint64_t packet_begin = 0, packet_end = 0;  // in the file
    std::uint64_t unpacked_begin = 0, length = 0;    // in what was unpacked
    std::uint64_t address = 0;                       // of its content
  };
  // The last bundle whose content begins at or before the address; null if none does.
  const Bundle* bundle_before(std::uint64_t address) const;

  const Input* input_;
  std::unique_ptr<GrowingFile> unpacked_;
  std::vector<Bundle> bundles_;
  std::uint64_t unpacked_bytes_ = 0;
};

}  // namespace cinderscope::perfetto
