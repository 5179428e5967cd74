#include "ingest/input/input.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <system_error>
#include <utility>

#include "ingest/base/fields.h"
#include "ingest/base/grouped_text.h"
#include "ingest/base/path_text.h"
#include "ingest/input/input_impl.h"
#include "ingest/input/unpack/decoders.h"
#include "ingest/os/file.h"

namespace cinderscope {
namespace {

constexpr std::size_t kHeadBytes = 4096;

// A folder's name also when it is given as "a/b/" or ".".
std::string name_of(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::path name = path.filename();
  if (name.empty() || name == "." || name == "..") {
    const std::filesystem::path full = std::filesystem::weakly_canonical(path, error);
    if (!error) name = full.has_filename() ? full.filename() : full.parent_path().filename();
  }
  return name.empty() ? utf8_of(path) : utf8_of(name);
}

}  // namespace

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
  if (error == std::errc::no_such_device_or_address)
    return unsuitable_input(impl->name, "a socket");
  if (!file) return unreadable_input(impl->name, error);
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
  if (!impl_->whole && !impl_->receiver && !impl_->pieces) return impl_->pin(0, kHeadBytes).bytes();
  std::call_once(impl_->head_once, [this] {
    const Pin pin = impl_->pin(0, kHeadBytes);
    auto copy = std::make_shared<std::vector<std::byte>>(pin.bytes().begin(), pin.bytes().end());
    copy->resize(pin.size() + kPaddingBytes);
    const std::span<const std::byte> bytes = std::span(*copy).first(pin.size());
    impl_->head = {0, bytes, std::move(copy)};
  });
  return impl_->head.bytes();
}

Result<Pin> Input::pin(std::uint64_t offset, std::uint64_t length) const {
  if (impl_->folder) return unsuitable_input(impl_->name, "a folder");
  Pin pin = impl_->pin(offset, length);
  const Receiver* receiver = impl_->source();
  if (receiver == nullptr && impl_->unmapped() == nullptr) return pin;
  if (pin.size() >= std::min(length, impl_->most_bytes_from(offset))) return pin;
  if (receiver != nullptr && receiver->stopped_early()) {
    return Error{ErrorCode::cancelled, "Reading was stopped.", {}};
  }
  if (receiver != nullptr && receiver->is_lost()) {
    return Error{ErrorCode::cannot_read, "The packed file has other bytes than when it was opened.",
                 "Open it again.", static_cast<std::int64_t>(offset)};
  }
  const std::uint64_t there = impl_->wait_for(0);  // all that comes, as it was waited for
  if (pin.size() < there - std::min(there, offset)) {
    return Error{ErrorCode::no_memory, "There is not enough memory for this part of the file."};
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
  return impl_->receiver ? impl_->receiver->unpacked_bytes() : 0;
}

bool Input::refused() const {
  return impl_->receiver && impl_->receiver->refused();
}

void Input::let_go(std::uint64_t offset) const {
  if (Receiver* receiver = impl_->source(); receiver != nullptr && !impl_->whole) {
    receiver->let_go(offset);
  }
}

bool Input::is_at_hand() const {
  if (impl_->whole) return false;
  return !impl_->receiver || impl_->receiver->is_covered();
}

bool Input::may_come_to_hand() const {
  return is_at_hand() || (impl_->receiver && !impl_->whole && impl_->receiver->can_be_covered());
}

void Input::save_places(FieldWriter& out) const {
  out.add(impl_->receiver != nullptr);
  if (impl_->receiver) impl_->receiver->save(out);
}

bool Input::restore_places(FieldReader& in) const {
  const bool is_packed = in.take<bool>();
  if (is_packed != (impl_->receiver != nullptr)) return false;
  return !is_packed || impl_->receiver->restore(in);
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
  if (impl_->pieces && impl_->pieces->is_lost()) {
    damage.count(diagnostic::kFileShrank, kNoOffset,
                 "Some of the file cannot be read any more. What was lost is read as zeros.");
  }
  const auto shrunk_to = impl_->mapped ? impl_->mapped->shrunk_to() : std::nullopt;
  if (shrunk_to) {
    damage.count(diagnostic::kFileShrank, static_cast<std::int64_t>(*shrunk_to),
                 fmt::format("The file became shorter while it was open: {} of {} bytes are left. "
                             "What was lost is read as zeros.",
                             grouped(*shrunk_to), grouped(impl_->stored_bytes)));
  } else if (impl_->content && bytes_change() == FileChange::overwritten) {
    damage.count(diagnostic::kFileChangedOnDisk);
  }
  return damage;
}

void Input::note_read() const {
  if (impl_->content) impl_->content->note_read();
  if (impl_->pieces) impl_->pieces->free_spare();
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
  const std::filesystem::path name = path_of(file_name);
  const bool plain = !file_name.empty() && file_name != "." && file_name != ".." &&
                     name == name.filename() &&  // no other folder, however the system says so
                     file_name.find('\0') == std::string_view::npos;
  if (!plain || impl_->path.empty())
    return unreadable_input(std::string(file_name),
                            std::make_error_code(std::errc::no_such_file_or_directory));
  const std::filesystem::path folder = impl_->folder ? impl_->path : impl_->path.parent_path();
  return from_path(folder / name, impl_->disk_share);
}

std::vector<std::string> Input::files() const {
  std::vector<std::string> names;
  if (!impl_->folder) return names;
  if (impl_->archive) return impl_->archive->files_in(impl_->inner, false);
  std::error_code error;
  std::filesystem::directory_iterator entry(impl_->path, error);
  while (!error && entry != std::filesystem::directory_iterator()) {
    std::error_code unknown;
    if (entry->is_regular_file(unknown)) names.push_back(utf8_of(entry->path().filename()));
    entry.increment(error);
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace cinderscope
