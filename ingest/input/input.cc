#include "ingest/input/input.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>

#include "ingest/base/grouped_text.h"
#include "ingest/input/archive.h"
#include "ingest/input/decoders.h"
#include "ingest/input/mapped_content.h"
#include "ingest/input/receiver.h"
#include "ingest/os/file.h"
#include "ingest/os/mapped_file.h"

namespace cinderscope {
namespace {

constexpr std::size_t kHeadBytes = 4096;
constexpr std::size_t kPaddingBytes = 64;
constexpr std::array<std::byte, kPaddingBytes> kZeros{};

Error unreadable(const std::string& name, std::error_code error) {
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

Error unsuitable(const std::string& name, std::string_view what) {
  return {ErrorCode::cannot_read, fmt::format("\"{}\" is {}, not a file with a trace.", name, what),
          "Open a regular file, a folder of dump files, or a pipe."};
}

// A folder's name also when it is given as "a/b/" or ".".
std::string name_of(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::path name = path.filename();
  if (name.empty() || name == "." || name == "..") {
    const std::filesystem::path full = std::filesystem::weakly_canonical(path, error);
    if (!error) name = full.has_filename() ? full.filename() : full.parent_path().filename();
  }
  return name.empty() ? path.string() : name.string();
}

}  // namespace

// One of `mapped`, `memory`, `receiver`, `whole` holds the bytes; a folder and an empty file have
// none.
struct Input::Impl {
  std::string name;
  std::filesystem::path path;
  bool folder = false;
  std::shared_ptr<const Archive> archive;  // the path leads into it
  std::string inner;                       // there
  std::filesystem::path on_disk;           // the file that holds the bytes: the path, or an archive
  std::uint64_t stored_bytes = 0;  // of a file or of memory; a stream's is known when it ended
  bool streamed = false;
  double disk_share = kUsualDiskShare;
  std::optional<FileStatus> opened;  // of a file
  std::unique_ptr<MappedFile> mapped;
  std::unique_ptr<MappedContent> content;  // of `mapped`
  std::vector<std::byte> memory;           // followed by kPaddingBytes zeros
  std::unique_ptr<Receiver> receiver;
  std::shared_ptr<const Impl> whole;  // of a section
  std::uint64_t section_begin = 0, section_bytes = 0;
  mutable std::once_flag head_once;
  mutable Pin head;  // of a section, whose pins may own their bytes
  mutable std::mutex tail_mutex;
  mutable std::weak_ptr<const std::vector<std::byte>> tail;  // a section's bytes from tail_begin on
  mutable std::uint64_t tail_begin = 0;
  Diagnostics damage;

  Status receive(UniqueFd file) {
    return received(Receiver::from_descriptor(std::move(file), disk_share));
  }

  Status received(Result<std::unique_ptr<Receiver>> made) {
    if (!made) return made.error();
    receiver = std::move(*made);
    return ok();
  }

  // `file` is open for reading and stands at the content's first byte.
  Status take(UniqueFd file) {
    std::error_code error;
    const auto status = file_status(file, error);
    if (!status) return unreadable(name, error);
    if (status->kind == FileKind::terminal) return unsuitable(name, "a terminal");
    if (status->kind == FileKind::device) return unsuitable(name, "a device");
    if (status->kind == FileKind::folder) return unsuitable(name, "a folder");
    on_disk = path;
    streamed = status->kind == FileKind::stream || !stands_at_begin(file);
    if (streamed) return receive(std::move(file));

    opened = *status;
    stored_bytes = status->size_bytes;
    std::array<std::byte, kPackingMagicBytes> start{};
    const std::size_t start_bytes = read_at(file, 0, start, error);
    if (error) return unreadable(name, error);
    if (start_bytes == 0) return ok();  // some formats have files without a byte
    const bool packed = packing_of(std::span(start).first(start_bytes)) != Packing::none;
    // Files of the kernel (/proc) say that they have no size, and cannot be mapped.
    if (packed || stored_bytes == 0) return receive(std::move(file));
    mapped = std::make_unique<MappedFile>(std::move(file), stored_bytes);
    if (mapped->ok()) {
      content = std::make_unique<MappedContent>(*mapped, *status);
      return ok();
    }
    UniqueFd unmapped = mapped->give_back();
    mapped.reset();
    return receive(std::move(unmapped));
  }

  // What the path leads to through an archive; its file stays mapped or is unpacked.
  Status take_from(const PathInArchive& place) {
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
      return unreadable(name, std::make_error_code(std::errc::no_such_file_or_directory));
    }
    if (!entry) return entry.error();
    std::error_code error;
    UniqueFd file = open_to_read(on_disk, error);
    opened = file ? file_status(file, error) : std::nullopt;
    if (!opened) return unreadable(name, error);
    return take_entry(std::move(file), *entry);
  }

  Status take_entry(UniqueFd file, const ZipEntry& entry) {
    std::error_code error;
    const std::uint64_t behind = opened->size_bytes - std::min(opened->size_bytes, entry.data_at);
    const bool is_cut = entry.sizes_known && entry.packed_bytes > behind;
    stored_bytes = entry.sizes_known && !is_cut ? entry.packed_bytes : behind;
    if (stored_bytes == 0) return ok();
    constexpr std::uint16_t kStored = 0;
    if (entry.method != kStored) {
      auto packed_bytes =
          std::make_unique<MappedFile>(std::move(file), stored_bytes, entry.data_at);
      if (!packed_bytes->ok()) return unsuitable(name, "in an archive that cannot be mapped");
      return received(Receiver::from_entry(std::move(packed_bytes), entry, disk_share));
    }
    std::array<std::byte, kPackingMagicBytes> start{};
    const std::size_t start_bytes = read_at(
        file, entry.data_at, std::span(start).first(std::min<std::size_t>(4, stored_bytes)), error);
    if (error) return unreadable(name, error);
    const bool packed = packing_of(std::span(start).first(start_bytes)) != Packing::none;
    if (is_cut && !packed) {
      damage.count(diagnostic::kTruncatedCompression, kNoOffset,
                   fmt::format("The archive ends after {} of {} bytes of \"{}\".",
                               grouped(stored_bytes), grouped(entry.packed_bytes), name));
    }
    if (!packed) {
      mapped = std::make_unique<MappedFile>(std::move(file), stored_bytes, entry.data_at);
      if (mapped->ok()) {
        content = std::make_unique<MappedContent>(*mapped, *opened);
        return ok();
      }
      file = mapped->give_back();
      mapped.reset();
    }
    return received(Receiver::from_part(std::move(file), entry.data_at, stored_bytes, disk_share));
  }

  FileChange bytes_change() const {
    if (whole) return whole->bytes_change();
    return content ? content->change() : FileChange::none;
  }

  Receiver* source() const { return whole ? whole->source() : receiver.get(); }

  std::uint64_t wait_for(std::uint64_t wanted_bytes) const {
    if (!whole) return own_bytes(wanted_bytes).size();
    const std::uint64_t end = section_begin + std::min(wanted_bytes, section_bytes);
    const std::uint64_t there = whole->wait_for(end);
    return std::min(there - std::min(there, section_begin), section_bytes);
  }

  // No more bytes follow the offset, however long the content is.
  std::uint64_t most_bytes_from(std::uint64_t offset) const {
    if (!whole) return UINT64_MAX;
    return section_bytes - std::min(section_bytes, offset);
  }

  Pin pin(std::uint64_t offset, std::uint64_t length) const {
    if (whole) return pin_of_section(offset, length);
    const std::uint64_t end = offset + std::min(length, UINT64_MAX - offset);
    const std::span<const std::byte> there = own_bytes(end);
    const auto begin = static_cast<std::size_t>(std::min<std::uint64_t>(offset, there.size()));
    const auto size = std::min<std::uint64_t>(length, there.size() - begin);
    return {offset, there.subspan(begin, static_cast<std::size_t>(size))};
  }

 private:
  std::span<const std::byte> own_bytes(std::uint64_t wanted_bytes) const {
    if (mapped) return mapped->bytes();
    if (receiver) return receiver->wait_for(wanted_bytes);
    if (memory.empty()) return std::span(kZeros).first(0);
    return std::span(memory).first(memory.size() - kPaddingBytes);
  }

  // What follows a section's end is another's: the last bytes are copied, with zeros behind them.
  // Pins that live at the same time share a copy that has the bytes of all.
  Pin pin_of_section(std::uint64_t offset, std::uint64_t length) const {
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
};

Input::Input(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
Input::Input(Input&&) noexcept = default;
Input& Input::operator=(Input&&) noexcept = default;
Input::~Input() = default;

Result<Input> Input::from_path(const std::filesystem::path& path, double disk_share) {
  auto impl = std::make_shared<Impl>();
  impl->disk_share = disk_share;
  impl->path = path;
  impl->name = name_of(path);
  std::error_code error;
  UniqueFd file = open_to_read(path, error);
  if (error == std::errc::not_a_directory) {
    if (const auto place = path_in_archive(path)) {
      const Status taken = impl->take_from(*place);
      if (!taken) return taken.error();
      return Input(std::move(impl));
    }
  }
  if (error == std::errc::no_such_device_or_address) return unsuitable(impl->name, "a socket");
  if (!file) return unreadable(impl->name, error);
  const auto status = file_status(file, error);
  if (status && status->kind == FileKind::folder) {
    impl->folder = true;
    return Input(std::move(impl));
  }
  const Status taken = impl->take(std::move(file));
  if (!taken) return taken.error();
  return Input(std::move(impl));
}

Result<Input> Input::from_descriptor(UniqueFd file, std::string name, double disk_share) {
  auto impl = std::make_shared<Impl>();
  impl->disk_share = disk_share;
  impl->name = std::move(name);
  const Status taken = impl->take(std::move(file));
  if (!taken) return taken.error();
  return Input(std::move(impl));
}

Result<Input> Input::from_stdin(double disk_share) {
  std::error_code error;
  UniqueFd file = open_standard_input(error);
  if (!file) {
    return Error{ErrorCode::cannot_read, "Standard input is closed.", "Pipe a trace into it."};
  }
  return from_descriptor(std::move(file), "standard input", disk_share);
}

Input Input::from_memory(std::string name, std::vector<std::byte> bytes) {
  auto impl = std::make_shared<Impl>();
  impl->name = std::move(name);
  impl->stored_bytes = bytes.size();
  if (packing_of(bytes) == Packing::none) {
    bytes.resize(bytes.size() + kPaddingBytes);
    impl->memory = std::move(bytes);
    return Input(std::move(impl));
  }
  auto receiver = Receiver::from_memory(std::move(bytes));
  if (receiver) {
    impl->receiver = std::move(*receiver);
  } else {
    impl->damage.count(diagnostic::kDiskFull, kNoOffset, receiver.error().text);
  }
  return Input(std::move(impl));
}

std::string_view Input::name() const {
  return impl_->name;
}
const std::filesystem::path& Input::path() const {
  return impl_->path;
}
bool Input::is_folder() const {
  return impl_->folder;
}

std::span<const std::byte> Input::head() const {
  if (!impl_->whole) return impl_->pin(0, kHeadBytes).bytes();
  std::call_once(impl_->head_once, [this] { impl_->head = impl_->pin(0, kHeadBytes); });
  return impl_->head.bytes();
}

Result<Pin> Input::pin(std::uint64_t offset, std::uint64_t length) const {
  if (impl_->folder) return unsuitable(impl_->name, "a folder");
  Pin pin = impl_->pin(offset, length);
  const std::uint64_t wanted = std::min(length, impl_->most_bytes_from(offset));
  const Receiver* receiver = impl_->source();
  if (pin.size() < wanted && receiver != nullptr && receiver->stopped_early()) {
    return Error{ErrorCode::cancelled, "Reading was stopped.", {}};
  }
  return pin;
}

std::uint64_t Input::wait_for(std::uint64_t wanted) const {
  return impl_->wait_for(wanted);
}

Input Input::section(std::string name, std::uint64_t offset, std::uint64_t length) const {
  auto impl = std::make_shared<Impl>();
  impl->name = std::move(name);
  impl->whole = impl_;
  impl->section_begin = offset;
  impl->section_bytes = impl->stored_bytes = std::min(length, UINT64_MAX - offset);
  return Input(std::move(impl));
}

bool Input::complete() const {
  const Receiver* receiver = impl_->source();
  return receiver == nullptr || receiver->closed();
}

std::uint64_t Input::stored_bytes() const {
  if (impl_->streamed) return impl_->receiver->closed() ? impl_->receiver->received_bytes() : 0;
  return impl_->stored_bytes;
}

std::uint64_t Input::stored_done_bytes() const {
  return impl_->receiver ? impl_->receiver->received_bytes() : impl_->stored_bytes;
}

std::uint64_t Input::unpacked_bytes() const {
  return impl_->receiver ? impl_->receiver->wait_for(0).size() : 0;
}

bool Input::refused() const {
  return impl_->receiver && impl_->receiver->refused();
}

double Input::disk_share() const {
  return impl_->disk_share;
}

void Input::stop() const {
  if (Receiver* receiver = impl_->source()) receiver->stop();
}

Diagnostics Input::damage() const {
  Diagnostics damage = impl_->damage;
  if (impl_->receiver) damage.merge(impl_->receiver->damage());
  const auto shrunk_to = impl_->mapped ? impl_->mapped->shrunk_to() : std::nullopt;
  if (shrunk_to) {
    damage.count(diagnostic::kFileShrank, static_cast<std::int64_t>(*shrunk_to),
                 fmt::format("The file became shorter while it was open: {} of {} bytes are left. "
                             "What was lost is read as zeros.",
                             grouped(*shrunk_to), grouped(impl_->stored_bytes)));
  } else if (impl_->mapped && bytes_change() == FileChange::overwritten) {
    damage.count(diagnostic::kFileChangedOnDisk);
  }
  return damage;
}

void Input::note_read() const {
  if (impl_->content) impl_->content->note_read();
}

FileChange Input::bytes_change() const {
  return impl_->bytes_change();
}

FileChange Input::change_on_disk() const {
  const FileChange bytes = impl_->bytes_change();
  if (impl_->path.empty() || !impl_->opened) return bytes;
  const std::optional<FileStatus> now = file_status(impl_->on_disk);
  if (!now) return bytes;  // gone: there is nothing to be read instead
  const FileChange change = change_between(*impl_->opened, *now);
  // Where its bytes are compared that says more than the file system.
  if (impl_->content && change != FileChange::replaced) return bytes;
  return change;
}

Result<Input> Input::companion(std::string_view file_name) const {
  // A trace may name its companion itself, so nothing outside the folder may be reached.
  const bool plain = !file_name.empty() && file_name != "." && file_name != ".." &&
                     file_name.find('/') == std::string_view::npos &&
                     file_name.find('\0') == std::string_view::npos;
  if (!plain || impl_->path.empty())
    return unreadable(std::string(file_name),
                      std::make_error_code(std::errc::no_such_file_or_directory));
  const std::filesystem::path folder = impl_->folder ? impl_->path : impl_->path.parent_path();
  return from_path(folder / file_name, impl_->disk_share);
}

std::vector<std::string> Input::files() const {
  std::vector<std::string> names;
  if (!impl_->folder) return names;
  if (impl_->archive) return impl_->archive->files_in(impl_->inner, false);
  std::error_code error;
  std::filesystem::directory_iterator entry(impl_->path, error);
  while (!error && entry != std::filesystem::directory_iterator()) {
    std::error_code unknown;
    if (entry->is_regular_file(unknown)) names.push_back(entry->path().filename().string());
    entry.increment(error);
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace cinderscope
