// The bytes of a file that cannot be mapped, read where somebody asks for them.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "ingest/input/pin.h"
#include "ingest/os/file.h"

namespace cinderscope {

// A pin of few bytes points into a piece that is read around them, one of some MB has a copy of
// several, and the pieces used last stay (16 MB). A longer one reads its bytes. Pins of the whole
// file that live at the same time share its bytes. Any thread; several read at the same time.
class FilePieces {
 public:
  FilePieces(UniqueFd file, std::uint64_t size_bytes)
      : file_(std::move(file)), size_bytes_(size_bytes) {}

  std::uint64_t size_bytes() const { return size_bytes_; }

  // Of the bytes that are there, with kPaddingBytes readable behind them. What the file has lost
  // since it was opened reads as zeros. None without memory for them.
  std::optional<Pin> pin(std::uint64_t offset, std::uint64_t length);

  // The file did not give all of its bytes: it became shorter, or cannot be read any more.
  bool is_lost() const { return lost_; }

  static constexpr std::uint64_t kPieceBytes = std::uint64_t{1} << 20;
  static constexpr std::size_t kKeptPieces = 16;
  static constexpr std::uint64_t kMostGathered = 4 * kPieceBytes;

 private:
  using Bytes = std::vector<std::byte>;
  struct Piece {
    std::mutex mutex;  // held while it is read
    std::uint64_t begin = UINT64_MAX, last_use = 0;
    std::shared_ptr<const Bytes> bytes;
  };

  std::shared_ptr<const Bytes> read(std::uint64_t offset, std::uint64_t length);
  std::shared_ptr<const Bytes> piece_at(std::uint64_t begin);
  std::shared_ptr<const Bytes> gathered(std::uint64_t offset, std::uint64_t length);
  std::shared_ptr<const Bytes> whole();

  UniqueFd file_;
  std::uint64_t size_bytes_;
  std::atomic<bool> lost_{false};
  std::mutex mutex_;
  std::uint64_t uses_ = 0;
  std::array<std::shared_ptr<Piece>, kKeptPieces> kept_;
  std::mutex whole_mutex_;  // held while all is read
  std::weak_ptr<const Bytes> whole_;
};

}  // namespace cinderscope
