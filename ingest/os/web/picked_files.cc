#include "ingest/os/web/picked_files.h"

#include <emscripten.h>
#include <emscripten/threading.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>

namespace cinderscope {
namespace {

// Names of picked files by what stat() says of them.
struct PickedFiles {
  std::atomic<bool> any{false};
  std::mutex mutex;
  std::map<ino_t, int> by_inode;
};

PickedFiles& picked_files() {
  static auto* const files = new PickedFiles;  // used by threads until the end
  return *files;
}

// What the page's reader is asked for, and what it answers. The page knows these places.
struct Question {
  std::atomic<int> got{kWaiting};  // bytes, or a negative number: it cannot be read
  static constexpr int kWaiting = INT32_MIN;
};
static_assert(sizeof(Question) == 4);

}  // namespace

extern "C" {
// By the page, on its own thread, before anybody opens the file.
EMSCRIPTEN_KEEPALIVE void cinderscope_picked(int inode, int file) {
  PickedFiles& files = picked_files();
  const std::lock_guard lock(files.mutex);
  files.by_inode[static_cast<ino_t>(inode)] = file;
  files.any = true;
}
}

std::optional<int> picked_file(int descriptor) {
  PickedFiles& files = picked_files();
  if (!files.any) return std::nullopt;
  struct stat facts = {};
  if (fstat(descriptor, &facts) != 0 || !S_ISREG(facts.st_mode)) return std::nullopt;
  const std::lock_guard lock(files.mutex);
  const auto found = files.by_inode.find(facts.st_ino);
  return found == files.by_inode.end() ? std::nullopt : std::optional(found->second);
}

std::size_t read_picked(int file, std::uint64_t offset, std::span<std::byte> bytes,
                        std::error_code& error) {
  constexpr std::size_t kPieceBytes = std::size_t{8} << 20;  // that the browser holds meanwhile
  error.clear();
  std::size_t done = 0;
  while (done < bytes.size()) {
    const std::size_t wanted = std::min(bytes.size() - done, kPieceBytes);
    Question question;
    MAIN_THREAD_ASYNC_EM_ASM({ Module['readPicked']($0, $1, $2, $3 >>> 0, $4 >>> 0); }, file,
                             static_cast<double>(offset + done), wanted, bytes.data() + done,
                             &question.got);
    while (question.got == Question::kWaiting) {
      emscripten_futex_wait(&question.got, static_cast<std::uint32_t>(Question::kWaiting), 1000);
    }
    const int got = question.got;
    if (got < 0) error = std::make_error_code(std::errc::io_error);
    if (got <= 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

}  // namespace cinderscope
