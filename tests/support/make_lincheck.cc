#include "tests/support/make_lincheck.h"

#include <string>
#include <string_view>
#include <vector>

#include "tests/support/java_bytes.h"

namespace cinderscope {
namespace {

constexpr std::uint64_t kMagic = 0x706E547124EE5F70;
constexpr std::uint64_t kVersion = 22;
enum : std::uint8_t {
  kThreadName = 0,
  kClass = 1,
  kMethod = 2,
  kVariable = 4,
  kString = 5,
  kLocation = 7,
  kPoint = 8,
  kFooter = 9,
  kBlockStart = 10,
  kBlockEnd = 11,
  kEof = 12
};
constexpr std::uint8_t kCall = 0, kVariableWrite = 5, kTypeInt = 6;

// One thread: its block being filled, and the calls that are open.
struct Thread {
  struct Open {
    std::int64_t event;
    std::uint64_t start;
  };
  struct Cell {
    std::uint8_t kind;
    std::int64_t id;
    std::uint64_t start, end;
  };
  std::int32_t id = 0;
  std::uint64_t calls_left = 0, written = 0;  // bytes of the stream before this block
  std::uint64_t random = 0;
  JavaBytes block;
  std::vector<Cell> cells;
  std::vector<Open> open;
};

class Maker {
 public:
  Maker(const LincheckShape& shape, const ByteSink& data, const ByteSink& index)
      : shape_(shape), data_(data), index_(index) {}

  void run() {
    JavaBytes header;
    header.i64(kMagic);
    header.i64(kVersion);
    data_(header.all());
    header.clear();
    header.i64(~kMagic);
    header.i64(kVersion);
    index_(header.all());

    std::vector<Thread> threads(shape_.threads);
    for (std::uint32_t i = 0; i < shape_.threads; ++i) {
      threads[i].id = static_cast<std::int32_t>(i);
      threads[i].calls_left = shape_.calls / shape_.threads;
      threads[i].random = shape_.seed + shape_.seed_step * i;
    }
    if (threads.empty()) return;
    describe(threads.front());
    bool any = true;
    while (any) {
      any = false;
      for (Thread& thread : threads) {
        if (thread.calls_left == 0 && thread.open.empty()) continue;
        any = true;
        fill(thread);
        flush(thread);
      }
    }
    for (Thread& thread : threads) {
      reference(thread, kThreadName, thread.id);
      thread.block.utf("worker-" + std::to_string(thread.id));
      flush(thread);
    }
    JavaBytes end;
    end.u8(kEof);
    data_(end.all());
    end.clear();
    add_cell(end, {kEof, -1, UINT64_MAX, UINT64_MAX});
    end.i64(~kMagic);
    index_(end.all());
  }

 private:
  static std::uint32_t next(Thread& thread) {
    thread.random = thread.random * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>(thread.random >> 33);
  }
  static void add_cell(JavaBytes& to, const Thread::Cell& cell) {
    to.u8(cell.kind);
    to.i32(cell.id);
    to.i64(cell.start);
    to.i64(cell.end);
  }

  // Physical places are known when the block is written: until then relative to the payload.
  void reference(Thread& thread, std::uint8_t kind, std::int32_t id) {
    thread.cells.push_back({kind, id, thread.block.size(), 0});
    thread.block.u8(kind);
    if (kind == kLocation) thread.block.u8(2);
    thread.block.i32(id);
  }

  void describe(Thread& thread) {
    constexpr std::uint32_t kMethodsOfClass = 10;
    for (std::uint32_t i = 0; i < shape_.methods; ++i) {
      const auto class_id = static_cast<std::int32_t>(i / kMethodsOfClass);
      if (i % kMethodsOfClass == 0) {
        reference(thread, kClass, class_id);
        thread.block.utf("made.Service" + std::to_string(class_id));
      }
      reference(thread, kMethod, static_cast<std::int32_t>(i));
      thread.block.i32(class_id);
      thread.block.utf("method" + std::to_string(i));
      thread.block.u8(kTypeInt);
      thread.block.i32(1);
      thread.block.u8(kTypeInt);
    }
    reference(thread, kVariable, 0);
    thread.block.utf("x");
    thread.block.u8(kTypeInt);
    reference(thread, kString, 0);
    thread.block.utf("Service.java");
    reference(thread, kLocation, 0);
    for (int i = 0; i < 3; ++i) thread.block.i32(0);
    thread.block.i32(17);
    thread.block.i32(-1);
    thread.block.i32(0);
    thread.block.i32(0);
  }

  void head(Thread& thread, std::uint8_t point) {
    thread.block.u8(kPoint);
    thread.block.u8(point);
    thread.block.i32(0);
    thread.block.i32(thread.id);
    thread.block.i32(event_);
    thread.block.u8(0xff);
  }

  void begin(Thread& thread) {
    head(thread, kCall);
    thread.block.u8(0);
    thread.block.i32(next(thread) % shape_.methods);
    thread.block.i32(0);  // an object of class 0
    thread.block.i32(4711);
    thread.block.i32(0);
    thread.block.i32(1);
    thread.block.integer(event_);
    thread.block.u16(0);
    thread.open.push_back({event_++, thread.written + thread.block.size()});
    --thread.calls_left;
  }

  void end(Thread& thread) {
    const Thread::Open closed = thread.open.back();
    thread.open.pop_back();
    thread.cells.push_back(
        {kPoint, closed.event, closed.start, thread.written + thread.block.size()});
    thread.block.u8(kFooter);
    thread.block.integer(closed.event);
    thread.block.u16(0);
  }

  void leaf(Thread& thread) {
    head(thread, kVariableWrite);
    thread.block.i32(0);
    thread.block.integer(event_++);
  }

  // A walk up and down between the root, which lasts, and the deepest level.
  void fill(Thread& thread) {
    constexpr std::uint64_t kRoom = 128;  // for the longest object
    while (thread.block.size() + kRoom < shape_.block_bytes) {
      if (thread.calls_left == 0) {
        if (thread.open.empty()) return;
        end(thread);
        continue;
      }
      const std::uint32_t dice = next(thread) % 16;
      if (thread.open.empty()) {
        begin(thread);
      } else if (dice < shape_.leaves_per_8_calls) {
        leaf(thread);
      } else if (thread.open.size() >= shape_.max_depth ||
                 (dice % 2 == 0 && thread.open.size() > 1)) {
        end(thread);
      } else {
        begin(thread);
      }
    }
  }

  void flush(Thread& thread) {
    JavaBytes out;
    out.u8(kBlockStart);
    out.i32(thread.id);
    data_(out.all());
    data_(thread.block.all());
    const std::uint64_t payload = at_ + out.size();
    const std::uint64_t end_at = payload + thread.block.size();
    out.clear();
    out.u8(kBlockEnd);
    data_(out.all());

    JavaBytes cells;
    add_cell(cells, {kBlockStart, thread.id, at_, end_at});
    for (Thread::Cell cell : thread.cells) {
      if (cell.kind != kPoint) {
        cell.start += payload;
        cell.end = payload - thread.written - 1;
      }
      add_cell(cells, cell);
    }
    index_(cells.all());
    thread.written += thread.block.size();
    thread.block.clear();
    thread.cells.clear();
    at_ = end_at + 1;
  }

  const LincheckShape& shape_;
  const ByteSink& data_;
  const ByteSink& index_;
  std::int64_t event_ = 0;
  std::uint64_t at_ = 16;
};

}  // namespace

void make_lincheck(const LincheckShape& shape, const ByteSink& data, const ByteSink& index) {
  Maker(shape, data, index).run();
}

}  // namespace cinderscope
