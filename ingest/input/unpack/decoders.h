// The compressions that input may come in: how to tell them, and a decoder for one member of each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace cinderscope {

enum class Packing : std::uint8_t {
  none,
  gzip,
  zstd,
  lz4,
  skippable,  // a frame without content that zstd and lz4 share: 4 bytes size, then so many bytes
};

inline constexpr std::size_t kPackingMagicBytes = 4;

// By the first bytes, of which kPackingMagicBytes suffice.
Packing packing_of(std::span<const std::byte> start);

// Whether content whose first byte is `first` may turn out to be packed: so that a slow stream of
// plain bytes is passed on at once.
bool may_be_packed(std::byte first);

// One gzip member, zstd frame or lz4 frame. Fed piecewise.
class Decoder {
 public:
  enum class State : std::uint8_t { more, member_end, damaged };
  struct Step {
    std::size_t consumed_bytes = 0, produced_bytes = 0;
    State state = State::more;
    std::string problem;  // of `damaged`, e.g. "incorrect data check"
  };
  virtual ~Decoder() = default;
  // Consumes or produces at least one byte, or needs more input.
  virtual Step step(std::span<const std::byte> in, std::span<std::byte> out) = 0;
  virtual std::size_t kept_bytes() const = 0;  // about
  // What another decoder needs to go on from here; empty where this kind cannot.
  virtual std::vector<std::byte> saved() const { return {}; }
};

// For gzip, zstd and lz4; null if there is no memory.
std::unique_ptr<Decoder> make_decoder(Packing packing);
// One that goes on where another's saved() was taken, in this run of the program or an earlier one
// with the same library. Null if these are no such bytes.
std::unique_ptr<Decoder> resumed_decoder(Packing packing, std::span<const std::byte> saved);

}  // namespace cinderscope
