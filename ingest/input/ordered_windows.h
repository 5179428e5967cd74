// Windows of an input that are made in parallel but used in order.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "ingest/base/self_trace.h"
#include "ingest/base/self_trace_thread.h"

namespace cinderscope {

// Where more threads than there are cores take turns, one that waits for its turn holds up the
// window that is due; the others go on meanwhile.
constexpr std::size_t most_windows(unsigned jobs) {
  return std::size_t{jobs} + 6;
}

// `next()` gives the plan of the next window, or nothing at the end; one call at a time, from any
// thread. `make(worker, plan)` turns a plan into a window on one of `jobs` threads; each worker
// index is used by one thread at a time. `use(plan, made)` gets the windows in the order of the
// plans, on the calling thread, and returns false to stop early. At most most_windows(jobs) are
// kept at a time. With one job everything runs on the calling thread. With more `idle()` is called
// there each time that no window has come for a while, as where an input stays silent. The first
// exception is thrown again here.
template <class Plan, class Made, class Next, class Make, class Use, class Idle>
void for_windows_in_order(unsigned jobs, Next next, Make make, Use use, Idle idle) {
  constexpr std::chrono::milliseconds kAWhile{100};
  const auto run_alone = [&] {
    while (std::optional<Plan> plan = next()) {
      Made made = make(0u, *plan);
      if (!use(*plan, std::move(made))) return;
    }
  };
  if (jobs <= 1) return run_alone();

  struct Slot {
    std::optional<Plan> plan;
    std::optional<Made> made;
  };
  std::mutex planning;  // held over next(); taken before `mutex`
  std::mutex mutex;
  std::condition_variable made_one, room;
  std::deque<Slot> slots;  // of windows not used yet; references stay good
  bool planned_all = false, stop = false;
  std::exception_ptr failure;

  const auto fail = [&] {
    const std::lock_guard lock(mutex);
    if (!failure) failure = std::current_exception();
    stop = true;
    made_one.notify_all();
    room.notify_all();
  };
  const auto work = [&](unsigned worker) {
    const SelfTraceThread named("worker");
    try {
      while (true) {
        Slot* slot = nullptr;
        {
          const std::lock_guard turn(planning);
          {
            std::unique_lock lock(mutex);
            room.wait(lock,
                      [&] { return stop || planned_all || slots.size() < most_windows(jobs); });
            if (stop || planned_all) return;
          }
          std::optional<Plan> plan = next();
          const std::lock_guard lock(mutex);
          if (!plan) {
            planned_all = true;
            made_one.notify_all();
            room.notify_all();
            return;
          }
          slots.push_back({std::move(plan), std::nullopt});
          slot = &slots.back();
        }
        Made made = make(worker, *slot->plan);
        const std::lock_guard lock(mutex);
        slot->made = std::move(made);
        made_one.notify_all();
      }
    } catch (...) {
      fail();
    }
  };

  std::vector<std::jthread> workers;
  try {
    try {
      for (unsigned i = 0; i < jobs; ++i) workers.emplace_back(work, i);
    } catch (const std::system_error&) {
      if (workers.empty()) return run_alone();  // else there are fewer
    }
    while (true) {
      Slot slot;
      {
        std::unique_lock lock(mutex);
        const auto is_due = [&] {
          return stop || (slots.empty() ? planned_all : slots.front().made.has_value());
        };
        while (!made_one.wait_for(lock, kAWhile, is_due)) {
          lock.unlock();
          idle();
          lock.lock();
        }
        if (stop || slots.empty()) break;
        slot = std::move(slots.front());
        slots.pop_front();
        room.notify_all();
      }
      if (use(*slot.plan, std::move(*slot.made))) continue;
      const std::lock_guard lock(mutex);
      stop = true;
      room.notify_all();
      break;
    }
  } catch (...) {
    fail();
  }
  workers.clear();  // joins
  if (failure) std::rethrow_exception(failure);
}

}  // namespace cinderscope
