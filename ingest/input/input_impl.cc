#include "ingest/input/input_impl.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "ingest/base/grouped_text.h"
#include "ingest/input/unpack/decoders.h"

namespace cinderscope {
namespace {

constexpr std::array<std::byte, kPaddingBytes> kZeros{};

// Where files are not mapped.
constexpr std::uint64_t kMostReadAsAWhole = std::uint64_t{16} << 20;

}  // namespace

Error unreadable_input(const std::string& name, std::error_code error) {
  if (error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory) {
    return {ErrorCode::cannot_read, fmt::format("There is no file \"{}\".", name),
            "Check the name; the file may have been moved or deleted."};
  }
  if (error == std::errc::permission_denied || error == std::errc::operation_not_permitted) {
    return {ErrorCode::cannot_read,
            fmt::format("\"{}\" cannot be read: you have no permission to.", name),
            "Ask its owner for the right to read it."};
  }
  return {
      ErrorCode::cannot_read, fmt::format("\"{}\" cannot be read: {}.", name, error.message()), {}};
}

Error unsuitable_input(const std::string& name, std::string_view what) {
  return {ErrorCode::cannot_read, fmt::format("\"{}\" is {}, not a file with a trace.", name, what),
          "Open a regular file, a folder of dump files, or a pipe."};
}

FileChange Input::Impl::bytes_change() const {
  if (whole) return whole->bytes_change();
  if (pieces && pieces->is_lost()) return FileChange::shrunk;
  if (content) return content->change();
  // Whatever is unpacked again is compared with what it was.
  return receiver && receiver->is_lost() ? FileChange::overwritten : FileChange::none;
}

Status Input::Impl::receive(UniqueFd file) {
  return received(Receiver::from_descriptor(std::move(file), disk_share));
}

Status Input::Impl::received(Result<std::unique_ptr<Receiver>> made) {
  if (!made) return made.error();
  receiver = std::move(*made);
  return ok();
}

Status Input::Impl::take(UniqueFd file) {
  std::error_code error;
  const auto status = file_status(file, error);
  if (!status) return unreadable_input(name, error);
  if (status->kind == FileKind::terminal) return unsuitable_input(name, "a terminal");
  if (status->kind == FileKind::device) return unsuitable_input(name, "a device");
  if (status->kind == FileKind::folder) return unsuitable_input(name, "a folder");
  on_disk = path;
  streamed = status->kind == FileKind::stream || !stands_at_begin(file);
  if (streamed) return receive(std::move(file));

  opened = *status;
  stored_bytes = status->size_bytes;
  std::array<std::byte, kPackingMagicBytes> start{};
  const std::size_t start_bytes = read_at(file, 0, start, error);
  if (error) return unreadable_input(name, error);
  if (start_bytes == 0) return ok();  // some formats have files without a byte
  const bool packed = packing_of(std::span(start).first(start_bytes)) != Packing::none;
  // Files of the kernel (/proc) say that they have no size, and cannot be mapped.
  if (packed) return received(Receiver::from_file(std::move(file), stored_bytes, disk_share));
  if (stored_bytes == 0) return receive(std::move(file));
  if (stored_bytes <= kMostReadAsAWhole || MappedFile::maps(stored_bytes)) {
    mapped = std::make_unique<MappedFile>(std::move(file), stored_bytes);
    if (!mapped->ok()) {
      file = mapped->give_back();
      mapped.reset();
    }
  }
  if (!mapped) pieces = std::make_unique<FilePieces>(std::move(file), stored_bytes);
  watch_content();
  return ok();
}

void Input::Impl::watch_content() {
  FileContent::File file;
  if (mapped) {
    file.status = [this] { return mapped->status(); };
    file.read = [this](std::uint64_t offset, std::span<std::byte> bytes) {
      const auto at = static_cast<std::size_t>(offset);
      std::ranges::copy(mapped->bytes().subspan(at, bytes.size()), bytes.begin());
    };
  } else if (!pieces->refuses_changed()) {
    file.status = [this] { return pieces->status(); };
    file.read = [this](std::uint64_t offset, std::span<std::byte> bytes) {
      pieces->read_now(offset, bytes);
    };
  } else {
    return;
  }
  content = std::make_unique<FileContent>(std::move(file), stored_bytes, *opened);
}

Status Input::Impl::take_from(const PathInArchive& place) {
  auto opened_archive = Archive::open(place.archive);
  if (!opened_archive) return opened_archive.error();
  archive = *opened_archive;
  inner = place.inner;
  on_disk = place.archive;
  if (archive->has_folder(inner)) {
    folder = true;
    return ok();
  }
  const Result<ZipEntry> entry = archive->file(inner);
  if (!entry && entry.error().code == ErrorCode::cannot_read) {
    return unreadable_input(name, std::make_error_code(std::errc::no_such_file_or_directory));
  }
  if (!entry) return entry.error();
  std::error_code error;
  UniqueFd file = open_to_read(on_disk, error);
  opened = file ? file_status(file, error) : std::nullopt;
  if (!opened) return unreadable_input(name, error);
  return take_entry(std::move(file), *entry);
}

Status Input::Impl::take_entry(UniqueFd file, const ZipEntry& entry) {
  std::error_code error;
  const std::uint64_t behind = opened->size_bytes - std::min(opened->size_bytes, entry.data_at);
  const bool is_cut = entry.sizes_known && entry.packed_bytes > behind;
  stored_bytes = entry.sizes_known && !is_cut ? entry.packed_bytes : behind;
  if (stored_bytes == 0) return ok();
  if (entry.method != kStored) {
    auto packed_bytes = std::make_unique<MappedFile>(std::move(file), stored_bytes, entry.data_at);
    if (!packed_bytes->ok()) return unsuitable_input(name, "in an archive that cannot be mapped");
    return received(Receiver::from_entry(std::move(packed_bytes), entry, disk_share));
  }
  std::array<std::byte, kPackingMagicBytes> start{};
  const std::size_t start_bytes = read_at(
      file, entry.data_at, std::span(start).first(std::min<std::size_t>(4, stored_bytes)), error);
  if (error) return unreadable_input(name, error);
  const bool packed = packing_of(std::span(start).first(start_bytes)) != Packing::none;
  if (is_cut && !packed) {
    damage.count(diagnostic::kTruncatedCompression, kNoOffset,
                 fmt::format("The archive ends after {} of {} bytes of \"{}\".",
                             grouped(stored_bytes), grouped(entry.packed_bytes), name));
  }
  if (!packed) {
    mapped = std::make_unique<MappedFile>(std::move(file), stored_bytes, entry.data_at);
    if (mapped->ok()) {
      watch_content();
      return ok();
    }
    file = mapped->give_back();
    mapped.reset();
  }
  return received(Receiver::from_part(std::move(file), entry.data_at, stored_bytes, disk_share));
}

std::uint64_t Input::Impl::wait_for(std::uint64_t wanted_bytes) const {
  if (receiver) return receiver->wait_for(wanted_bytes);
  if (pieces) return pieces->size_bytes();
  if (!whole) return own_bytes().size();
  const std::uint64_t end = section_begin + std::min(wanted_bytes, section_bytes);
  const std::uint64_t there = whole->wait_for(end);
  return std::min(there - std::min(there, section_begin), section_bytes);
}

Pin Input::Impl::pin(std::uint64_t offset, std::uint64_t length) const {
  if (whole) return pin_of_section(offset, length);
  if (receiver) return receiver->pin(offset, length);
  if (pieces) return pieces->pin(offset, length).value_or(Pin(offset, {}));
  const std::span<const std::byte> there = own_bytes();
  const auto begin = static_cast<std::size_t>(std::min<std::uint64_t>(offset, there.size()));
  const auto size = std::min<std::uint64_t>(length, there.size() - begin);
  return {offset, there.subspan(begin, static_cast<std::size_t>(size))};
}

std::span<const std::byte> Input::Impl::own_bytes() const {
  if (mapped) return mapped->bytes();
  if (memory.empty()) return std::span(kZeros).first(0);
  return std::span(memory).first(memory.size() - kPaddingBytes);
}

Pin Input::Impl::pin_of_section(std::uint64_t offset, std::uint64_t length) const {
  if (offset >= section_bytes) return {offset, std::span(kZeros).first(0)};
  const Pin found = whole->pin(section_begin + offset, std::min(length, section_bytes - offset));
  if (length < section_bytes - offset) return found.counted_from(offset);
  const std::lock_guard lock(tail_mutex);
  std::shared_ptr<const std::vector<std::byte>> copied = tail.lock();
  if (copied && offset >= tail_begin &&
      offset - tail_begin + found.size() + kPaddingBytes == copied->size()) {
    const std::span<const std::byte> bytes =
        std::span(*copied).subspan(static_cast<std::size_t>(offset - tail_begin), found.size());
    return {offset, bytes, std::move(copied)};
  }
  auto copy = std::make_shared<std::vector<std::byte>>(found.size() + kPaddingBytes);
  std::ranges::copy(found.bytes(), copy->begin());
  tail = copy;
  tail_begin = offset;
  const std::span<const std::byte> bytes = std::span(*copy).first(found.size());
  return {offset, bytes, std::move(copy)};
}

}  // namespace cinderscope
