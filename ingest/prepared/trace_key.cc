#include "ingest/prepared/trace_key.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <cstddef>
#include <system_error>
#include <vector>

#include "ingest/base/fields.h"
#include "ingest/base/path_text.h"
#include "ingest/os/file.h"

namespace cinderscope {
namespace {

constexpr std::uint64_t kBlockBytes = std::uint64_t{64} << 10;
constexpr std::uint64_t kBlocksBetween = 64;

// Of all bytes of a short file.
std::optional<std::uint64_t> sample_hash(const UniqueFd& file, std::uint64_t size_bytes) {
  const std::uint64_t last = size_bytes - std::min(size_bytes, kBlockBytes);
  const bool is_short = size_bytes <= (kBlocksBetween + 2) * kBlockBytes;
  const std::uint64_t step = is_short ? kBlockBytes : last / (kBlocksBetween + 1);
  std::vector<std::byte> block(kBlockBytes);
  std::uint64_t hash = 0;
  const auto add = [&](std::uint64_t at) {
    std::error_code error;
    const auto wanted = static_cast<std::size_t>(std::min(kBlockBytes, size_bytes - at));
    if (read_at(file, at, std::span(block).first(wanted), error) != wanted || error) return false;
    hash = XXH3_64bits_withSeed(block.data(), wanted, hash);
    return true;
  };
  for (std::uint64_t at = 0; at < last; at += step) {
    if (!add(at)) return {};
  }
  if (!add(last)) return {};
  return hash;
}

bool add_file(const std::filesystem::path& path, FieldWriter& out) {
  std::error_code error;
  const UniqueFd file = open_to_read(path, error);
  if (!file) return false;
  const std::optional<FileStatus> status = file_status(file, error);
  if (!status || status->kind != FileKind::regular) return false;
  const std::optional<std::uint64_t> hash = sample_hash(file, status->size_bytes);
  if (!hash) return false;
  out.add(status->size_bytes);
  out.add(status->modified_ns);
  out.add(status->touched_ns);
  out.add(status->device);
  out.add(status->inode);
  out.add(*hash);
  return true;
}

}  // namespace

std::optional<std::string> trace_key(std::span<const std::filesystem::path> files,
                                     const TraceReader& reader) {
  FieldWriter key;
  key.add_text(reader.format);
  key.add(reader.version);
  key.add_text(reader.options);
  key.add(std::uint64_t{files.size()});
  for (const std::filesystem::path& path : files) {
    if (!add_file(path, key)) return {};
  }
  return std::string(key.bytes());
}

std::string prepared_file_name(const std::filesystem::path& trace, const TraceReader& reader) {
  std::error_code error;
  std::filesystem::path whole = std::filesystem::canonical(trace, error);
  if (error) whole = std::filesystem::absolute(trace, error);
  FieldWriter name;
  name.add_text(utf8_of(whole));
  name.add_text(reader.format);
  name.add_text(reader.options);
  const XXH128_hash_t hash = XXH3_128bits(name.bytes().data(), name.bytes().size());
  return fmt::format("{:016x}{:016x}{}", hash.high64, hash.low64, kPreparedEnding);
}

}  // namespace cinderscope
