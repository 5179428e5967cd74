#include "ingest/input/receiver.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "ingest/base/grouped_text.h"
#include "ingest/base/self_trace.h"
#include "ingest/input/unpacker.h"

namespace cinderscope {
namespace {

constexpr std::size_t kPieceBytes = 256u << 10;

}  // namespace

Receiver::Receiver(std::unique_ptr<GrowingFile> file, std::unique_ptr<StoppableReader> reader,
                   std::vector<std::byte> memory)
    : file_(std::move(file)), reader_(std::move(reader)), memory_(std::move(memory)) {}

Result<std::unique_ptr<Receiver>> Receiver::start(std::unique_ptr<StoppableReader> reader,
                                                  std::vector<std::byte> memory,
                                                  double disk_share) {
  auto file = GrowingFile::create(disk_share);
  if (!file) return file.error();
  std::unique_ptr<Receiver> receiver(
      new Receiver(std::move(*file), std::move(reader), std::move(memory)));
  try {
    receiver->thread_ = std::thread([&target = *receiver] {
      self_trace_thread("receiver");
      const SelfTraceMark mark("receive and inflate");
      target.run();
    });
  } catch (const std::system_error&) {
    receiver->run();  // no thread to be had: read it here and now
  }
  return receiver;
}

Result<std::unique_ptr<Receiver>> Receiver::from_descriptor(UniqueFd source, double disk_share) {
  std::error_code error;
  auto reader = StoppableReader::create(std::move(source), error);
  if (reader) return start(std::move(reader), {}, disk_share);
  return Error{ErrorCode::cannot_read,
               fmt::format("The trace cannot be read in the background: {}.", error.message()),
               {}};
}

Result<std::unique_ptr<Receiver>> Receiver::from_memory(std::vector<std::byte> source) {
  return start(nullptr, std::move(source), kUsualDiskShare);
}

Receiver::~Receiver() {
  stop();
}

void Receiver::stop() {
  stopping_ = true;
  if (reader_) reader_->stop();
  const std::lock_guard lock(join_mutex_);
  if (thread_.joinable()) thread_.join();
}

Diagnostics Receiver::damage() const {
  const std::lock_guard lock(mutex_);
  return damage_;
}

void Receiver::run() {
  bool written = true;
  Unpacker unpacker([&](std::span<const std::byte> bytes) {
    written = file_->append(bytes);
    return written && !stopping_;
  });
  bool wants_more = true;
  while (wants_more && !stopping_) {
    const std::span<const std::byte> piece = next_piece();
    if (piece.empty()) break;
    wants_more = unpacker.feed(piece);
    received_bytes_ += piece.size();
  }
  // A stopped stream ends early by wish, not by damage.
  const bool stopped = stopping_;
  if (!stopped && written) unpacker.finish();
  stopped_early_ = stopped;
  {
    const std::lock_guard lock(mutex_);
    if (!stopped) damage_.merge(unpacker.damage());
    damage_.merge(file_->trouble());
    refused_ = damage_.has(diagnostic::kDiskShare) || damage_.has(diagnostic::kAddressSpace);
  }
  file_->close();
}

std::span<const std::byte> Receiver::next_piece() {
  if (!reader_) {
    const auto from = static_cast<std::size_t>(received_bytes_);
    return std::span(memory_).subspan(from, std::min(kPieceBytes, memory_.size() - from));
  }
  piece_.resize(kPieceBytes);
  std::error_code error;
  const std::size_t size = reader_->read(piece_, error);
  if (error) {
    const std::lock_guard lock(mutex_);
    damage_.count(diagnostic::kReadError, static_cast<std::int64_t>(received_bytes_.load()),
                  fmt::format("Reading failed after {} bytes: {}.", grouped(received_bytes_.load()),
                              error.message()));
  }
  return std::span(piece_).first(size);
}

}  // namespace cinderscope
