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

constexpr std::uint32_t kAhead = 32;
constexpr std::size_t kSiblingsAhead = 4;

// What is laid out as one: a call, or a chain of them.
struct Parts {
  std::span<const std::uint32_t> caller;  // part; kNoCall: outermost
  std::span<const std::uint32_t> first;   // as CallChains has it; empty: each part is a call
  std::span<const StringId> name;         // by call

  std::uint32_t size() const { return static_cast<std::uint32_t>(caller.size()); }
  std::uint32_t begin(std::uint32_t part) const { return first.empty() ? part : first[part]; }
  std::uint32_t end(std::uint32_t part) const { return first.empty() ? part + 1 : first[part + 1]; }
};

void prefetch([[maybe_unused]] const void* at) {
#if defined(__GNUC__)
  __builtin_prefetch(at);
#endif
}

// A part that has a size, with all that is asked of it: looked up, each of these lies anywhere.
struct Callee {
  std::int64_t size = 0;
  std::uint32_t part = 0;
  std::uint32_t first_call = 0, calls = 0;
  std::uint32_t list = 0, list_size = 0;  // where its own callees lie
  StringId name = kEmptyString;           // of its first call
};

// The callees of each part, in the order that they are laid out.
class CalleeLists {
 public:
  CalleeLists(const Parts& parts, const CallWeights& weights, const StringPool& names) {
    // Where each list begins; the outermost calls' is the first.
    LargePageVector<std::uint32_t> next(std::size_t{parts.size()} + 2, 0);
    const auto list_of = [](std::uint32_t caller) { return caller + 1; };
    const auto each = [&](auto take) {
      for (std::uint32_t i = 0; i < parts.size(); ++i) {
        if (i + kAhead < parts.size()) prefetch(&next[list_of(parts.caller[i + kAhead])]);
        if (weights.size(i) > 0) take(next[list_of(parts.caller[i])], i);
      }
    };
    each([](std::uint32_t& count, std::uint32_t) { ++count; });
    std::uint32_t all = 0;
    for (std::uint32_t& count : next) all += std::exchange(count, all);
    outermost_ = next[1];
    callees_.resize(all);
    // Callees come behind their callers, so the list of the one that is put somewhere is empty yet.
    each([&](std::uint32_t& at, std::uint32_t part) {
      const std::uint32_t list = next[list_of(part)], first = parts.begin(part);
      callees_[at++] = {.size = weights.size(part),
                        .part = part,
                        .first_call = first,
                        .calls = parts.end(part) - first,
                        .list = list,
                        .list_size = next[list_of(part) + 1] - list,
                        .name = parts.name[first]};
    });
    std::uint32_t begin = 0;
    for (const std::uint32_t end : next) {
      sort(begin, end, names);
      begin = end;
    }
  }

  std::span<const Callee> outermost() const { return {callees_.data(), outermost_}; }
  std::span<const Callee> of(const Callee& caller) const {
    return {callees_.data() + caller.list, caller.list_size};
  }

 private:
  void sort(std::uint32_t begin, std::uint32_t end, const StringPool& names) {
    std::sort(callees_.data() + begin, callees_.data() + end,
              [&](const Callee& a, const Callee& b) {
                if (a.size != b.size) return a.size > b.size;
                const int order = names.text(a.name).compare(names.text(b.name));
                return order != 0 ? order < 0 : a.part < b.part;
              });
  }

  LargePageVector<Callee> callees_;
  std::uint32_t outermost_ = 0;
};

// `record_of` a call.
template <class RecordOf>
std::int64_t lay_out(const Parts& parts, const CallWeights& weights, const StringPool& names,
                     TrackWriter& out, Diagnostics& diagnostics, RecordOf record_of) {
  const CalleeLists lists(parts, weights, names);
  struct Open {
    std::span<const Callee> next;  // callees that are still to come
    std::int64_t at, end;          // where the next one begins; where this one ends
    std::uint32_t calls;
    std::uint8_t flags;
  };
  bool clamped = false;
  const auto within = [&](std::int64_t position) {
    clamped = clamped || position > kMaxTimeNs;
    return std::min(position, kMaxTimeNs);
  };
  const auto expect = [&](const Callee& callee) {
    prefetch(&parts.name[callee.first_call]);
    prefetch(lists.of(callee).data());
  };
  std::vector<Open> open = {{lists.outermost(), 0, 0, 0, 0}};
  std::int64_t last_end = 0;
  while (!open.empty()) {
    Open& caller = open.back();
    if (caller.next.empty()) {
      for (; caller.calls > 0; --caller.calls) {
        out.end(caller.end, kNoName, kNoRecord, kNoRecord, caller.flags);
      }
      open.pop_back();
      continue;
    }
    const Callee& callee = caller.next.front();
    // What comes once all that this one calls is done may lie anywhere.
    if (caller.next.size() > kSiblingsAhead) expect(caller.next[kSiblingsAhead]);
    caller.next = caller.next.subspan(1);
    const std::int64_t begin = caller.at;
    const std::int64_t end = within(saturating_sum(begin, callee.size));
    caller.at = end;
    last_end = std::max(last_end, end);
    for (std::uint32_t i = 0; i < callee.calls; ++i) {
      const std::uint32_t call = callee.first_call + i;
      out.begin(begin, parts.name[call], record_of(call));
    }
    const bool is_negative = weights.negative_count() > 0 && weights.sum(callee.part) < 0;
    open.push_back(
        {lists.of(callee), begin, end, callee.calls, is_negative ? kNegative : std::uint8_t{0}});
    for (std::size_t i = 0; i < std::min(kSiblingsAhead, open.back().next.size()); ++i) {
      expect(open.back().next[i]);
    }
  }
  if (clamped) diagnostics.count(diagnostic::kClampedTime);
  return last_end;
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

void CallWeights::sum_up(std::span<const std::uint32_t> callers) {
  size_.resize(callers.size(), 0);
  if (negative_count_ > 0) sum_.resize(callers.size(), 0);
  for (std::size_t i = size_.size(); i-- > 0;) {
    if (i >= kAhead && callers[i - kAhead] != kNoCall) prefetch(&size_[callers[i - kAhead]]);
    const std::uint32_t caller = callers[i];
    if (caller == kNoCall) continue;
    size_[caller] = saturating_sum(size_[caller], size_[i]);
    if (negative_count_ > 0) sum_[caller] = saturating_sum(sum_[caller], sum_[i]);
  }
}

void CallWeights::renumber(std::span<const std::uint32_t> numbers) {
  for (LargePageVector<std::int64_t>* values : {&size_, &sum_}) {
    if (values == &sum_ && negative_count_ == 0) continue;
    values->resize(numbers.size(), 0);
    LargePageVector<std::int64_t> renumbered;
    renumbered.reserve(numbers.size());
    for (const std::uint32_t number : numbers) renumbered.push_back((*values)[number]);
    *values = std::move(renumbered);
  }
}

CallWeights CallWeights::of_calls(const CallChains& chains) const {
  CallWeights out;
  out.negative_count_ = negative_count_;
  const auto spread = [&](const LargePageVector<std::int64_t>& values,
                          LargePageVector<std::int64_t>& each) {
    each.reserve(chains.name.size());
    for (std::size_t i = 0; i < values.size(); ++i) each.resize(chains.first[i + 1], values[i]);
  };
  spread(size_, out.size_);
  spread(sum_, out.sum_);
  return out;
}

std::int64_t lay_out_weights(const CallTree& tree, const CallWeights& weights,
                             const StringPool& names, TrackWriter& out, Diagnostics& diagnostics) {
  const Parts parts{.caller = tree.parent, .first = {}, .name = tree.name};
  return lay_out(parts, weights, names, out, diagnostics,
                 [&tree](std::uint32_t call) { return tree.record_of(call); });
}

std::int64_t lay_out_weights(const CallChains& chains, const CallWeights& weights,
                             const StringPool& names, TrackWriter& out, Diagnostics& diagnostics) {
  const Parts parts{.caller = chains.caller, .first = chains.first, .name = chains.name};
  return lay_out(parts, weights, names, out, diagnostics,
                 [](std::uint32_t call) { return RecordOffset{call}; });
}

}  // namespace cinderscope
