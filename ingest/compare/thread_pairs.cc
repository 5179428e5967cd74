#include "ingest/compare/thread_pairs.h"

#include <deque>
#include <string>
#include <unordered_map>
#include <utility>

namespace cinderscope {

namespace {

constexpr std::uint32_t kNone = UINT32_MAX;

// Threads are in order of their first calls.
template <class Key>
void pair_by(std::span<const RunThread> a, std::span<const RunThread> b, const Key& key,
             std::vector<std::uint32_t>& of_a, std::vector<bool>& taken) {
  std::unordered_map<std::string, std::deque<std::uint32_t>> waiting;
  for (std::uint32_t i = 0; i < b.size(); ++i) {
    if (!taken[i]) waiting[key(b[i])].push_back(i);
  }
  for (std::uint32_t i = 0; i < a.size(); ++i) {
    if (of_a[i] != kNone) continue;
    const auto found = waiting.find(key(a[i]));
    if (found == waiting.end() || found->second.empty()) continue;
    of_a[i] = found->second.front();
    taken[of_a[i]] = true;
    found->second.pop_front();
  }
}

}  // namespace

std::vector<ThreadPair> pair_threads(std::span<const RunThread> a, std::span<const RunThread> b,
                                     std::span<const ThreadPair> given) {
  std::vector<std::uint32_t> of_a(a.size(), kNone);
  std::vector<bool> taken(b.size());
  for (const ThreadPair& pair : given) {
    const bool fits = pair.a && pair.b && *pair.a < a.size() && *pair.b < b.size();
    if (!fits || of_a[*pair.a] != kNone || taken[*pair.b]) continue;
    of_a[*pair.a] = *pair.b;
    taken[*pair.b] = true;
  }
  pair_by(
      a, b, [](const RunThread& of) { return of.process + '\0' + of.name; }, of_a, taken);
  pair_by(
      a, b, [](const RunThread& of) { return of.name; }, of_a, taken);
  std::vector<ThreadPair> out;
  for (std::uint32_t i = 0; i < a.size(); ++i) {
    ThreadPair& pair = out.emplace_back();
    pair.a = i;
    if (of_a[i] != kNone) pair.b = of_a[i];
  }
  for (std::uint32_t i = 0; i < b.size(); ++i) {
    if (!taken[i]) out.push_back({std::nullopt, i});
  }
  return out;
}

}  // namespace cinderscope
