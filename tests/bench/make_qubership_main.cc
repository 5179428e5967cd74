// make_qubership ENTERS FOLDER [plain]: writes a Qubership dump folder, for measuring by hand.
//
// Eight threads take turns block by block; a request enters about 20 methods, the deepest with SQL
// and its bound values. Files are packed with gzip and roll after 100 MiB, as the agent's do.
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr std::int64_t kStartMs = 1'795'226'597'882;
constexpr std::size_t kThreads = 8, kEventsPerBlock = 4096;
constexpr std::uint32_t kMethods = 2000, kFirstMethod = 10;
constexpr std::uint64_t kRollBytes = 100u << 20;

void append_number(std::string& out, std::uint64_t value, int bytes) {
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
    out += static_cast<char>(value >> shift & 0xff);
  }
}

void append_varint(std::string& out, std::uint32_t value) {
  for (; value > 0x7f; value >>= 7) out += static_cast<char>((value & 0x7f) | 0x80);
  out += static_cast<char>(value);
}

void append_text(std::string& out, std::string_view ascii) {
  append_varint(out, static_cast<std::uint32_t>(ascii.size()));
  for (const char c : ascii) out.append({'\0', c});
}

// The files of one stream.
class StreamWriter {
 public:
  StreamWriter(const std::filesystem::path& folder, bool packed)
      : folder_(folder), packed_(packed) {
    std::filesystem::create_directories(folder);
  }
  ~StreamWriter() { close(); }
  StreamWriter(const StreamWriter&) = delete;
  StreamWriter& operator=(const StreamWriter&) = delete;

  std::uint32_t index() const { return index_; }
  std::uint64_t at() const { return at_; }
  bool open() const { return file_ != nullptr; }
  bool full() const { return at_ > kRollBytes; }

  void next() {
    close();
    std::array<char, 16> name{};
    std::snprintf(name.data(), name.size(), "%06u%s", ++index_, packed_ ? ".gz" : "");
    // "T": without packing.
    file_ = gzopen((folder_ / name.data()).c_str(), packed_ ? "wb1" : "wbT");
    if (file_ == nullptr) fail();
    at_ = 0;
  }
  void write(const std::string& bytes) {
    if (!bytes.empty() && gzwrite(file_, bytes.data(), static_cast<unsigned>(bytes.size())) == 0) {
      fail();
    }
    at_ += bytes.size();
  }

 private:
  void close() {
    if (file_ != nullptr && gzclose(file_) != Z_OK) fail();
    file_ = nullptr;
  }
  [[noreturn]] void fail() const {
    std::perror(folder_.c_str());
    std::exit(1);
  }

  std::filesystem::path folder_;
  bool packed_;
  gzFile file_ = nullptr;
  std::uint32_t index_ = 0;
  std::uint64_t at_ = 0;
};

struct ThreadState {
  std::string block;
  std::size_t events = 0;
  std::int64_t now_ms = kStartMs, last_ms = kStartMs;
  std::size_t depth = 0;
  std::uint32_t in_request = 0;
  std::int64_t request_ms = 0;
  std::uint32_t request_event = 0;
};

class Maker {
 public:
  Maker(const std::filesystem::path& folder, bool packed)
      : trace_(folder / "trace", packed),
        calls_(folder / "calls", packed),
        sql_(folder / "sql", packed),
        xml_(folder / "xml", packed) {
    const auto whole = [&](const char* name, const std::string& bytes) {
      StreamWriter stream(folder / name, packed);
      stream.next();
      stream.write(bytes);
    };
    whole("dictionary", words());
    whole("suspend", pauses());
    whole("params", std::string("\1", 1));
    sql_.next();
    xml_.next();
    std::string statement;
    append_text(statement, "select * from orders where id = ? and kind = 0");
    sql_.write(statement);
    for (ThreadState& thread : threads_) thread.now_ms += next_random() % 50;
  }

  void make(std::uint64_t enters) {
    std::size_t turn = 0;
    while (made_ < enters) {
      ThreadState& thread = threads_[turn];
      turn = (turn + 1) % kThreads;
      fill(thread, turn, enters);
    }
  }

 private:
  std::uint32_t next_random() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>(state_ >> 33);
  }

  static std::string words() {
    std::string out;
    for (const char* word : {"call.info", "sql", "binds", "web.url", "web.method", "java.thread",
                             "node.name", "time.cpu", "memory.allocated", "common.started"}) {
      append_text(out, word);
    }
    for (std::uint32_t i = 0; i < kMethods; ++i) {
      const std::string n = std::to_string(i);
      append_text(out, "void demo.service.part" + std::to_string(i % 40) + ".Class" +
                           std::to_string(i / 8) + ".method" + n +
                           "(java.lang.String,int) (Class.java:" + n + ") [demo.jar]");
    }
    return out;
  }
  static std::string pauses() {
    std::string out;
    append_number(out, kStartMs, 8);
    for (int i = 0; i < 20'000; ++i) {
      append_varint(out, 500);
      append_varint(out, 17);
    }
    return out;
  }

  void event(ThreadState& thread, unsigned kind) {
    auto delta = static_cast<std::uint32_t>(thread.now_ms - thread.last_ms);
    thread.last_ms = thread.now_ms;
    thread.block += static_cast<char>(kind | (delta & 31) << 2 | (delta > 31 ? 0x80u : 0u));
    if (delta > 31) append_varint(thread.block, delta >> 5);
    ++thread.events;
  }
  void enter(ThreadState& thread) {
    event(thread, 0);
    append_varint(thread.block, kFirstMethod + next_random() % kMethods);
    ++thread.depth;
    ++made_;
  }
  void text_tag(ThreadState& thread, std::uint32_t id, std::string_view value) {
    event(thread, 2);
    append_varint(thread.block, id);
    thread.block += '\0';
    append_text(thread.block, value);
  }
  void reference_tag(ThreadState& thread, std::uint32_t id, char kind, std::uint32_t file,
                     std::uint64_t at) {
    event(thread, 2);
    append_varint(thread.block, id);
    thread.block += kind;
    append_varint(thread.block, file);
    append_varint(thread.block, static_cast<std::uint32_t>(at));
  }

  // One step of a request: 20 methods, some of them inside of others, one with SQL.
  void step(ThreadState& thread, std::size_t number) {
    constexpr std::uint32_t kInRequest = 20, kDeepest = 8;
    if (thread.depth == 0) {
      thread.now_ms += next_random() % 5;
      thread.request_ms = thread.now_ms;
      thread.request_event = static_cast<std::uint32_t>(thread.events);
      thread.in_request = 1;
      enter(thread);
      return;
    }
    const bool last = thread.in_request >= kInRequest;
    if (!last && thread.depth < kDeepest && next_random() % 2 == 0) {
      ++thread.in_request;
      enter(thread);
      if (thread.in_request != kInRequest / 2) return;
      reference_tag(thread, 1, 3, 1, 0);
      if (xml_.full()) xml_.next();
      std::string binds;
      append_text(binds, "INT: id: " + std::to_string(made_) + "\n");
      reference_tag(thread, 2, 1, xml_.index(), xml_.at());
      xml_.write(binds);
      return;
    }
    if (next_random() % 3 == 0) ++thread.now_ms;
    if (last && thread.depth == 1) {
      text_tag(thread, 5, "worker-" + std::to_string(number));
      text_tag(thread, 7, "12");
    }
    event(thread, 1);
    --thread.depth;
  }

  // A call that began in a block before is left out of the list, as short ones are.
  void list_call(const ThreadState& thread, std::size_t number) {
    if (!calls_.open()) {
      calls_.next();
      std::string header;
      append_number(header, 0xFFFEFDFC00000004u, 8);
      append_number(header, static_cast<std::uint64_t>(kStartMs), 8);
      calls_.write(header);
      last_call_ms_ = kStartMs;
    }
    std::string call;
    const auto delta = static_cast<std::int32_t>(thread.request_ms - last_call_ms_);
    last_call_ms_ = thread.request_ms;
    append_varint(call,
                  static_cast<std::uint32_t>(delta) << 1 ^ static_cast<std::uint32_t>(delta >> 31));
    append_varint(call, kFirstMethod);
    append_varint(call, static_cast<std::uint32_t>(thread.now_ms - thread.request_ms));
    append_varint(call, thread.in_request);
    const auto named = std::find(named_.begin(), named_.end(), number);
    append_varint(call, static_cast<std::uint32_t>(named - named_.begin()));
    if (named == named_.end()) {
      named_.push_back(number);
      append_text(call, "worker-" + std::to_string(number));
    }
    append_varint(call, 0);
    append_varint(call, 0);
    append_varint(call, trace_.index());
    append_varint(call, static_cast<std::uint32_t>(trace_.at()));
    append_varint(call, thread.request_event);
    call.append(10, '\0');
    calls_.write(call);
  }

  void fill(ThreadState& thread, std::size_t number, std::uint64_t enters) {
    if (!trace_.open() || trace_.full()) {
      trace_.next();
      std::string epoch;
      append_number(epoch, static_cast<std::uint64_t>(kStartMs), 8);
      trace_.write(epoch);
    }
    thread.block.clear();
    append_number(thread.block, number + 1, 8);
    append_number(thread.block, static_cast<std::uint64_t>(thread.now_ms), 8);
    thread.events = 0;
    thread.last_ms = kStartMs;
    bool began_here = false;
    while (thread.events + 8 < kEventsPerBlock && (made_ < enters || thread.depth > 0)) {
      began_here = began_here || thread.depth == 0;
      step(thread, number);
      if (thread.depth == 0 && began_here) list_call(thread, number);
    }
    thread.block += '\3';
    trace_.write(thread.block);
  }

  StreamWriter trace_, calls_, sql_, xml_;
  std::array<ThreadState, kThreads> threads_;
  std::vector<std::size_t> named_;
  std::int64_t last_call_ms_ = 0;
  std::uint64_t made_ = 0, state_ = 1;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 && !(argc == 4 && std::strcmp(argv[3], "plain") == 0)) {
    std::fputs("usage: make_qubership ENTERS FOLDER [plain]\n", stderr);
    return 2;
  }
  Maker(argv[2], argc == 3).make(std::strtoull(argv[1], nullptr, 10));
  return 0;
}
