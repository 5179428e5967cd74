#include "ingest/sql/run/memory_files.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <new>
#include <random>
#include <thread>
#include <vector>

namespace cinderscope {

namespace {

constexpr std::size_t kPieceBytes = 64 << 10;
constexpr sqlite3_int64 kLargest = sqlite3_int64{1} << 40;

// What sqlite3_file begins with, then our own.
struct MemoryFile {
  sqlite3_file head;
  MemoryFiles* files;
  std::vector<std::unique_ptr<std::byte[]>>* pieces;
  sqlite3_int64 size;
};

MemoryFile& of(sqlite3_file* file) {
  return *reinterpret_cast<MemoryFile*>(file);
}

void keep(MemoryFile& file, std::size_t pieces) {
  while (file.pieces->size() > pieces) {
    file.pieces->pop_back();
    file.files->budget().give_back(kPieceBytes);
  }
}

int close_file(sqlite3_file* file) {
  keep(of(file), 0);
  delete of(file).pieces;
  of(file).pieces = nullptr;
  return SQLITE_OK;
}

// Calls `copy(bytes of a piece, how many, done so far)` for all of [at, at + bytes).
template <class Copy>
void for_pieces(MemoryFile& file, sqlite3_int64 at, int bytes, Copy copy) {
  std::size_t done = 0;
  const auto all = static_cast<std::size_t>(bytes);
  while (done < all) {
    const auto from = static_cast<std::size_t>(at) + done;
    const std::size_t count = std::min(all - done, kPieceBytes - from % kPieceBytes);
    copy((*file.pieces)[from / kPieceBytes].get() + from % kPieceBytes, count, done);
    done += count;
  }
}

int read_file(sqlite3_file* file, void* out, int bytes, sqlite3_int64 at) {
  MemoryFile& from = of(file);
  if (from.files->budget().stopped()) return SQLITE_INTERRUPT;
  const auto there = static_cast<int>(std::clamp<sqlite3_int64>(from.size - at, 0, bytes));
  for_pieces(from, at, there, [out](const std::byte* piece, std::size_t count, std::size_t done) {
    std::memcpy(static_cast<std::byte*>(out) + done, piece, count);
  });
  if (there == bytes) return SQLITE_OK;
  std::memset(static_cast<std::byte*>(out) + there, 0, static_cast<std::size_t>(bytes - there));
  return SQLITE_IOERR_SHORT_READ;
}

int write_file(sqlite3_file* file, const void* in, int bytes, sqlite3_int64 at) {
  MemoryFile& to = of(file);
  if (to.files->budget().stopped()) return SQLITE_INTERRUPT;
  if (at > kLargest) return SQLITE_FULL;
  const auto end = static_cast<std::size_t>(at) + static_cast<std::size_t>(bytes);
  while (to.pieces->size() * kPieceBytes < end) {
    if (!to.files->budget().take(kPieceBytes)) return SQLITE_FULL;
    try {
      to.pieces->push_back(std::make_unique<std::byte[]>(kPieceBytes));  // zeros, as gaps read
    } catch (const std::bad_alloc&) {
      to.files->budget().give_back(kPieceBytes);
      return SQLITE_NOMEM;
    }
  }
  for_pieces(to, at, bytes, [in](std::byte* piece, std::size_t count, std::size_t done) {
    std::memcpy(piece, static_cast<const std::byte*>(in) + done, count);
  });
  to.size = std::max(to.size, at + bytes);
  return SQLITE_OK;
}

int truncate_file(sqlite3_file* file, sqlite3_int64 size) {
  of(file).size = std::min(of(file).size, size);
  const auto left = static_cast<std::size_t>(of(file).size);
  keep(of(file), (left + kPieceBytes - 1) / kPieceBytes);
  if (left % kPieceBytes != 0) {  // what may be grown over again reads as zeros
    std::byte* last = of(file).pieces->back().get();
    std::memset(last + left % kPieceBytes, 0, kPieceBytes - left % kPieceBytes);
  }
  return SQLITE_OK;
}

int size_of_file(sqlite3_file* file, sqlite3_int64* size) {
  *size = of(file).size;
  return SQLITE_OK;
}

// Version 1: neither shared memory nor mapping.
const sqlite3_io_methods kMethods = {
    .iVersion = 1,
    .xClose = close_file,
    .xRead = read_file,
    .xWrite = write_file,
    .xTruncate = truncate_file,
    .xSync = [](sqlite3_file*, int) { return SQLITE_OK; },
    .xFileSize = size_of_file,
    .xLock = [](sqlite3_file*, int) { return SQLITE_OK; },
    .xUnlock = [](sqlite3_file*, int) { return SQLITE_OK; },
    .xCheckReservedLock =
        [](sqlite3_file*, int* out) {
          *out = 0;
          return SQLITE_OK;
        },
    .xFileControl = [](sqlite3_file*, int, void*) { return SQLITE_NOTFOUND; },
    .xSectorSize = [](sqlite3_file*) { return 0; },
    .xDeviceCharacteristics = [](sqlite3_file*) { return 0; },
};

int open_file(sqlite3_vfs* vfs, sqlite3_filename, sqlite3_file* file, int flags, int* out_flags) {
  file->pMethods = nullptr;
  constexpr int kTemporary = SQLITE_OPEN_TEMP_DB | SQLITE_OPEN_TEMP_JOURNAL |
                             SQLITE_OPEN_TRANSIENT_DB | SQLITE_OPEN_SUBJOURNAL;
  if ((flags & kTemporary) == 0) return SQLITE_CANTOPEN;
  auto* pieces = new (std::nothrow) std::vector<std::unique_ptr<std::byte[]>>;
  if (pieces == nullptr) return SQLITE_NOMEM;
  MemoryFile& made = of(file);
  made.files = static_cast<MemoryFiles*>(vfs->pAppData);
  made.pieces = pieces;
  made.size = 0;
  file->pMethods = &kMethods;
  if (out_flags != nullptr) *out_flags = flags;
  return SQLITE_OK;
}

int random_bytes(sqlite3_vfs*, int count, char* out) {
  std::random_device device;
  for (int i = 0; i < count; ++i) out[i] = static_cast<char>(device());
  return count;
}

int now(sqlite3_vfs*, sqlite3_int64* out) {
  using namespace std::chrono;
  constexpr sqlite3_int64 kUnixEpoch = 210866760000000;  // in ms of Julian days
  *out = kUnixEpoch + duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
  return SQLITE_OK;
}

int now_in_days(sqlite3_vfs* vfs, double* out) {
  sqlite3_int64 ms = 0;
  now(vfs, &ms);
  *out = static_cast<double>(ms) / 86'400'000;
  return SQLITE_OK;
}

}  // namespace

MemoryFiles::MemoryFiles(MemoryBudget& budget)
    : budget_(budget), vfs_(std::make_unique<sqlite3_vfs>()) {
  static std::atomic<unsigned> last_number{0};
  name_ = fmt::format("cinderscope-memory-{}", ++last_number);
  *vfs_ = {};
  vfs_->iVersion = 2;
  vfs_->szOsFile = sizeof(MemoryFile);
  vfs_->mxPathname = 64;
  vfs_->zName = name_.c_str();
  vfs_->pAppData = this;
  vfs_->xOpen = open_file;
  vfs_->xDelete = [](sqlite3_vfs*, const char*, int) { return SQLITE_OK; };
  vfs_->xAccess = [](sqlite3_vfs*, const char*, int, int* out) {
    *out = 0;
    return SQLITE_OK;
  };
  vfs_->xFullPathname = [](sqlite3_vfs*, const char* path, int size, char* out) {
    sqlite3_snprintf(size, out, "%s", path);
    return SQLITE_OK;
  };
  vfs_->xRandomness = random_bytes;
  vfs_->xSleep = [](sqlite3_vfs*, int us) {
    std::this_thread::sleep_for(std::chrono::microseconds(us));
    return us;
  };
  vfs_->xCurrentTime = now_in_days;
  vfs_->xCurrentTimeInt64 = now;
  vfs_->xGetLastError = [](sqlite3_vfs*, int, char*) { return 0; };
  sqlite3_vfs_register(vfs_.get(), 0);
}

MemoryFiles::~MemoryFiles() {
  sqlite3_vfs_unregister(vfs_.get());
}

}  // namespace cinderscope
