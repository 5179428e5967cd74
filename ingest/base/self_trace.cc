#include "ingest/base/self_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "ingest/base/self_trace_thread.h"

namespace cinderscope {
namespace self_trace {
namespace {

constexpr std::size_t kPageMarks = 2048;
constexpr std::uint32_t kMostPages = 512;  // a million marks, 40 MB

struct Mark {
  const char* name = nullptr;
  const char* argument = nullptr;  // of a counter: kCounter
  std::int64_t begin_ns = 0, duration_ns = 0;
  std::int64_t value = 0;  // of a counter the bits of a double
};
constexpr const char* kCounter = "counter";

struct Page {
  std::array<Mark, kPageMarks> marks;
  std::atomic<std::uint32_t> used{0};  // marks below are whole
  std::atomic<Page*> next{nullptr};
};

// What threads of one name did, one after the other.
struct Lane {
  const char* name = nullptr;
  std::uint32_t number = 0;   // among those of the name
  std::uint32_t session = 0;  // of the recording that it belongs to
  bool taken = true;          // by a running thread; under the lock
  Page first;
  Page* last = &first;  // its thread only
};

struct Recorder {
  std::mutex mutex;  // over the lanes' list
  std::vector<std::unique_ptr<Lane>> lanes;
  std::vector<std::unique_ptr<Page>> pages;
  std::atomic<std::uint32_t> session{0};
  std::atomic<std::uint32_t> page_count{0};
  std::atomic<std::uint64_t> left_out{0};
  std::atomic<std::int64_t> begin_ns{0};
};

// Never destroyed: threads may end after main.
Recorder& recorder() {
  static auto* const all = new Recorder;
  return *all;
}

thread_local const char* this_thread_name = "thread";
thread_local Lane* this_thread_lane = nullptr;

void give_back(Lane* lane) {
  if (lane == nullptr) return;
  const std::lock_guard lock(recorder().mutex);
  lane->taken = false;
}

Lane* take_lane(const char* name) {
  Recorder& all = recorder();
  const std::lock_guard lock(all.mutex);
  std::uint32_t of_name = 0;
  for (const auto& lane : all.lanes) {
    if (lane->session != all.session || std::strcmp(lane->name, name) != 0) continue;
    ++of_name;
    if (lane->taken) continue;
    lane->taken = true;
    return lane.get();
  }
  all.lanes.push_back(std::make_unique<Lane>());
  Lane* lane = all.lanes.back().get();
  lane->name = name;
  lane->number = of_name + 1;
  lane->session = all.session;
  return lane;
}

std::atomic<bool> to_lanes{false};

void add(const Mark& mark) {
  if (!to_lanes.load(std::memory_order_relaxed)) return;
  Recorder& all = recorder();
  Lane*& lane = this_thread_lane;
  if (lane == nullptr || lane->session != all.session.load(std::memory_order_relaxed)) {
    lane = take_lane(this_thread_name);
  }
  Page* page = lane->last;
  std::uint32_t used = page->used.load(std::memory_order_relaxed);
  if (used == kPageMarks) {
    if (all.page_count.fetch_add(1, std::memory_order_relaxed) >= kMostPages) {
      all.left_out.fetch_add(1, std::memory_order_relaxed);
      return;
    }
    auto next = std::make_unique<Page>();
    lane->last = next.get();
    page->next.store(next.get(), std::memory_order_release);
    page = next.get();
    used = 0;
    const std::lock_guard lock(all.mutex);
    all.pages.push_back(std::move(next));
  }
  page->marks[used] = mark;
  page->used.store(used + 1, std::memory_order_release);
}

double counter_value(const Mark& mark) {
  double value = 0;
  std::memcpy(&value, &mark.value, sizeof(value));
  return value;
}

using Sink = std::function<void(std::string_view)>;

template <class... Args>
void print(const Sink& sink, fmt::format_string<Args...> format, Args&&... args) {
  fmt::memory_buffer text;
  fmt::format_to(std::back_inserter(text), format, std::forward<Args>(args)...);
  sink({text.data(), text.size()});
}

// Literals of the program: nothing in them needs an escape.
void write_mark(const Sink& sink, const Mark& mark, std::uint32_t tid, std::int64_t origin_ns) {
  const double begin_us = static_cast<double>(mark.begin_ns - origin_ns) / 1000;
  if (mark.argument == kCounter) {
    print(sink,
          ",\n{{\"ph\":\"C\",\"pid\":1,\"ts\":{:.3f},\"name\":\"{}\",\"args\":{{\"{}\":{}}}}}",
          begin_us, mark.name, mark.name, counter_value(mark));
    return;
  }
  print(sink, ",\n{{\"ph\":\"X\",\"pid\":1,\"tid\":{},\"ts\":{:.3f},\"dur\":{:.3f},\"name\":\"{}\"",
        tid, begin_us, static_cast<double>(mark.duration_ns) / 1000, mark.name);
  if (mark.argument != nullptr) {
    print(sink, ",\"args\":{{\"{}\":{}}}", mark.argument, mark.value);
  }
  print(sink, "}}");
}

template <class Visit>
void for_marks(const Lane& lane, Visit visit) {
  for (const Page* page = &lane.first; page != nullptr;
       page = page->next.load(std::memory_order_acquire)) {
    const std::uint32_t used = page->used.load(std::memory_order_acquire);
    for (std::uint32_t i = 0; i < used; ++i) visit(page->marks[i]);
  }
}

void write_lane(const Sink& sink, const Lane& lane, std::uint32_t tid, std::int64_t origin_ns) {
  const std::string name =
      lane.number == 1 ? lane.name : fmt::format("{} {}", lane.name, lane.number);
  print(sink,
        ",\n{{\"ph\":\"M\",\"pid\":1,\"tid\":{0},\"name\":\"thread_name\",\"args\":"
        "{{\"name\":\"{1}\"}}}},\n{{\"ph\":\"M\",\"pid\":1,\"tid\":{0},\"name\":"
        "\"thread_sort_index\",\"args\":{{\"sort_index\":{0}}}}}",
        tid, name);
  for_marks(lane, [&](const Mark& mark) { write_mark(sink, mark, tid, origin_ns); });
}

constexpr std::string_view kHead =
    "[\n{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":\"cinderscope\"}}";

}  // namespace

std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void mark(const char* name, std::int64_t begin_ns, const char* argument, std::int64_t value) {
  add({name, argument, begin_ns, now_ns() - begin_ns, value});
}

void start() {
  Recorder& all = recorder();
  {
    const std::lock_guard lock(all.mutex);
    ++all.session;
  }
  all.left_out = 0;
  all.page_count = 0;
  all.begin_ns = now_ns();
  to_lanes = true;
  recording = true;
}

void stop() {
  to_lanes = false;
  recording = taker.load() != nullptr;
}

void set_taker(const Taker* takes) {
  taker = takes;
  recording = takes != nullptr || to_lanes;
}

const char* thread_name() {
  return this_thread_name;
}

std::string unfinished_json() {
  return fmt::format(
      "{},\n{{\"ph\":\"i\",\"s\":\"g\",\"pid\":1,\"tid\":1,\"ts\":0,\"name\":\"the program "
      "has not ended; its trace is written when it ends\"}}\n]\n",
      kHead);
}

void write_json(const std::function<void(std::string_view)>& write) {
  Recorder& all = recorder();
  write(kHead);
  const std::lock_guard lock(all.mutex);
  std::uint32_t tid = 0;
  for (const auto& lane : all.lanes) {
    if (lane->session == all.session) write_lane(write, *lane, ++tid, all.begin_ns);
  }
  if (all.left_out != 0) {
    print(write,
          ",\n{{\"ph\":\"i\",\"s\":\"g\",\"pid\":1,\"tid\":1,\"ts\":{:.3f},\"name\":\"the "
          "recorder was full: {} marks were left out\"}}",
          static_cast<double>(now_ns() - all.begin_ns) / 1000, all.left_out.load());
  }
  write("\n]\n");
}

void count(const char* name, double value) {
  if (const Taker* takes = taker.load(std::memory_order_acquire)) takes->count(name, value);
  Mark counted{name, kCounter, now_ns(), 0, 0};
  std::memcpy(&counted.value, &value, sizeof(value));
  add(counted);
}

}  // namespace self_trace

void self_trace_thread(const char* name) {
  self_trace::this_thread_name = name;
}

SelfTraceThread::SelfTraceThread(const char* name)
    : before_(std::exchange(self_trace::this_thread_name, name)) {}

SelfTraceThread::~SelfTraceThread() {
  self_trace::give_back(std::exchange(self_trace::this_thread_lane, nullptr));
  self_trace::this_thread_name = before_;
}

StageRecorder::StageRecorder()
    : began_(!self_trace::to_lanes.load()), begin_ns_(self_trace::now_ns()) {
  if (began_) self_trace::start();
}

StageRecorder::~StageRecorder() {
  if (began_) self_trace::stop();
}

std::vector<StageTime> StageRecorder::stages() const {
  using namespace self_trace;
  Recorder& all = recorder();
  const std::lock_guard lock(all.mutex);
  std::map<std::string_view, StageTime> by_name;
  for (const auto& lane : all.lanes) {
    if (lane->session != all.session) continue;
    for_marks(*lane, [&](const Mark& mark) {
      if (mark.argument == kCounter || mark.begin_ns < begin_ns_) return;
      StageTime& stage = by_name[mark.name];
      stage.name = mark.name;
      ++stage.count;
      stage.seconds += static_cast<double>(mark.duration_ns) / 1e9;
    });
  }
  std::vector<StageTime> stages;
  for (const auto& [name, stage] : by_name) stages.push_back(stage);
  std::sort(stages.begin(), stages.end(),
            [](const StageTime& a, const StageTime& b) { return a.seconds > b.seconds; });
  return stages;
}

}  // namespace cinderscope
