#include "ingest/input/file_content.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <span>

namespace cinderscope {
namespace {

// Within this time two writes may bear the same date: usually some milliseconds, on old file
// systems two seconds.
constexpr std::chrono::seconds kOneDate{2};

constexpr std::uint64_t kHashOfNothing = 0xcbf29ce484222325;

// A megabyte in all: small files are looked at as a whole.
constexpr std::uint64_t kSampleBytes = 16 << 10, kSamples = 64;

std::uint64_t hash_on(std::uint64_t hash, std::span<const std::byte> bytes) {
  constexpr std::uint64_t kPrime = 0x100000001b3;
  std::size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, 8);
    hash = (hash ^ word) * kPrime;
    hash ^= hash >> 32;
  }
  for (; at < bytes.size(); ++at) hash = (hash ^ static_cast<std::uint64_t>(bytes[at])) * kPrime;
  return hash;
}

}  // namespace

std::uint64_t FileContent::hash_of(std::uint64_t hash, std::uint64_t offset,
                                   std::uint64_t bytes) const {
  std::array<std::byte, kSampleBytes> some;
  while (bytes > 0) {
    const std::uint64_t size = std::min(bytes, kSampleBytes);
    const std::span<std::byte> sample = std::span(some).first(static_cast<std::size_t>(size));
    file_.read(offset, sample);
    hash = hash_on(hash, sample);
    offset += size;
    bytes -= size;
  }
  return hash;
}

std::uint64_t FileContent::fingerprint() const {
  std::uint64_t hash = kHashOfNothing;
  if (size_bytes_ <= kSampleBytes * kSamples) return hash_of(hash, 0, size_bytes_);
  const std::uint64_t last = size_bytes_ - kSampleBytes;
  for (std::uint64_t i = 0; i < kSamples; ++i) {
    const std::uint64_t at = last / (kSamples - 1) * i;
    hash = hash_of(hash, i + 1 == kSamples ? last : at, kSampleBytes);
  }
  return hash;
}

std::uint64_t FileContent::edges() const {
  constexpr std::uint64_t kEdgeBytes = 4096;
  const std::uint64_t edge = std::min(kEdgeBytes, size_bytes_);
  return hash_of(hash_of(kHashOfNothing, 0, edge), size_bytes_ - edge, edge);
}

void FileContent::note_read() {
  const std::uint64_t now = fingerprint();
  const std::lock_guard lock(mutex_);
  fingerprint_ = now;
  noted_ = std::chrono::steady_clock::now();
  const auto age = std::chrono::system_clock::now().time_since_epoch() -
                   std::chrono::nanoseconds(opened_.modified_ns);
  fresh_ = age < kOneDate;
}

FileChange FileContent::change() const {
  if (const FileChange lost = lost_; lost != FileChange::none) return lost;
  const std::optional<FileStatus> now = file_.status();
  if (!now) return FileChange::none;  // cannot be told
  FileChange change = FileChange::none;
  {
    const std::lock_guard lock(mutex_);
    if (fresh_ || *now != trusted_) change = compared(*now);
  }
  if (change == FileChange::shrunk || change == FileChange::overwritten) {
    lost_ = change;
    return change;
  }
  return now->size_bytes > opened_.size_bytes ? FileChange::grown : FileChange::none;
}

FileChange FileContent::compared(const FileStatus& now) const {
  const FileChange change = change_between(opened_, now);
  if (change != FileChange::none && change != FileChange::grown) return change;
  // Permissions, links or an old date put back; or a program that writes on at the end.
  if (!fingerprint_) {  // is being read
    return change == FileChange::grown && edges() != edges_ ? FileChange::overwritten
                                                            : FileChange::none;
  }
  if (fingerprint() != *fingerprint_) return FileChange::overwritten;
  trusted_ = now;
  if (std::chrono::steady_clock::now() - noted_ > kOneDate) fresh_ = false;
  return change;
}

}  // namespace cinderscope
