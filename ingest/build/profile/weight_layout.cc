#include "ingest/build/profile/weight_layout.h"

#include <algorithm>

#include "ingest/base/decimal_time.h"
#include "ingest/base/saturating.h"
#include "ingest/model/measure/negative_weight.h"

namespace cinderscope {
namespace {

// The callees of each call that has a size, in the order that they are laid out; [calls] has the
// outermost ones.
struct CalleeLists {
  LargePageVector<std::uint32_t> first, callees;  // those of `i` lie in [first[i], first[i + 1])
};

CalleeLists callees_by_weight(const CallTree& tree, const CallWeights& weights,
                              const StringPool& names) {
  const auto calls = static_cast<std::uint32_t>(tree.parent.size());
  const auto list_of = [&](std::uint32_t call) {
    return tree.parent[call] == kNoCall ? calls : tree.parent[call];
  };
  CalleeLists lists{.first = LargePageVector<std::uint32_t>(std::size_t{calls} + 2, 0)};
  for (std::uint32_t i = 0; i < calls; ++i) {
    if (weights.size(i) > 0) ++lists.first[list_of(i) + 1];
  }
  for (std::size_t i = 1; i < lists.first.size(); ++i) lists.first[i] += lists.first[i - 1];
  lists.callees.resize(lists.first.back());
  LargePageVector<std::uint32_t> next(lists.first.begin(), lists.first.end() - 1);
  for (std::uint32_t i = 0; i < calls; ++i) {
    if (weights.size(i) > 0) lists.callees[next[list_of(i)]++] = i;
  }
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    if (weights.size(a) != weights.size(b)) return weights.size(a) > weights.size(b);
    const int order = names.text(tree.name[a]).compare(names.text(tree.name[b]));
    return order != 0 ? order < 0 : a < b;
  };
  for (std::uint32_t i = 0; i <= calls; ++i) {
    if (lists.first[i + 1] - lists.first[i] < 2) continue;
    std::sort(lists.callees.begin() + lists.first[i], lists.callees.begin() + lists.first[i + 1],
              before);
  }
  return lists;
}

void prefetch(const CallTree& tree, const CallWeights& weights, const CalleeLists& lists,
              std::uint32_t call) {
#if defined(__GNUC__)
  __builtin_prefetch(&tree.name[call]);
  __builtin_prefetch(&lists.first[call]);
  weights.prefetch(call);
#endif
}

}  // namespace

void CallWeights::add(std::uint32_t call, std::int64_t weight) {
  if (weight < 0) {
    ++negative_count_;
    if (sum_.empty()) sum_ = size_;
  }
  if (call >= calls()) size_.resize(call + 1, 0);
  if (negative_count_ > 0) {
    if (sum_.size() < size_.size()) sum_.resize(size_.size(), 0);
    sum_[call] = saturating_sum(sum_[call], weight);
  }
  size_[call] = saturating_sum(size_[call], weight < 0 ? saturating_difference(0, weight) : weight);
}

void CallWeights::sum_up(const CallTree& tree) {
  size_.resize(tree.parent.size(), 0);
  if (negative_count_ > 0) sum_.resize(tree.parent.size(), 0);
  for (std::size_t i = size_.size(); i-- > 0;) {
    const std::uint32_t caller = tree.parent[i];
    if (caller == kNoCall) continue;
    size_[caller] = saturating_sum(size_[caller], size_[i]);
    if (negative_count_ > 0) sum_[caller] = saturating_sum(sum_[caller], sum_[i]);
  }
}

std::int64_t lay_out_weights(const CallTree& tree, const CallWeights& weights,
                             const StringPool& names, TrackWriter& out, Diagnostics& diagnostics) {
  const CalleeLists lists = callees_by_weight(tree, weights, names);
  struct Open {
    std::uint32_t next, last;  // callees that are still to come
    std::int64_t at, end;      // where the next one begins; where this one ends
    std::uint8_t flags = 0;
  };
  const auto calls = static_cast<std::uint32_t>(tree.parent.size());
  bool clamped = false;
  const auto within = [&](std::int64_t position) {
    clamped = clamped || position > kMaxTimeNs;
    return std::min(position, kMaxTimeNs);
  };
  std::vector<Open> open = {{lists.first[calls], lists.first[calls + 1], 0, 0}};
  std::int64_t last_end = 0;
  while (!open.empty()) {
    Open& caller = open.back();
    if (caller.next == caller.last) {
      if (open.size() > 1) out.end(caller.end, kNoName, kNoRecord, kNoRecord, caller.flags);
      open.pop_back();
      continue;
    }
    const std::uint32_t call = lists.callees[caller.next++];
    // The next one comes once all that this one calls is done; it may lie anywhere.
    if (caller.next != caller.last) prefetch(tree, weights, lists, lists.callees[caller.next]);
    const std::int64_t begin = caller.at;
    const std::int64_t end = within(saturating_sum(begin, weights.size(call)));
    caller.at = end;
    last_end = std::max(last_end, end);
    out.begin(begin, tree.name[call], tree.record_of(call));
    const std::uint8_t flags = weights.sum(call) < 0 ? kNegative : std::uint8_t{0};
    open.push_back({lists.first[call], lists.first[call + 1], begin, end, flags});
  }
  if (clamped) diagnostics.count(diagnostic::kClampedTime);
  return last_end;
}

}  // namespace cinderscope
