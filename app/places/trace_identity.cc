#include "app/places/trace_identity.h"

#include <fmt/format.h>
#include <nettle/sha2.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <utility>
#include <vector>

#include "ingest/base/path_text.h"
#include "ingest/input/archive.h"
#include "ingest/os/file.h"

namespace cinderscope {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kEndBytes = 65536;  // that are hashed at either end
constexpr std::size_t kMostFiles = 10'000;  // of a folder

std::optional<TraceIdentity> identity_of_file(const UniqueFd& file, std::uint64_t begin,
                                              std::uint64_t size) {
  std::vector<std::byte> bytes(std::min(size, kEndBytes));
  TraceIdentity identity{.size_bytes = size, .head = {}, .tail = {}};
  std::error_code error;
  if (read_at(file, begin, bytes, error) != bytes.size()) return std::nullopt;
  identity.head = sha256_hex(bytes);
  if (read_at(file, begin + size - bytes.size(), bytes, error) != bytes.size()) return std::nullopt;
  identity.tail = sha256_hex(bytes);
  return identity;
}

std::optional<TraceIdentity> identity_of_folder(const std::string& path) {
  std::vector<FileSize> files;
  std::error_code error;
  for (fs::recursive_directory_iterator each(path_of(path), error), end; !error && each != end;
       each.increment(error)) {
    std::error_code gone;
    if (!each->is_regular_file(gone)) continue;
    const std::uint64_t size = each->file_size(gone);
    if (gone) continue;
    if (files.size() >= kMostFiles) return std::nullopt;
    files.push_back({utf8_of(each->path().lexically_relative(path_of(path))), size});
  }
  if (error) return std::nullopt;
  return identity_of_files(files);
}

// What lies stored in an archive, as what lies beside it; of what is deflated there only the size
// is known without unpacking it.
std::optional<TraceIdentity> identity_in_archive(const std::string& path) {
  constexpr std::uint16_t kStored = 0;
  const auto place = path_in_archive(path_of(path));
  if (!place) return std::nullopt;
  const auto archive = Archive::open(place->archive);
  if (!archive) return std::nullopt;
  if ((*archive)->has_folder(place->inner)) {
    std::vector<FileSize> files;
    for (const std::string& name : (*archive)->files_in(place->inner, true)) {
      const auto file =
          (*archive)->file(place->inner.empty() ? name : fmt::format("{}/{}", place->inner, name));
      if (!file || files.size() >= kMostFiles) return std::nullopt;
      files.push_back({name, file->bytes});
    }
    return identity_of_files(files);
  }
  const auto entry = (*archive)->file(place->inner);
  if (!entry) return std::nullopt;
  if (entry->method != kStored) return TraceIdentity{.size_bytes = entry->bytes};
  std::error_code error;
  const UniqueFd file = open_to_read(place->archive, error);
  if (!file) return std::nullopt;
  return identity_of_file(file, entry->data_at, entry->packed_bytes);
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

TraceIdentity identity_of_files(const std::vector<FileSize>& files) {
  TraceIdentity identity;
  std::vector<std::string> lines;
  for (const FileSize& file : files) {
    identity.size_bytes += file.bytes;
    lines.push_back(fmt::format("{}\t{}\n", file.path, file.bytes));
  }
  std::ranges::sort(lines);
  std::string text;
  for (const std::string& line : lines) text += line;
  identity.head = sha256_hex(std::as_bytes(std::span(text)));
  return identity;
}

std::optional<TraceIdentity> trace_identity(const std::string& path) {
  std::error_code error;
  const UniqueFd file = open_to_read(path_of(path), error);
  if (!file && error == std::errc::not_a_directory) return identity_in_archive(path);
  if (!file) return std::nullopt;
  const auto status = file_status(file, error);
  if (!status) return std::nullopt;
  if (status->kind == FileKind::folder) return identity_of_folder(path);
  if (status->kind != FileKind::regular) return std::nullopt;
  return identity_of_file(file, 0, status->size_bytes);
}

bool is_same(const TraceIdentity& one, const TraceIdentity& other) {
  if (one.head.empty() || other.head.empty()) return one.size_bytes == other.size_bytes;
  return one == other;
}

bool has_grown(const TraceIdentity& then, const std::string& path, const TraceIdentity& now) {
  if (now.size_bytes <= then.size_bytes || now.tail.empty() || then.size_bytes == 0) return false;
  if (then.size_bytes >= kEndBytes) return now.head == then.head;
  std::error_code error;
  const UniqueFd file = open_to_read(path_of(path), error);
  std::vector<std::byte> bytes(then.size_bytes);
  return file && read_at(file, 0, bytes, error) == bytes.size() && sha256_hex(bytes) == then.head;
}

}  // namespace cinderscope
