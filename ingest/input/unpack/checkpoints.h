// Places from which a packed stream can be unpacked again without its begin.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "ingest/base/fields.h"
#include "ingest/input/unpack/decoders.h"
#include "ingest/input/unpack/xx_hash.h"

namespace cinderscope {

// Noted by the thread that unpacks, asked by any. gzip: within members, too, where its library's
// state can be copied (ISA-L). zstd: at frames. lz4: at frames. The states are kept packed, 19 kB
// each; where they would take more than 256 MB every other one is given up.
class Checkpoints {
 public:
  // What lies between two checkpoints: it is unpacked as a whole.
  struct Stretch {
    std::uint64_t packed_begin = 0, packed_end = 0;
    std::uint64_t plain_begin = 0, plain_end = 0;
    Packing packing = Packing::none;  // of the member that it begins in; none: before a member
    std::vector<std::byte> decoder;   // what to resume it with; empty: before a member
    std::optional<std::uint64_t> checksum;  // of its packed bytes (XXH3)
  };

  explicit Checkpoints(std::uint64_t step_bytes = kStepBytes) : step_bytes_(step_bytes) {}

  // In the order of the stream; `packed_at` and note_packed() count all of its bytes.
  void note_member(std::uint64_t packed_at, std::uint64_t plain_at);
  void note_packed(std::span<const std::byte> bytes);
  void note_step(std::uint64_t packed_at, std::uint64_t plain_at, Packing packing,
                 const Decoder& decoder);
  void note_end(std::uint64_t packed_at, std::uint64_t plain_at);
  // The content is packed once more: these places do not help.
  void give_up();

  // Of a stream that has ended: for a file that is opened again, by a program with the same
  // libraries. restore() says false, and has none, where these are no places.
  void save(FieldWriter& out) const;
  bool restore(FieldReader& in);

  // All plain bytes before this place lie in short stretches that have ended.
  std::uint64_t covered_to() const;
  // That holds this byte; none beyond covered_to().
  std::optional<Stretch> stretch_at(std::uint64_t plain_at) const;
  std::size_t count() const;
  std::size_t kept_bytes() const;

  static constexpr std::uint64_t kStepBytes = 4u << 20;
  // Longer ones take too long for a single record.
  static constexpr std::uint64_t kLongestStretchBytes = 32u << 20;

 private:
  struct Place {
    std::uint64_t packed_at = 0, plain_at = 0;
    Packing packing = Packing::none;
    std::vector<std::byte> state;           // as LZ4 packed it
    std::optional<std::uint64_t> checksum;  // of the packed bytes up to the next one
  };
  void add(Place place);
  void end_stretch(std::uint64_t plain_at);
  void thin_out();

  mutable std::mutex mutex_;
  std::vector<Place> places_;
  std::uint64_t covered_to_ = 0, state_bytes_ = 0, step_bytes_;
  bool gave_up_ = false, too_long_ = false;
  XxHash hash_;  // of the stretch that goes on; its thread alone
};

}  // namespace cinderscope
