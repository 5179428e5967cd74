// Records what the program itself does, as a trace that it can open: --self-trace FILE.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace cinderscope {

// Names and argument names are string literals: only their addresses are kept. Each thread writes
// into a lane of its own without a lock; when it ends, the next thread of the same name goes on in
// that lane. About a million marks are kept, the first ones; the trace says how many came after.
namespace self_trace {

inline std::atomic<bool> recording{false};

// Takes marks as they begin and end, beside the lanes or in place of them.
struct Taker {
  void (*begin)(const char* name);
  void (*end)(const char* argument, std::int64_t value);  // of the innermost; null: no argument
  void (*count)(const char* name, double value);
};
inline std::atomic<const Taker*> taker{nullptr};
void set_taker(const Taker* takes);  // null: none any more. It must live on
const char* thread_name();           // of the calling thread

std::int64_t now_ns();
void mark(const char* name, std::int64_t begin_ns, const char* argument, std::int64_t value);
void count(const char* name, double value);

// For SelfTraceFile: a recording begins anew, ends, and is written as JSON piece by piece, marks of
// threads that still run as far as they are done.
void start();
void stop();
void write_json(const std::function<void(std::string_view)>& write);
std::string unfinished_json();  // what says that the program still runs

}  // namespace self_trace

// A call on this thread's lane, from here to the end of the block. Costs one relaxed load while
// nothing is recorded.
class SelfTraceMark {
 public:
  explicit SelfTraceMark(const char* name, const char* argument = nullptr, std::int64_t value = 0)
      : name_(self_trace::recording.load(std::memory_order_relaxed) ? name : nullptr) {
    if (name_ == nullptr) return;
    argument_ = argument;
    value_ = value;
    begin_ns_ = self_trace::now_ns();
    taker_ = self_trace::taker.load(std::memory_order_acquire);
    if (taker_ != nullptr) taker_->begin(name);
  }
  ~SelfTraceMark() {
    if (name_ == nullptr) return;
    if (taker_ != nullptr) taker_->end(argument_, value_);
    self_trace::mark(name_, begin_ns_, argument_, value_);
  }
  SelfTraceMark(const SelfTraceMark&) = delete;
  SelfTraceMark& operator=(const SelfTraceMark&) = delete;

  // What is known only at the end, e.g. how many slices there were.
  void set(const char* argument, std::int64_t value) {
    argument_ = argument;
    value_ = value;
  }

 private:
  const char* name_;
  const char* argument_ = nullptr;
  const self_trace::Taker* taker_ = nullptr;
  std::int64_t value_ = 0, begin_ns_ = 0;
};

// A value of a counter from now on.
inline void self_trace_count(const char* name, double value) {
  if (self_trace::recording.load(std::memory_order_relaxed)) self_trace::count(name, value);
}

// What the calling thread is called, before its first mark. Any time, also while nothing is
// recorded; costs a store.
void self_trace_thread(const char* name);

// All marks of one name since some moment: how many, and their wall clock added up over threads. A
// mark within another counts in both.
struct StageTime {
  std::string_view name;  // a literal
  std::uint64_t count = 0;
  double seconds = 0;
};

// Records without a file while it lives; where a SelfTraceFile records, it leaves that alone. One
// at a time. The marks stay in memory until the program ends.
class StageRecorder {
 public:
  StageRecorder();
  ~StageRecorder();
  StageRecorder(const StageRecorder&) = delete;
  StageRecorder& operator=(const StageRecorder&) = delete;

  // What ended since it was made, longest first.
  std::vector<StageTime> stages() const;

 private:
  bool began_;  // the recording is its own
  std::int64_t begin_ns_;
};

}  // namespace cinderscope
