#include "ingest/build/profile/weight_layout.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "ingest/base/decimal_time.h"
#include "ingest/base/fields.h"
#include "ingest/base/saturating.h"
#include "ingest/model/measure/negative_weight.h"

namespace cinderscope {
namespace {

// The callees of each call that have a size, in the order that they are laid out. Most calls have
// one, which stands where others have the number of their list: then nothing else is looked at.
class CalleeLists {
 public:
  CalleeLists(const CallTree& tree, const CallWeights& weights)
      : below_(tree.parent.size(), kNoCall) {
    // Who has several, and how many; then these in their order.
    each_callee(tree, weights, [this](std::uint32_t caller, std::uint32_t callee) {
      std::uint32_t& below = below_of(caller);
      if (below == kNoCall) {
        below = callee;
      } else if ((below & kIsList) != 0) {
        ++lists_[below & ~kIsList].count;
      } else {
        below = kIsList | static_cast<std::uint32_t>(lists_.size());
        lists_.push_back({.count = 2});
      }
    });
    std::uint64_t all = 0;
    for (List& list : lists_) {
      list.first = all;
      all += std::exchange(list.count, 0);
    }
    callees_.resize(all);
    if (lists_.empty()) return;
    each_callee(tree, weights, [this](std::uint32_t caller, std::uint32_t callee) {
      const std::uint32_t below = below_of(caller);
      if ((below & kIsList) == 0) return;
      List& list = lists_[below & ~kIsList];
      callees_[list.first + list.count++] = callee;
    });
  }

  template <class Before>
  void sort(Before before) {
    for (const List& list : lists_) {
      std::uint32_t* first = callees_.data() + list.first;
      std::sort(first, first + list.count, before);
    }
  }

  // kNoCall: the outermost calls. Stays where it is.
  std::span<const std::uint32_t> of(std::uint32_t caller) const {
    const std::uint32_t& below = caller == kNoCall ? outermost_ : below_[caller];
    if (below == kNoCall) return {};
    if ((below & kIsList) == 0) return {&below, 1};
    const List& list = lists_[below & ~kIsList];
    return {callees_.data() + list.first, list.count};
  }
  void prefetch([[maybe_unused]] std::uint32_t call) const {
#if defined(__GNUC__)
    __builtin_prefetch(&below_[call]);
#endif
  }

 private:
  static constexpr std::uint32_t kIsList = 0x80000000;  // calls have smaller numbers
  struct List {
    std::uint64_t first = 0;
    std::uint32_t count = 0;
  };

  static constexpr std::uint32_t kAhead = 32;

  template <class Take>
  void each_callee(const CallTree& tree, const CallWeights& weights, Take take) {
    const auto calls = static_cast<std::uint32_t>(tree.parent.size());
    for (std::uint32_t i = 0; i < calls; ++i) {
      // Callers lie anywhere.
      if (i + kAhead < calls && tree.parent[i + kAhead] != kNoCall) {
        prefetch(tree.parent[i + kAhead]);
      }
      if (weights.size(i) > 0) take(tree.parent[i], i);
    }
  }
  std::uint32_t& below_of(std::uint32_t caller) {
    return caller == kNoCall ? outermost_ : below_[caller];
  }

  LargePageVector<std::uint32_t> below_;  // by call: kNoCall, the one, or a list's number
  std::uint32_t outermost_ = kNoCall;
  std::vector<List> lists_;
  LargePageVector<std::uint32_t> callees_;
};

CalleeLists callees_by_weight(const CallTree& tree, const CallWeights& weights,
                              const StringPool& names) {
  CalleeLists lists(tree, weights);
  lists.sort([&](std::uint32_t a, std::uint32_t b) {
    if (weights.size(a) != weights.size(b)) return weights.size(a) > weights.size(b);
    const int order = names.text(tree.name[a]).compare(names.text(tree.name[b]));
    return order != 0 ? order < 0 : a < b;
  });
  return lists;
}

void prefetch(const CallTree& tree, const CallWeights& weights, const CalleeLists& lists,
              std::uint32_t call) {
#if defined(__GNUC__)
  __builtin_prefetch(&tree.name[call]);
  weights.prefetch(call);
#endif
  lists.prefetch(call);
}

}  // namespace

void CallWeights::save(FieldWriter& out) const {
  out.add_values(size_);
  out.add_values(sum_);
  out.add(negative_count_);
}

void CallWeights::restore(FieldReader& in) {
  size_ = in.take_values<std::int64_t, LargePages<std::int64_t>>();
  sum_ = in.take_values<std::int64_t, LargePages<std::int64_t>>();
  negative_count_ = in.take<std::uint64_t>();
  if (!sum_.empty() && sum_.size() != size_.size()) in.fail();
}

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

void CallWeights::expect(std::size_t calls) {
  size_.reserve(calls);
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
    std::span<const std::uint32_t> next;  // callees that are still to come
    std::int64_t at, end;                 // where the next one begins; where this one ends
    std::uint8_t flags = 0;
  };
  bool clamped = false;
  const auto within = [&](std::int64_t position) {
    clamped = clamped || position > kMaxTimeNs;
    return std::min(position, kMaxTimeNs);
  };
  std::vector<Open> open = {{lists.of(kNoCall), 0, 0}};
  std::int64_t last_end = 0;
  while (!open.empty()) {
    Open& caller = open.back();
    if (caller.next.empty()) {
      if (open.size() > 1) out.end(caller.end, kNoName, kNoRecord, kNoRecord, caller.flags);
      open.pop_back();
      continue;
    }
    const std::uint32_t call = caller.next.front();
    caller.next = caller.next.subspan(1);
    // The next one comes once all that this one calls is done; it may lie anywhere.
    if (!caller.next.empty()) prefetch(tree, weights, lists, caller.next.front());
    const std::int64_t begin = caller.at;
    const std::int64_t end = within(saturating_sum(begin, weights.size(call)));
    caller.at = end;
    last_end = std::max(last_end, end);
    out.begin(begin, tree.name[call], tree.record_of(call));
    const std::uint8_t flags = weights.sum(call) < 0 ? kNegative : std::uint8_t{0};
    open.push_back({lists.of(call), begin, end, flags});
  }
  if (clamped) diagnostics.count(diagnostic::kClampedTime);
  return last_end;
}

}  // namespace cinderscope
