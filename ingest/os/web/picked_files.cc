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

// What the page's reader (packaging/web/page/reader.js) is asked for, and what it answers. It finds
// the members by their places, four bytes each.
struct Question {
  std::uint32_t next = 0;  // the one asked before; 0: none
  std::int32_t file = 0;
  std::uint32_t offset_low = 0, offset_high = 0;
  std::uint32_t bytes = 0, to = 0;
  std::atomic<std::int32_t> got{kWaiting};  // bytes, or a negative number: it cannot be read
  static constexpr std::int32_t kWaiting = INT32_MIN;
};
static_assert(sizeof(Question) == 28);

// Where questions lie. The reader looks there by itself while it is awake, so that none waits for
// the page's own thread, which draws meanwhile.
struct Mailbox {
  std::atomic<std::uint32_t> newest{0};
  std::atomic<std::int32_t> bell{0};   // counts questions
  std::atomic<std::int32_t> awake{0};  // 0: the reader has to be called
};
static_assert(sizeof(Mailbox) == 12);
Mailbox g_mailbox;

std::uint32_t address_of(const void* at) {
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(at));
}

void ask(Question& question) {
  question.next = g_mailbox.newest;
  while (!g_mailbox.newest.compare_exchange_weak(question.next, address_of(&question))) {
  }
  ++g_mailbox.bell;
  emscripten_futex_wake(&g_mailbox.bell, 1);
  if (g_mailbox.awake == 0) MAIN_THREAD_ASYNC_EM_ASM({ Module['callReader'](); });
}

}  // namespace

extern "C" {
// By the page, on its own thread, before anybody opens the file.
EMSCRIPTEN_KEEPALIVE void cinderscope_picked(int inode, int file) {
  PickedFiles& files = picked_files();
  const std::lock_guard lock(files.mutex);
  files.by_inode[static_cast<ino_t>(inode)] = file;
  files.any = true;
}
EMSCRIPTEN_KEEPALIVE void* cinderscope_mailbox() {
  return &g_mailbox;
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
    const std::uint64_t at = offset + done;
    Question question;
    question.file = file;
    question.offset_low = static_cast<std::uint32_t>(at);
    question.offset_high = static_cast<std::uint32_t>(at >> 32);
    question.bytes = static_cast<std::uint32_t>(wanted);
    question.to = address_of(bytes.data() + done);
    ask(question);
    while (question.got == Question::kWaiting) {
      emscripten_futex_wait(&question.got, static_cast<std::uint32_t>(Question::kWaiting), 1000);
    }
    const std::int32_t got = question.got;
    if (got < 0) error = std::make_error_code(std::errc::io_error);
    if (got <= 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

}  // namespace cinderscope
