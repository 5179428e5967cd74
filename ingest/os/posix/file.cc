#include "ingest/os/file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "ingest/os/move_all.h"

namespace cinderscope {
namespace {

FileKind kind_of(const struct stat& facts) {
  if (S_ISREG(facts.st_mode)) return FileKind::regular;
  if (S_ISDIR(facts.st_mode)) return FileKind::folder;
  return S_ISCHR(facts.st_mode) || S_ISBLK(facts.st_mode) ? FileKind::device : FileKind::stream;
}

std::int64_t ns_from(const timespec& time) {
  return time.tv_sec * 1'000'000'000 + time.tv_nsec;
}

FileStatus status_from(const struct stat& facts) {
  return {.kind = kind_of(facts),
          .size_bytes = static_cast<std::uint64_t>(facts.st_size),
          .modified_ns = ns_from(facts.st_mtim),
          .touched_ns = ns_from(facts.st_ctim),
          .device = facts.st_dev,
          .inode = facts.st_ino};
}

// A write that moves nothing without saying why has met a full disk.
void expect_all(std::size_t done, std::size_t bytes, std::error_code& error) {
  if (done < bytes && !error) error = std::make_error_code(std::errc::no_space_on_device);
}

}  // namespace

std::error_code last_error() {
  return {errno, std::generic_category()};
}

UniqueFd open_to_read(const std::filesystem::path& path, std::error_code& error) {
  // Without O_NONBLOCK, opening a pipe would block until somebody opens its other end.
  UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  error = file ? std::error_code() : last_error();
  return file;
}

UniqueFd open_standard_input(std::error_code& error) {
  constexpr int kBehindStandardStreams = 3;
  UniqueFd file(fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, kBehindStandardStreams));
  error = file ? std::error_code() : last_error();
  return file;
}

UniqueFd second_descriptor(const UniqueFd& file, std::error_code& error) {
  error.clear();
  UniqueFd second(fcntl(file.get(), F_DUPFD_CLOEXEC, 0));
  if (!second) error = last_error();
  return second;
}

std::optional<FileStatus> file_status(const UniqueFd& file, std::error_code& error) {
  struct stat facts = {};
  error.clear();
  if (fstat(file.get(), &facts) != 0) {
    error = last_error();
    return std::nullopt;
  }
  FileStatus status = status_from(facts);
  if (status.kind == FileKind::device && isatty(file.get()) == 1) status.kind = FileKind::terminal;
  return status;
}

std::optional<FileStatus> file_status(const std::filesystem::path& path) {
  struct stat facts = {};
  if (stat(path.c_str(), &facts) != 0) return std::nullopt;
  return status_from(facts);
}

bool locked_by_other(const UniqueFd& file) {
  if (flock(file.get(), LOCK_SH | LOCK_NB) != 0) return errno == EWOULDBLOCK;
  flock(file.get(), LOCK_UN);
  return false;
}

bool stands_at_begin(const UniqueFd& file) {
  return lseek(file.get(), 0, SEEK_CUR) == 0;
}

void go_to(const UniqueFd& file, std::uint64_t offset, std::error_code& error) {
  error.clear();
  if (lseek(file.get(), static_cast<off_t>(offset), SEEK_SET) < 0) error = last_error();
}

std::size_t write_all(const UniqueFd& file, std::span<const std::byte> bytes,
                      std::error_code& error) {
  const std::size_t done = move_all(bytes.size(), error, [&](std::size_t at) {
    return write(file.get(), bytes.data() + at, bytes.size() - at);
  });
  expect_all(done, bytes.size(), error);
  return done;
}

std::size_t write_at(const UniqueFd& file, std::uint64_t offset, std::span<const std::byte> bytes,
                     std::error_code& error) {
  const std::size_t done = move_all(bytes.size(), error, [&](std::size_t at) {
    return pwrite(file.get(), bytes.data() + at, bytes.size() - at,
                  static_cast<off_t>(offset + at));
  });
  expect_all(done, bytes.size(), error);
  return done;
}

void append_to_file(const UniqueFd& file, std::span<const std::byte> bytes,
                    std::error_code& error) {
  const off_t before = lseek(file.get(), 0, SEEK_END);
  write_all(file, bytes, error);
  if (!error || before < 0) return;
  if (ftruncate(file.get(), before) != 0) error = std::make_error_code(std::errc::io_error);
}

}  // namespace cinderscope
