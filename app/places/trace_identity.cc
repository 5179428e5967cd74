#include "app/places/trace_identity.h"

#include <fmt/format.h>
#include <nettle/sha2.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <vector>

#include "ingest/os/file.h"

namespace cinderscope {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kEndBytes = 65536;  // that are hashed at either end
constexpr std::size_t kMostFiles = 10'000;  // of a folder

std::optional<TraceIdentity> identity_of_file(const UniqueFd& file, std::uint64_t size) {
  std::vector<std::byte> bytes(std::min(size, kEndBytes));
  TraceIdentity identity{.size_bytes = size, .head = {}, .tail = {}};
  std::error_code error;
  if (read_at(file, 0, bytes, error) != bytes.size()) return std::nullopt;
  identity.head = sha256_hex(bytes);
  if (read_at(file, size - bytes.size(), bytes, error) != bytes.size()) return std::nullopt;
  identity.tail = sha256_hex(bytes);
  return identity;
}

std::optional<TraceIdentity> identity_of_folder(const std::string& path) {
  std::vector<std::string> lines;
  TraceIdentity identity;
  std::error_code error;
  for (fs::recursive_directory_iterator each(path, error), end; !error && each != end;
       each.increment(error)) {
    std::error_code gone;
    if (!each->is_regular_file(gone)) continue;
    const std::uint64_t size = each->file_size(gone);
    if (gone) continue;
    if (lines.size() >= kMostFiles) return std::nullopt;
    identity.size_bytes += size;
    lines.push_back(
        fmt::format("{}\t{}\n", each->path().lexically_relative(path).generic_string(), size));
  }
  if (error) return std::nullopt;
  std::ranges::sort(lines);
  std::string text;
  for (const std::string& line : lines) text += line;
  identity.head = sha256_hex(std::as_bytes(std::span(text)));
  return identity;
}

}  // namespace

std::string sha256_hex(std::span<const std::byte> bytes) {
  sha256_ctx context{};
  sha256_init(&context);
  sha256_update(&context, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
  std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest{};
  sha256_digest(&context, digest.size(), digest.data());
  std::string hex;
  for (const std::uint8_t byte : digest) fmt::format_to(std::back_inserter(hex), "{:02x}", byte);
  return hex;
}

std::optional<TraceIdentity> trace_identity(const std::string& path) {
  std::error_code error;
  const UniqueFd file = open_to_read(path, error);
  if (!file) return std::nullopt;
  const auto status = file_status(file, error);
  if (!status) return std::nullopt;
  if (status->kind == FileKind::folder) return identity_of_folder(path);
  if (status->kind != FileKind::regular) return std::nullopt;
  return identity_of_file(file, status->size_bytes);
}

bool has_grown(const TraceIdentity& then, const std::string& path, const TraceIdentity& now) {
  if (now.size_bytes <= then.size_bytes || now.tail.empty() || then.size_bytes == 0) return false;
  if (then.size_bytes >= kEndBytes) return now.head == then.head;
  std::error_code error;
  const UniqueFd file = open_to_read(path, error);
  std::vector<std::byte> bytes(then.size_bytes);
  return file && read_at(file, 0, bytes, error) == bytes.size() && sha256_hex(bytes) == then.head;
}

}  // namespace cinderscope
