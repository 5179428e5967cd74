#include "ingest/sql/grouped/group_ranks.h"

#include <algorithm>
#include <memory>
#include <tuple>

#include "ingest/totals/durations/duration_buckets.h"
#include "ingest/totals/durations/rank_brackets.h"

namespace cinderscope {

namespace {

constexpr std::uint64_t kGatheredValues = std::uint64_t{1} << 13;  // of more they are counted
constexpr std::uint32_t kNothing = UINT32_MAX;

// A rank while it is looked for; values are counted from the group's least on.
struct Sought {
  WantedRank* rank = nullptr;
  Bracket bracket;
  std::uint64_t place = 0;  // of its next value, or of its buckets
};

class Search {
 public:
  Search(const GroupedScan& scan, const GroupNumbers& groups, unsigned jobs,
         const std::atomic<bool>& stop, std::uint64_t most_values)
      : scan_(scan), groups_(groups), jobs_(std::max(1u, jobs)), stop_(stop), most_(most_values) {}

  void run(std::vector<Sought> all) {
    // All of a small group lies in its bracket.
    for (Sought& each : all) each.bracket.count = each.rank->count;
    std::vector<Sought*> left;
    for (Sought& each : all) left.push_back(&each);
    while (!left.empty() && !stop_.load()) {
      const auto few = std::partition(left.begin(), left.end(), [](const Sought* each) {
        return each->bracket.count > kGatheredValues;
      });
      std::vector<Sought*> batch(few, left.end());
      for_batches(
          batch, most_, [](const Sought& each) { return each.bracket.count; },
          [this](std::span<Sought*> some) { gather(some); });
      left.erase(few, left.end());
      const std::uint64_t buckets = std::max<std::uint64_t>(1, most_ / kBuckets / jobs_);
      for_batches(
          left, buckets, [](const Sought&) { return std::uint64_t{1}; },
          [this](std::span<Sought*> some) { count(some); });
      std::erase_if(left, [](const Sought* each) { return each->bracket.found; });
    }
    for (Sought& each : all) {
      each.rank->value =
          static_cast<std::int64_t>(static_cast<std::uint64_t>(each.rank->min) + each.bracket.low);
    }
  }

 private:
  template <class Size, class Work>
  void for_batches(std::span<Sought*> all, std::uint64_t most, Size size, Work work) {
    std::size_t from = 0;
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i > from && sum + size(*all[i]) > most) {
        work(all.subspan(from, i - from));
        from = i;
        sum = 0;
      }
      sum += size(*all[i]);
    }
    if (from < all.size()) work(all.subspan(from));
  }

  // Calls `visit(worker, sought, value)` for the values in the brackets of `some`, which are
  // ordered by group.
  template <class Visit>
  void for_values(std::span<Sought*> some, const Visit& visit) {
    std::vector<std::uint32_t> first(groups_.size(), kNothing);  // in `some`, by group
    for (std::size_t i = some.size(); i > 0; --i) {
      first[some[i - 1]->rank->group] = static_cast<std::uint32_t>(i - 1);
    }
    std::vector<std::unique_ptr<GroupSlots>> slots(jobs_);
    scan_.run(jobs_, stop_, [&](std::size_t worker, const ScannedSlices& slices) {
      if (slots[worker] == nullptr) {
        slots[worker] = std::make_unique<GroupSlots>(scan_.name_key_count(), &groups_);
      }
      for (std::size_t k = 0; k < slices.count; ++k) {
        const std::uint32_t name = slices.name_keys.empty() ? 0 : slices.name_keys[k];
        const std::uint32_t group = slots[worker]->slot({slices.row_keys, name});
        if (group == kNoSlot) continue;
        for (std::size_t i = first[group]; i < some.size() && some[i]->rank->group == group; ++i) {
          Sought& sought = *some[i];
          const auto value = static_cast<std::uint64_t>(
                                 slices.measures[static_cast<std::size_t>(sought.rank->of)][k]) -
                             static_cast<std::uint64_t>(sought.rank->min);
          if (is_whole(sought.bracket) || sought.bracket.has(value)) visit(worker, sought, value);
        }
      }
    });
  }

  static bool is_whole(const Bracket& bracket) { return bracket.bits == 0 && bracket.low == 0; }

  static auto place_of(const Sought& sought) {
    return std::tuple(sought.rank->group, sought.rank->of, sought.bracket.low, sought.bracket.bits);
  }
  // Sorts them by what they look at, and gives one of each that looks at the same.
  static std::vector<Sought*> leaders_of(std::span<Sought*> some) {
    std::ranges::sort(some, {}, [](const Sought* each) { return place_of(*each); });
    std::vector<Sought*> leaders;
    for (Sought* each : some) {
      if (leaders.empty() || place_of(*leaders.back()) != place_of(*each)) leaders.push_back(each);
    }
    return leaders;
  }
  // The places of the others are those of their leaders.
  static void share_places(std::span<Sought*> some) {
    for (std::size_t i = 1; i < some.size(); ++i) {
      if (place_of(*some[i]) == place_of(*some[i - 1])) some[i]->place = some[i - 1]->place;
    }
  }

  void gather(std::span<Sought*> some) {
    std::vector<Sought*> leaders = leaders_of(some);
    std::uint64_t all = 0;
    for (Sought* each : leaders) {
      each->place = all;
      all += each->bracket.count;
    }
    std::vector<std::uint64_t> values(all);
    for_values(leaders, [&](std::size_t, Sought& sought, std::uint64_t value) {
      const std::atomic_ref<std::uint64_t> next(sought.place);
      values[next.fetch_add(1, std::memory_order_relaxed)] = value;
    });
    if (stop_.load()) return;
    share_places(some);
    for (Sought* each : some) {
      const auto end = values.begin() + static_cast<std::ptrdiff_t>(each->place);
      const auto begin = end - static_cast<std::ptrdiff_t>(each->bracket.count);
      const auto wanted = begin + static_cast<std::ptrdiff_t>(each->bracket.rank);
      std::nth_element(begin, wanted, end);
      each->bracket.low = *wanted;
      each->bracket.found = true;
    }
  }

  void count(std::span<Sought*> some) {
    std::vector<Sought*> leaders = leaders_of(some);
    for (std::size_t i = 0; i < leaders.size(); ++i) leaders[i]->place = i * kBuckets;
    std::vector<std::vector<std::uint32_t>> counts(jobs_);
    for_values(leaders, [&](std::size_t worker, Sought& sought, std::uint64_t value) {
      if (counts[worker].empty()) counts[worker].resize(leaders.size() * kBuckets);
      const std::uint64_t bucket = is_whole(sought.bracket)
                                       ? duration_bucket(value)
                                       : (value - sought.bracket.low) >> shift_of(sought.bracket);
      ++counts[worker][sought.place + bucket];
    });
    if (stop_.load()) return;
    share_places(some);
    std::vector<std::uint32_t> sums(kBuckets);
    for (Sought* each : some) {
      std::ranges::fill(sums, 0);
      for (const std::vector<std::uint32_t>& of_worker : counts) {
        if (of_worker.empty()) continue;
        for (std::uint32_t b = 0; b < kBuckets; ++b) sums[b] += of_worker[each->place + b];
      }
      if (is_whole(each->bracket)) {
        narrow_coarsely(each->bracket, sums);
      } else {
        narrow(each->bracket, sums);
      }
    }
  }

  const GroupedScan& scan_;
  const GroupNumbers& groups_;
  unsigned jobs_;
  const std::atomic<bool>& stop_;
  std::uint64_t most_;
};

}  // namespace

void find_group_ranks(const GroupedScan& scan, const GroupNumbers& groups,
                      std::span<WantedRank> wanted, unsigned jobs, const std::atomic<bool>& stop,
                      std::uint64_t most_values) {
  std::vector<Sought> all;
  for (WantedRank& rank : wanted) {
    rank.value = rank.min;
    if (rank.min == rank.max) continue;
    Sought& sought = all.emplace_back();
    sought.rank = &rank;
    sought.bracket.rank = rank.rank;
  }
  if (!all.empty()) Search(scan, groups, jobs, stop, most_values).run(std::move(all));
}

}  // namespace cinderscope
