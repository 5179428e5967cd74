// The bytes of a file that cannot be mapped, read where somebody asks for them.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>

#include "ingest/input/byte_stock.h"
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

  // What lies there now, zeros for what the file has lost; nothing of it is kept.
  void read_now(std::uint64_t offset, std::span<std::byte> bytes) const;
  std::optional<FileStatus> status() const;  // as it is now
  bool refuses_changed() const { return cinderscope::refuses_changed(file_); }

  // Memory that waits to be read into is freed: nobody reads it in order any more.
  void free_spare() { stock_.clear(); }

  // The file did not give all of its bytes: it became shorter, or cannot be read any more.
  bool is_lost() const { return lost_; }

  static constexpr std::uint64_t kPieceBytes = std::uint64_t{1} << 20;
  static constexpr std::size_t kKeptPieces = 16;
  static constexpr std::uint64_t kMostGathered = 4 * kPieceBytes;

 private:
  struct Bytes {
    std::shared_ptr<std::byte[]> memory;
    std::size_t size = 0;  // with kPaddingBytes behind what was asked for
    std::span<std::byte> all() const { return {memory.get(), size}; }
  };
  struct Piece {
    std::mutex mutex;  // held while it is read
    std::uint64_t begin = UINT64_MAX, last_use = 0;
    Bytes bytes;
  };

  Bytes room_for(std::uint64_t length);
  Bytes read(std::uint64_t offset, std::uint64_t length);
  Bytes piece_at(std::uint64_t begin);
  Bytes gathered(std::uint64_t offset, std::uint64_t length);
  Bytes whole();

  UniqueFd file_;
  std::uint64_t size_bytes_;
  ByteStock stock_;
  std::atomic<bool> lost_{false};
  std::mutex mutex_;
  std::uint64_t uses_ = 0;
  std::array<std::shared_ptr<Piece>, kKeptPieces> kept_;
  std::mutex whole_mutex_;  // held while all is read
  std::weak_ptr<std::byte[]> whole_;
};

}  // namespace cinderscope
