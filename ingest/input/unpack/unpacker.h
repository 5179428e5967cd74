// Unpacks a stream of bytes piece by piece: any number of gzip, zstd and lz4 members, nested too.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "ingest/base/diagnostics.h"

namespace cinderscope {

class Checkpoints;
class Decoder;

// How often a content that turns out to be compressed itself is unpacked again.
inline constexpr int kMostPackings = 4;

// Content that is not compressed passes through unchanged.
class Unpacker {
 public:
  using Sink = std::function<bool(std::span<const std::byte>)>;  // false: takes no more

  // `checkpoints`, if given, learns where the outermost packing can be taken up again.
  explicit Unpacker(const Sink& sink, int most_packings = kMostPackings,
                    Checkpoints* checkpoints = nullptr);
  // Of one packing, from a checkpoint on: `within` a member, or null where a member begins.
  static std::unique_ptr<Unpacker> from_checkpoint(const Sink& sink,
                                                   std::unique_ptr<Decoder> within);
  // Where the sink would like its next bytes to be made; empty: anywhere. Asked once it is known
  // that they are packed once only.
  using Room = std::function<std::span<std::byte>()>;
  void make_in(Room room);
  ~Unpacker();
  Unpacker(const Unpacker&) = delete;
  Unpacker& operator=(const Unpacker&) = delete;

  // False once nothing more is wanted: the sink is full, or the packed bytes are damaged. No bytes:
  // what the decoder holds back is passed on.
  bool feed(std::span<const std::byte> bytes);
  void finish();  // the end of the content: what is incomplete is passed on and reported

  // kTruncatedCompression, kDamagedCompression; offsets are those of the packed bytes.
  const Diagnostics& damage() const { return damage_; }
  // The same as if the content ended here; more may be fed.
  Diagnostics damage_at_end() const;
  std::size_t kept_bytes() const;  // about
  // What came out of the outermost packing so far is not packed again.
  bool is_packed_once() const;

 private:
  class Stage;
  Diagnostics damage_;
  std::vector<std::unique_ptr<Stage>> stages_;  // from the innermost, which is fed last
};

}  // namespace cinderscope
