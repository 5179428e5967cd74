#include "formats/perfetto/tracks/owners.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace cinderscope::perfetto {
namespace {

constexpr std::int64_t kNoPid = INT64_MIN;

std::string number_on_machine(std::uint64_t machine, std::int64_t number) {
  return machine == 0 ? fmt::format("{}", number) : fmt::format("{}:{}", machine, number);
}

// Of entries in the order of their places the last one at or before `place`, else the first.
template <class Entries>
std::uint32_t last_before(const std::vector<std::uint32_t>& which, const Entries& entries,
                          std::uint64_t place) {
  const auto after = std::partition_point(
      which.begin(), which.end(), [&](std::uint32_t i) { return entries[i].place <= place; });
  return after == which.begin() ? which.front() : *(after - 1);
}

}  // namespace

void BestName::offer(int new_rank, std::uint64_t at, std::string_view name) {
  if (name.empty() || new_rank < rank || (new_rank == rank && at < place)) return;
  rank = new_rank;
  place = at;
  text = name;
}

std::uint32_t Owners::add_process(ProcessEntry entry, std::uint64_t place) {
  entry.place = place;
  processes_.push_back(std::move(entry));
  return static_cast<std::uint32_t>(processes_.size() - 1);
}

std::uint32_t Owners::add_thread(ThreadEntry entry, std::uint64_t place) {
  entry.place = place;
  threads_.push_back(std::move(entry));
  return static_cast<std::uint32_t>(threads_.size() - 1);
}

std::uint32_t Owners::describe_process(std::uint64_t machine, std::int64_t pid,
                                       std::uint64_t place) {
  const std::lock_guard lock(mutex_);
  std::vector<std::uint32_t>& known = by_pid_[{machine, pid}];
  if (known.empty() || processes_[known.back()].described) {
    known.push_back(add_process({.machine = machine, .pid = pid}, place));
  }
  processes_[known.back()].described = true;
  return known.back();
}

std::uint32_t Owners::describe_thread(std::uint32_t process, std::int64_t tid,
                                      std::uint64_t place) {
  const std::lock_guard lock(mutex_);
  const ProcessEntry& of = processes_[process];
  std::vector<std::uint32_t>& known = by_tid_[{of.machine, of.pid, tid}];
  if (known.empty() || threads_[known.back()].described) {
    known.push_back(add_thread({.process = process, .tid = tid}, place));
  }
  ThreadEntry& entry = threads_[known.back()];
  entry.described = true;
  entry.process = process;
  pid_of_tid_.try_emplace({of.machine, tid}, of.pid);
  return known.back();
}

void Owners::put_thread(std::int64_t tid, std::int64_t pid, std::uint64_t machine) {
  const std::lock_guard lock(mutex_);
  pid_of_tid_[{machine, tid}] = pid;
}

std::uint32_t Owners::process_of(std::uint64_t machine, std::int64_t pid, std::uint64_t place) {
  std::vector<std::uint32_t>& known = by_pid_[{machine, pid}];
  if (known.empty()) known.push_back(add_process({.machine = machine, .pid = pid}, place));
  if (known.size() == 1) {
    processes_[known.front()].place = std::min(processes_[known.front()].place, place);
  }
  return last_before(known, processes_, place);
}

std::uint32_t Owners::process_at(std::uint64_t machine, std::int64_t pid, std::uint64_t place) {
  const std::lock_guard lock(mutex_);
  return process_of(machine, pid, place);
}

std::uint32_t Owners::thread_at(std::uint64_t machine, std::int64_t pid, std::int64_t tid,
                                std::uint64_t place) {
  const std::lock_guard lock(mutex_);
  std::vector<std::uint32_t>& known = by_tid_[{machine, pid, tid}];
  if (known.empty()) {
    const std::uint32_t process = process_of(machine, pid, place);
    known.push_back(add_thread({.process = process, .tid = tid}, place));
    pid_of_tid_.try_emplace({machine, tid}, pid);
  }
  if (known.size() == 1) {
    threads_[known.front()].place = std::min(threads_[known.front()].place, place);
  }
  return last_before(known, threads_, place);
}

std::uint32_t Owners::thread_without_id(std::uint32_t process, std::uint64_t place) {
  const std::lock_guard lock(mutex_);
  const auto [found, fresh] = without_id_.try_emplace(process, kNone);
  if (fresh) found->second = add_thread({.process = process, .has_tid = false}, place);
  ThreadEntry& entry = threads_[found->second];
  entry.place = std::min(entry.place, place);
  return found->second;
}

bool Owners::pid_of(std::uint64_t machine, std::int64_t tid, std::int64_t& pid) {
  const std::lock_guard lock(mutex_);
  const auto found = pid_of_tid_.find({machine, tid});
  if (found == pid_of_tid_.end()) return false;
  pid = found->second;
  return true;
}

std::int64_t Owners::pid_of_thread(std::uint32_t thread) {
  const std::lock_guard lock(mutex_);
  return processes_[threads_[thread].process].pid;
}

std::uint32_t Owners::process_of_thread(std::uint32_t thread) {
  const std::lock_guard lock(mutex_);
  return threads_[thread].process;
}

void Owners::move_thread(std::uint32_t thread, std::uint32_t process) {
  const std::lock_guard lock(mutex_);
  threads_[thread].process = process;
}

std::uint32_t Owners::thread_of_unknown(std::uint64_t machine, std::int64_t tid,
                                        std::uint64_t place) {
  const std::uint32_t process = unknown_process(place);
  const std::lock_guard lock(mutex_);
  std::vector<std::uint32_t>& known = by_tid_[{machine, kNoPid, tid}];
  if (known.empty()) known.push_back(add_thread({.process = process, .tid = tid}, place));
  ThreadEntry& entry = threads_[known.front()];
  entry.place = std::min(entry.place, place);
  return known.front();
}

std::uint32_t Owners::global_process(std::uint64_t place) {
  const std::lock_guard lock(mutex_);
  if (global_ == kNone) global_ = add_process({.is_global = true}, place);
  processes_[global_].place = std::min(processes_[global_].place, place);
  return global_;
}

std::uint32_t Owners::unknown_process(std::uint64_t place) {
  const std::lock_guard lock(mutex_);
  if (unknown_ == kNone) unknown_ = add_process({.pid = -1}, place);
  processes_[unknown_].place = std::min(processes_[unknown_].place, place);
  return unknown_;
}

void Owners::name_process(std::uint32_t process, int rank, std::uint64_t place,
                          std::string_view name) {
  const std::lock_guard lock(mutex_);
  processes_[process].name.offer(rank, place, name);
}

void Owners::name_thread(std::uint32_t thread, int rank, std::uint64_t place,
                         std::string_view name) {
  const std::lock_guard lock(mutex_);
  threads_[thread].name.offer(rank, place, name);
}

void Owners::name_tid(std::uint64_t machine, std::int64_t tid, std::uint64_t place,
                      std::string_view comm) {
  const std::lock_guard lock(mutex_);
  comms_[{machine, tid}].offer(kCommName, place, comm);
}

void Owners::add_to(TimelineBuilder& out) {
  const auto by_place = [](const auto& entries, std::size_t first) {
    std::vector<std::uint32_t> order(entries.size() - first);
    std::iota(order.begin(), order.end(), static_cast<std::uint32_t>(first));
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return entries[a].place < entries[b].place;
    });
    return order;
  };
  const std::vector<std::uint32_t> processes = by_place(processes_, process_ids_.size());
  process_ids_.resize(processes_.size());
  for (const std::uint32_t i : processes) {
    const ProcessEntry& entry = processes_[i];
    process_ids_[i] =
        out.another_process(entry.is_global ? ""
                            : i == unknown_ ? "-"
                                            : number_on_machine(entry.machine, entry.pid));
  }
  const std::vector<std::uint32_t> threads = by_place(threads_, thread_ids_.size());
  thread_ids_.resize(threads_.size());
  for (const std::uint32_t i : threads) {
    const ThreadEntry& entry = threads_[i];
    thread_ids_[i] = out.another_thread(process_ids_[entry.process],
                                        entry.has_tid ? fmt::format("{}", entry.tid) : "-");
  }
}

void Owners::tell_names(TimelineBuilder& out, bool by_rank_processes, bool by_rank_threads) const {
  for (std::size_t i = 0; i < process_ids_.size(); ++i) {
    Process& facts = out.process_facts(process_ids_[i]);
    if (!processes_[i].name.text.empty()) facts.name = out.intern(processes_[i].name.text);
    if (!processes_[i].labels.empty()) facts.labels = out.intern(processes_[i].labels);
    if (by_rank_processes) facts.sort_index = processes_[i].rank;
  }
  for (std::size_t i = 0; i < thread_ids_.size(); ++i) {
    Thread& facts = out.thread_facts(thread_ids_[i]);
    const ThreadEntry& entry = threads_[i];
    const auto comm = comms_.find({processes_[entry.process].machine, entry.tid});
    if (!entry.name.text.empty()) {
      facts.name = out.intern(entry.name.text);
    } else if (comm != comms_.end() && entry.has_tid) {
      facts.name = out.intern(comm->second.text);
    }
    if (by_rank_threads) facts.sort_index = threads_[i].rank;
  }
}

}  // namespace cinderscope::perfetto
