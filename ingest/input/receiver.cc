#include "ingest/input/receiver.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "ingest/base/self_trace.h"
#include "ingest/input/unpacker.h"

namespace cinderscope {
namespace {

constexpr std::size_t kPieceBytes = 256u << 10;

}  // namespace

Receiver::Receiver(std::unique_ptr<GrowingFile> file, UniqueFd descriptor,
                   std::vector<std::byte> memory)
    : file_(std::move(file)), descriptor_(std::move(descriptor)), memory_(std::move(memory)) {}

Result<std::unique_ptr<Receiver>> Receiver::start(UniqueFd descriptor,
                                                  std::vector<std::byte> memory) {
  auto file = GrowingFile::create();
  if (!file) return file.error();
  std::unique_ptr<Receiver> receiver(
      new Receiver(std::move(*file), std::move(descriptor), std::move(memory)));
  receiver->wake_ = UniqueFd(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!receiver->wake_) {
    return Error{
        ErrorCode::cannot_read,
        fmt::format("The trace cannot be read in the background: {}.", std::strerror(errno)),
        {}};
  }
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

Result<std::unique_ptr<Receiver>> Receiver::from_descriptor(UniqueFd source) {
  return start(std::move(source), {});
}

Result<std::unique_ptr<Receiver>> Receiver::from_memory(std::vector<std::byte> source) {
  return start({}, std::move(source));
}

Receiver::~Receiver() {
  stop();
}

void Receiver::stop() {
  stopping_ = true;
  const std::uint64_t one = 1;
  // Cannot fail but when the counter is full, and then it is readable anyway.
  [[maybe_unused]] const ssize_t written = write(wake_.get(), &one, sizeof one);
  const std::lock_guard lock(join_mutex_);
  if (thread_.joinable()) thread_.join();
}

Diagnostics Receiver::damage() const {
  const std::lock_guard lock(mutex_);
  return damage_;
}

void Receiver::run() {
  Status written = ok();
  Unpacker unpacker([&](std::span<const std::byte> bytes) {
    written = file_->append(bytes);
    return bool{written} && !stopping_;
  });
  bool wants_more = true;
  while (wants_more && !stopping_) {
    const std::span<const std::byte> piece = next_piece();
    if (piece.empty()) break;
    wants_more = unpacker.feed(piece);
    received_bytes_ += piece.size();
  }
  // A stopped stream ends early by wish, not by damage.
  if (!stopping_ && written) unpacker.finish();
  {
    const std::lock_guard lock(mutex_);
    if (!stopping_) damage_.merge(unpacker.damage());
    if (!written) damage_.count("disk_full", kNoOffset, written.error().text);
  }
  file_->close();
}

std::span<const std::byte> Receiver::next_piece() {
  if (!descriptor_) {
    const auto from = static_cast<std::size_t>(received_bytes_);
    return std::span(memory_).subspan(from, std::min(kPieceBytes, memory_.size() - from));
  }
  piece_.resize(kPieceBytes);
  while (wait_readable()) {
    const ssize_t size = read(descriptor_.get(), piece_.data(), piece_.size());
    if (size >= 0) return std::span(piece_).first(static_cast<std::size_t>(size));
    if (errno == EINTR || errno == EAGAIN) continue;
    const std::lock_guard lock(mutex_);
    damage_.count("read_error", static_cast<std::int64_t>(received_bytes_.load()),
                  fmt::format("Reading failed after {} bytes: {}.", received_bytes_.load(),
                              std::strerror(errno)));
    break;
  }
  return {};
}

bool Receiver::wait_readable() const {
  std::array<pollfd, 2> polled{pollfd{descriptor_.get(), POLLIN, 0},
                               pollfd{wake_.get(), POLLIN, 0}};
  while (poll(polled.data(), polled.size(), -1) < 0) {
    if (errno != EINTR) return !stopping_;  // poll itself fails: read() will say why
  }
  return !stopping_;
}

}  // namespace cinderscope
