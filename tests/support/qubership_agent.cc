#include "tests/support/qubership_agent.h"

#include <zlib.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "fmt/format.h"

namespace cinderscope {
namespace {

constexpr std::int64_t kBeginMs = 1'700'000'000'000;

std::string varint(std::uint32_t value) {
  std::string out;
  for (; value > 0x7f; value >>= 7) out += static_cast<char>((value & 0x7f) | 0x80);
  return out += static_cast<char>(value);
}

std::string zigzag(std::int64_t value) {
  return varint(static_cast<std::uint32_t>(value << 1 ^ value >> 63));
}

std::string i64(std::int64_t value) {
  std::string out;
  for (int shift = 56; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 0xff);
  return out;
}

std::string text(std::string_view value) {
  std::string out = varint(static_cast<std::uint32_t>(value.size()));
  for (const char c : value) (out += '\0') += c;
  return out;
}

}  // namespace

struct QubershipAgent::Thread {
  std::int64_t id = 0, last_ms = 0, real_ms = 0;
  std::string name, block;
  std::uint32_t events = 0;  // of the block
  std::size_t depth = 0;
  // Of the root: where it is, once its block is written.
  std::int64_t root_ms = 0;
  std::uint32_t root_event = 0, root_method = 0, enters = 0, root_file = 0;
  std::uint64_t root_block = 0;
  bool root_here = false;
  std::string done_calls;  // without their places, to be written after the block
};

class QubershipAgent::Packer {
 public:
  explicit Packer(Packing packing) : packing_(packing) { begin(); }
  ~Packer() {
    if (packing_ != Packing::plain) deflateEnd(&stream_);
  }
  Packer(const Packer&) = delete;
  Packer& operator=(const Packer&) = delete;

  std::string pack(std::string_view bytes, bool over) {
    if (packing_ == Packing::plain) return std::string(bytes);
    std::string out(deflateBound(&stream_, bytes.size()) + 64, '\0');
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = static_cast<uInt>(out.size());
    const bool ends = over || packing_ == Packing::members;
    deflate(&stream_, ends ? Z_FINISH : Z_SYNC_FLUSH);
    out.resize(out.size() - stream_.avail_out);
    if (ends) deflateReset(&stream_);
    return out;
  }

 private:
  void begin() {
    if (packing_ == Packing::plain) return;
    if (deflateInit2(&stream_, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
      throw std::runtime_error("deflateInit2");
    }
  }
  Packing packing_;
  z_stream stream_{};
};

struct QubershipAgent::Rolled {
  std::uint32_t index = 1;
  std::uint64_t size = 0;
  std::unique_ptr<Packer> packer;
};

QubershipAgent::QubershipAgent(std::uint64_t seed, Packing packing, std::size_t roll_bytes)
    : random_(seed), packing_(packing), roll_bytes_(roll_bytes), now_ms_(kBeginMs) {
  for (int i = 0; i < 3; ++i) {
    threads_.push_back({.id = 10 + i, .last_ms = kBeginMs, .name = fmt::format("worker-{}", i)});
  }
  for (const char* known : {"call.info", "sql", "binds", "web.url"}) word(known);
  put("params", "\x01" + text("sql") + std::string("\0\0", 2) + varint(10) + text(""));
}

QubershipAgent::~QubershipAgent() = default;

void QubershipAgent::put(const std::string& stream, std::string_view bytes,
                         std::size_t roll_after) {
  Rolled& file = files_[stream];
  if (!file.packer) file.packer = std::make_unique<Packer>(packing_);
  const auto path = [&] { return fmt::format("{}/{:06}.gz", stream, file.index); };
  pieces_.emplace_back(path(), file.packer->pack(bytes, false));
  file.size += bytes.size();
  if (file.size < roll_after) return;
  if (packing_ == Packing::flushed) pieces_.emplace_back(path(), file.packer->pack({}, true));
  ++file.index;
  file.size = 0;
}

std::uint32_t QubershipAgent::word(const std::string& name) {
  const auto next = static_cast<std::uint32_t>(words_.size());
  const auto [found, added] = words_.try_emplace(name, next);
  if (!added) return found->second;
  late_words_ += text(name);
  if (any(3) != 0) end_words();
  return next;
}

void QubershipAgent::end_words() {
  if (!late_words_.empty()) put("dictionary", std::exchange(late_words_, {}));
}

std::pair<std::uint32_t, std::uint32_t> QubershipAgent::value(const std::string& stream,
                                                              const std::string& value_text) {
  const std::pair place(files_[stream].index, static_cast<std::uint32_t>(files_[stream].size));
  put(stream, text(value_text), roll_bytes_ / 2);
  return place;
}

void QubershipAgent::event(Thread& thread, int kind, const std::string& rest) {
  now_ms_ += static_cast<std::int64_t>(any(5));
  // Now and then one is noted late.
  const std::int64_t time_ms = now_ms_ - (any(40) == 0 ? 7 : 0);
  if (thread.events == 0) {
    thread.real_ms = now_ms_;
    thread.last_ms = kBeginMs;
    thread.block = i64(thread.id) + i64(thread.real_ms);
  }
  const auto delta = static_cast<std::uint32_t>(time_ms - thread.last_ms);
  thread.last_ms = time_ms;
  const auto low = static_cast<std::uint32_t>(kind) | (delta & 31) << 2;
  thread.block += static_cast<char>(delta < 32 ? low : low | 0x80);
  if (delta >= 32) thread.block += varint(delta >> 5);
  thread.block += rest;
  ++thread.events;
}

void QubershipAgent::tag(Thread& thread, const std::string& name, const std::string& of, int kind) {
  const std::uint32_t id = word(name);
  std::string rest = varint(id) + static_cast<char>(kind);
  if (kind == 1 || kind == 3) {
    const auto [file, offset] = value(kind == 1 ? "xml" : "sql", of);
    rest += varint(file) + varint(offset);
  } else {
    rest += text(of);
  }
  event(thread, 2, rest);
}

void QubershipAgent::step(Thread& thread) {
  const std::size_t what = any(8);
  if (thread.depth == 0 || (what < 3 && thread.depth < 6)) {
    const std::uint32_t method =
        word(fmt::format("void demo.C{}.m() (C.java:1) [demo.jar]", any(60)));
    if (thread.depth == 0) {
      thread.root_event = thread.events;
      thread.root_method = method;
      thread.root_here = true;
      thread.enters = 0;
    }
    event(thread, 0, varint(method));
    if (thread.depth++ == 0) thread.root_ms = thread.last_ms;
    ++thread.enters;
  } else if (what < 6) {
    if (thread.depth == 1) return end_root(thread);
    event(thread, 1, {});
    --thread.depth;
  } else if (what == 6) {
    tag(thread, "sql", fmt::format("select {} from t where id = ?", any(9)), 3);
    tag(thread, "binds", fmt::format("INT: id: {}\n", any(100)), 1);
  } else {
    tag(thread, "web.url", fmt::format("http://h/{}", any(9)), 2);
  }
}

void QubershipAgent::end_root(Thread& thread) {
  if (any(2) == 0) tag(thread, "java.thread", thread.name, any(2) == 0 ? 0 : 3);
  event(thread, 1, {});
  thread.depth = 0;
  if (any(4) == 0) return;  // not every tree is a call
  // A root in the block that is not written yet will begin where the file ends now, unless another
  // thread is faster; then the agent would not know either.
  if (thread.root_here && any(3) != 0) flush(thread);
  const bool known = !thread.root_here;
  Rolled& file = files_["calls"];
  std::string record;
  if (file.size == 0) {
    record = std::string("\xff\xfe\xfd\xfc\0\0\0\4", 8) + i64(kBeginMs);
    call_ms_ = kBeginMs;
    call_threads_.clear();
  }
  record += zigzag(thread.root_ms - call_ms_) + varint(thread.root_method) +
            varint(static_cast<std::uint32_t>(thread.last_ms - thread.root_ms)) +
            varint(thread.enters);
  call_ms_ = thread.root_ms;
  const auto named = std::ranges::find(call_threads_, thread.name);
  record += varint(static_cast<std::uint32_t>(named - call_threads_.begin()));
  if (named == call_threads_.end()) {
    record += text(thread.name);
    call_threads_.push_back(thread.name);
  }
  record += varint(1) + varint(2);
  if (known) {
    record += varint(thread.root_file) + varint(static_cast<std::uint32_t>(thread.root_block));
  } else {
    const Rolled& trace = files_["trace"];
    record += varint(trace.index) +
              varint(static_cast<std::uint32_t>(std::max<std::uint64_t>(trace.size, 8)));
  }
  record += varint(thread.root_event) + std::string("\1\0\0\0\0\0\0\0\0", 9);
  if (any(2) == 0) {
    record += varint(1) + varint(word("web.url")) + varint(1) + text("http://h/call");
  } else {
    record += varint(0);
  }
  put("calls", record, roll_bytes_ / 4);
  if (any(4) == 0) flush(thread);
}

void QubershipAgent::flush(Thread& thread) {
  if (thread.events == 0) return;
  Rolled& file = files_["trace"];
  const std::string head = file.size == 0 ? i64(kBeginMs) : "";
  if (std::exchange(thread.root_here, false)) {
    thread.root_file = file.index;
    thread.root_block = file.size + head.size();
  }
  put("trace", head + thread.block + '\3', roll_bytes_);
  thread.events = 0;
}

void QubershipAgent::run(std::size_t events) {
  for (std::size_t i = 0; i < events; ++i) {
    Thread& thread = threads_[any(threads_.size())];
    step(thread);
    if (thread.events > 5 + any(30)) flush(thread);
    if (any(30) != 0) continue;
    std::string pause;
    if (files_["suspend"].size == 0) pause = i64(pause_ms_ = kBeginMs);
    pause += varint(static_cast<std::uint32_t>(now_ms_ - pause_ms_)) + varint(3);
    pause_ms_ = now_ms_;
    put("suspend", pause);
    if (any(3) == 0) end_words();
  }
}

void QubershipAgent::write(const std::filesystem::path& folder, bool cut) {
  const auto append = [&](const std::string& file, std::string_view bytes) {
    const std::filesystem::path path = folder / file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary | std::ios::app)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  };
  const std::size_t whole = pieces_.size() - (cut && !pieces_.empty() ? 1 : 0);
  for (std::size_t i = 0; i < whole; ++i) append(pieces_[i].first, pieces_[i].second);
  pieces_.erase(pieces_.begin(), pieces_.begin() + static_cast<std::ptrdiff_t>(whole));
  if (pieces_.empty()) return;
  std::string& last = pieces_.front().second;
  const std::size_t some = any(last.size() + 1);
  append(pieces_.front().first, std::string_view(last).substr(0, some));
  last.erase(0, some);
}

}  // namespace cinderscope
