// Unpacks a stream of bytes piece by piece: any number of gzip, zstd and lz4 members, nested too.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "ingest/base/diagnostics.h"

namespace cinderscope {

// How often a content that turns out to be compressed itself is unpacked again.
inline constexpr int kMostPackings = 4;

// Content that is not compressed passes through unchanged.
class Unpacker {
 public:
  using Sink = std::function<bool(std::span<const std::byte>)>;  // false: takes no more

  explicit Unpacker(const Sink& sink, int most_packings = kMostPackings);
  ~Unpacker();
  Unpacker(const Unpacker&) = delete;
  Unpacker& operator=(const Unpacker&) = delete;

  // False once nothing more is wanted: the sink is full, or the packed bytes are damaged.
  bool feed(std::span<const std::byte> bytes);
  void finish();  // the end of the content: what is incomplete is passed on and reported

  // kTruncatedCompression, kDamagedCompression; offsets are those of the packed bytes.
  const Diagnostics& damage() const { return damage_; }
  // The same as if the content ended here; more may be fed.
  Diagnostics damage_at_end() const;
  std::size_t kept_bytes() const;  // about

 private:
  class Stage;
  Diagnostics damage_;
  std::vector<std::unique_ptr<Stage>> stages_;  // from the innermost, which is fed last
};

}  // namespace cinderscope
