// Bytes of a packed file that are unpacked again where somebody asks for them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "ingest/input/pin.h"
#include "ingest/input/unpack/checkpoints.h"
#include "ingest/os/file.h"

namespace cinderscope {

// Each stretch between two checkpoints is a piece; those used last stay (64 MB). Any thread; pieces
// are made on the threads that ask, different ones at the same time.
class PackedPieces {
 public:
  // The packed stream begins at `packed_begin` of the file.
  PackedPieces(UniqueFd file, std::uint64_t packed_begin, const Checkpoints& checkpoints)
      : file_(std::move(file)), packed_begin_(packed_begin), checkpoints_(&checkpoints) {}

  // Plain bytes that the checkpoints cover, with kPaddingBytes readable behind them. None if the
  // file does not give them any more, or without memory for them.
  std::optional<Pin> pin(std::uint64_t offset, std::uint64_t length);

  // Other places, of the same file; before any other thread uses it.
  void use(const Checkpoints& checkpoints) { checkpoints_ = &checkpoints; }

  // Bytes came out otherwise than at first: somebody wrote into the file.
  bool is_lost() const { return lost_; }

  static constexpr std::size_t kMostKeptBytes = std::size_t{64} << 20;

 private:
  using Bytes = std::vector<std::byte>;
  struct Piece {
    std::uint64_t begin = 0, end = 0;  // plain
    std::mutex mutex;                  // held while it is made
    std::shared_ptr<const Bytes> bytes;
  };

  std::shared_ptr<Piece> piece_at(const Checkpoints::Stretch& stretch);
  std::shared_ptr<const Bytes> bytes_of(const Checkpoints::Stretch& stretch);
  std::shared_ptr<const Bytes> unpack(const Checkpoints::Stretch& stretch) const;

  UniqueFd file_;
  std::uint64_t packed_begin_;
  const Checkpoints* checkpoints_;
  std::atomic<bool> lost_{false};
  std::mutex mutex_;
  std::list<std::shared_ptr<Piece>> pieces_;  // the one used last first
};

}  // namespace cinderscope
