#include "ingest/input/stored_bytes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "ingest/base/path_text.h"
#include "ingest/input/archive.h"
#include "ingest/os/file.h"
#include "ingest/os/mapped_file.h"

namespace cinderscope {
namespace {

Error unreadable(const std::filesystem::path& path, std::error_code error) {
  return {ErrorCode::cannot_read,
          fmt::format("\"{}\" cannot be read: {}.", utf8_of(path.filename()),
                      error ? error.message() : "it is no file"),
          {}};
}

Result<std::unique_ptr<GrowingFile>> inflated(UniqueFd file, ZipEntry entry) {
  const MappedFile packed(std::move(file), entry.packed_bytes, entry.data_at);
  if (!packed.ok())
    return unreadable(path_of(entry.name), std::make_error_code(std::errc::not_supported));
  auto out = GrowingFile::create();
  if (!out) return out.error();
  entry.data_at = 0;
  Diagnostics damage;
  std::uint64_t made = 0;
  unpack_zip_entry(
      packed.bytes(), entry,
      [&](std::span<const std::byte> piece) {
        made += piece.size();
        return made <= entry.bytes && (*out)->append(piece);
      },
      damage);
  (*out)->close();
  if (made <= entry.bytes && (*out)->wait_for(made).size() != made) {
    return Error{ErrorCode::cannot_read,
                 fmt::format("\"{}\" in the archive could not be unpacked: there is no room for "
                             "temporary files.",
                             entry.name),
                 {}};
  }
  if (made != entry.bytes || damage.has(diagnostic::kDamagedCompression)) {
    return Error{
        ErrorCode::damaged, fmt::format("\"{}\" in the archive is damaged.", entry.name), {}};
  }
  return out;
}

}  // namespace

Result<StoredBytes> StoredBytes::open(const std::filesystem::path& path) {
  StoredBytes stored;
  std::error_code error;
  stored.file_ = open_to_read(path, error);
  if (stored.file_) {
    const auto status = file_status(stored.file_, error);
    if (!status || status->kind != FileKind::regular) return unreadable(path, error);
    stored.size_ = status->size_bytes;
  } else {
    const auto place = path_in_archive(path);
    if (!place) return unreadable(path, error);
    const auto archive = Archive::open(place->archive);
    if (!archive) return archive.error();
    const Result<ZipEntry> entry = (*archive)->file(place->inner);
    if (!entry) return entry.error();
    stored.file_ = open_to_read(place->archive, error);
    const auto status = stored.file_ ? file_status(stored.file_, error) : std::nullopt;
    if (!status || entry->data_at > status->size_bytes ||
        entry->packed_bytes > status->size_bytes - entry->data_at || !entry->sizes_known) {
      return Error{
          ErrorCode::damaged, fmt::format("\"{}\" in the archive is cut short.", entry->name), {}};
    }
    stored.begin_ = entry->data_at;
    stored.size_ = entry->bytes;
    if (entry->method != kStored) {
      auto bytes = inflated(std::move(stored.file_), *entry);
      if (!bytes) return bytes.error();
      stored.inflated_ = std::move(*bytes);
    } else {
      stored.size_ = entry->packed_bytes;
    }
  }
  std::array<std::byte, kPackingMagicBytes> start{};
  const std::size_t size = stored.read(0, start, error);
  if (error) return unreadable(path, error);
  stored.packing_ = packing_of(std::span(start).first(size));
  return stored;
}

std::size_t StoredBytes::read(std::uint64_t offset, std::span<std::byte> bytes,
                              std::error_code& error) const {
  const std::uint64_t left = size_ - std::min(size_, offset);
  const std::span<std::byte> wanted =
      bytes.first(static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), left)));
  if (!inflated_) return read_at(file_, begin_ + offset, wanted, error);
  error.clear();
  const std::span<const std::byte> all = inflated_->wait_for(size_);
  std::ranges::copy(all.subspan(static_cast<std::size_t>(offset), wanted.size()), wanted.begin());
  return wanted.size();
}

}  // namespace cinderscope
