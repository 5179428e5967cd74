#include "ingest/totals/durations/duration_ranks.h"

#include <algorithm>

#include "ingest/totals/durations/duration_buckets.h"
#include "ingest/totals/durations/rank_brackets.h"
#include "ingest/totals/durations/sought_ranges.h"

namespace cinderscope {

namespace {

// Of a name with more calls than the first they are counted if that is one of the names with the
// most, with more than the second always.
constexpr std::uint64_t kCountedCalls = std::uint64_t{1} << 12;
constexpr std::uint64_t kGatheredCalls = std::uint64_t{1} << 16;
constexpr std::size_t kMostCounted = 1024;
constexpr std::uint64_t kCountedBytes = std::uint64_t{1} << 28;  // of buckets, over all workers
constexpr std::uint64_t kNoPlace = ~std::uint64_t{0};
constexpr std::uint32_t kNotCounted = ~std::uint32_t{0};

using BucketsByName = std::vector<std::vector<std::uint32_t>>;

// `dense` is empty or has kBuckets zeros, before and after.
void note_buckets(std::span<const std::int64_t> durations, std::vector<std::uint32_t>& dense,
                  std::vector<std::uint32_t>& entries) {
  dense.resize(kBuckets);
  std::vector<std::uint16_t> buckets(durations.size());
  std::ranges::transform(durations, buckets.begin(), [](std::int64_t ns) {
    return static_cast<std::uint16_t>(duration_bucket(static_cast<std::uint64_t>(ns)));
  });
  append_entries(buckets, dense, entries);
}

// Names that have more than one value and few calls: indices in `names`.
void gather(std::span<const SliceSpan> pieces, const Edges& edges, std::span<DurationRanks> names,
            std::span<const std::uint32_t> gathered, unsigned jobs,
            const std::atomic<bool>* cancelled, BucketsByName* buckets) {
  std::vector<std::uint64_t> places(names.size(), kNoPlace);  // where the next value goes
  std::vector<std::uint64_t> firsts;                          // of each gathered name
  std::uint64_t all = 0;
  for (const std::uint32_t name : gathered) {
    firsts.push_back(all);
    places[name] = all;
    all += names[name].count;
  }
  std::vector<std::int64_t> values(all);
  std::vector<SliceColumns> columns(std::max(1u, jobs));
  parallel_for_spans(pieces, jobs, cancelled, [&](std::size_t worker, const SliceSpan& piece) {
    for_columns(piece, edges, columns[worker],
                [&](const SliceColumns& at, const SliceChunk&, std::uint64_t, std::uint32_t count) {
                  for (std::uint32_t k = 0; k < count; ++k) {
                    const std::atomic_ref<std::uint64_t> next(places[at.names[k]]);
                    if (next.load(std::memory_order_relaxed) == kNoPlace) continue;
                    const std::uint64_t place = next.fetch_add(1, std::memory_order_relaxed);
                    if (place < all) values[place] = at.durations[k];
                  }
                });
  });
  if (is_set(cancelled)) return;
  constexpr std::size_t kAtOnce = 256;
  std::vector<std::vector<std::uint32_t>> dense(std::max(1u, jobs));
  for_each_until((gathered.size() + kAtOnce - 1) / kAtOnce, jobs, cancelled,
                 [&](std::size_t worker, std::size_t batch) {
                   const std::size_t last = std::min(gathered.size(), (batch + 1) * kAtOnce);
                   for (std::size_t i = batch * kAtOnce; i < last; ++i) {
                     DurationRanks& name = names[gathered[i]];
                     // Its count may have come from a file: how many there were does not tell the
                     // place.
                     const auto begin = values.begin() + static_cast<std::ptrdiff_t>(firsts[i]);
                     const auto end = begin + static_cast<std::ptrdiff_t>(name.count);
                     if (buckets != nullptr) {
                       note_buckets({begin, end}, dense[worker], (*buckets)[gathered[i]]);
                     }
                     auto from = begin;  // ranks ascend: what lies before needs no second look
                     for (std::size_t r = 0; r < kRanks; ++r) {
                       const auto wanted = begin + static_cast<std::ptrdiff_t>(
                                                       nearest_rank(name.count, kRankShares[r]));
                       if (wanted >= from) std::nth_element(from, wanted, end);
                       name.values_ns[r] = *wanted;
                       from = wanted + 1;
                     }
                   }
                 });
}

// Names of many calls.
class Counting {
 public:
  Counting(std::span<const SliceSpan> pieces, const Edges& edges, std::span<DurationRanks> names,
           std::span<const std::uint32_t> counted, unsigned jobs,
           const std::atomic<bool>* cancelled, std::uint64_t most_values,
           const CountsInScope* precomputed, BucketsByName* buckets)
      : pieces_(pieces),
        buckets_(buckets),
        counted_(precomputed),
        edges_(edges),
        cancelled_(cancelled),
        most_values_(most_values),
        states_(counted.size()) {
    state_of_.resize(names.size(), kNotCounted);
    for (std::uint32_t i = 0; i < counted.size(); ++i) {
      state_of_[counted[i]] = i;
      states_[i].name = counted[i];
      for (std::size_t r = 0; r < kRanks; ++r) {
        states_[i].brackets[r].rank = nearest_rank(names[counted[i]].count, kRankShares[r]);
      }
    }
    const std::size_t bytes = (states_.size() * kRanks + 1) * kBuckets * sizeof(std::uint32_t);
    workers_ = static_cast<unsigned>(
        std::clamp<std::uint64_t>(kCountedBytes / bytes, 1, std::max(1u, jobs)));
    columns_.resize(workers_);
    counts_.resize(workers_);
  }

  void run(std::span<DurationRanks> names) {
    count_coarsely();
    if (!is_set(cancelled_)) gather_brackets();
    while (!is_set(cancelled_) && !all_found()) count_brackets();
    for (const CountedName& name : states_) {
      for (std::size_t r = 0; r < kRanks; ++r) {
        names[name.name].values_ns[r] = static_cast<std::int64_t>(name.brackets[r].low);
      }
    }
  }

 private:
  bool all_found() const {
    return std::all_of(states_.begin(), states_.end(), [](const CountedName& name) {
      return std::all_of(name.brackets.begin(), name.brackets.end(),
                         [](const Bracket& bracket) { return bracket.found; });
    });
  }

  // Calls `visit(worker, columns, count)` for all calls.
  template <class Visit>
  void for_all_durations(std::span<const SliceSpan> pieces, const Visit& visit) {
    parallel_for_spans(
        pieces, workers_, cancelled_, [&](std::size_t worker, const SliceSpan& piece) {
          for_columns<false>(piece, edges_, columns_[worker],
                             [&](const SliceColumns& at, const SliceChunk&, std::uint64_t,
                                 std::uint32_t slices) { visit(worker, at, slices); });
        });
  }

  // Calls `visit(worker, state, duration)` for every call of the counted names.
  template <class Visit>
  void for_durations(const Visit& visit) {
    for_all_durations(pieces_,
                      [&](std::size_t worker, const SliceColumns& at, std::uint32_t slices) {
                        for (std::uint32_t k = 0; k < slices; ++k) {
                          const std::uint32_t state = state_of_[at.names[k]];
                          if (state == kNotCounted) continue;
                          visit(worker, state, static_cast<std::uint64_t>(at.durations[k]));
                        }
                      });
  }

  void clear_counts(std::size_t buckets) {
    for (auto& of_worker : counts_) of_worker.assign(buckets, 0);
  }
  void add_counts() {
    for (std::size_t worker = 1; worker < workers_; ++worker) {
      for (std::size_t i = 0; i < counts_[0].size(); ++i) counts_[0][i] += counts_[worker][i];
    }
  }

  void count_coarsely() {
    // Names that are not counted share a place behind all others.
    clear_counts((states_.size() + 1) * kBuckets);
    std::vector<std::size_t> places(state_of_.size(), states_.size() * kBuckets);
    for (std::size_t i = 0; i < states_.size(); ++i) places[states_[i].name] = i * kBuckets;
    const auto pieces = counted_ == nullptr ? pieces_ : std::span<const SliceSpan>(counted_->left);
    for_all_durations(pieces,
                      [&](std::size_t worker, const SliceColumns& at, std::uint32_t slices) {
                        std::uint32_t* counts = counts_[worker].data();
                        for (std::uint32_t k = 0; k < slices; ++k) {
                          ++counts[places[at.names[k]] +
                                   duration_bucket(static_cast<std::uint64_t>(at.durations[k]))];
                        }
                      });
    add_precomputed();
    if (is_set(cancelled_)) return;
    add_counts();
    for (std::size_t i = 0; i < states_.size(); ++i) {
      const std::span<const std::uint32_t> counts(counts_[0].data() + i * kBuckets, kBuckets);
      for (Bracket& bracket : states_[i].brackets) narrow_coarsely(bracket, counts);
      if (buckets_ == nullptr) continue;
      for (std::uint32_t bucket = 0; bucket < kBuckets; ++bucket) {
        append_entry(bucket, counts[bucket], (*buckets_)[states_[i].name]);
      }
    }
  }

  void add_precomputed() {
    if (counted_ == nullptr) return;
    for_each_until(
        counted_->precomputed.size(), workers_, cancelled_, [&](std::size_t worker, std::size_t i) {
          const DurationIndex& of = *counted_->precomputed[i];
          std::uint32_t first = 0;
          for (std::size_t n = 0; n < of.names.size(); first = of.ends[n++]) {
            const std::uint32_t state = state_of_[of.names[n]];
            if (state == kNotCounted) continue;
            std::uint32_t* counts = counts_[worker].data() + std::size_t{state} * kBuckets;
            for (std::uint32_t e = first; e < of.ends[n]; ++e) {
              counts[DurationIndex::bucket(of.entries[e])] += DurationIndex::count(of.entries[e]);
            }
          }
        });
  }

  // Of most names a few percent of the durations are left, which are looked at one by one.
  void gather_brackets() {
    std::uint64_t all = 0;
    bool any = false;
    for (CountedName& name : states_) {
      std::uint64_t left = 0;
      for (const Bracket& bracket : name.brackets) left += bracket.found ? 0 : bracket.count;
      const bool fits = all + left <= most_values_;
      share(name, [fits](const Bracket& bracket) { return fits && !bracket.found; });
      for (std::size_t r = 0; r < kRanks; ++r) {
        if ((name.looked_at >> r & 1) == 0) continue;
        name.firsts[r] = name.places[r] = all;
        all += name.brackets[r].count;
        any = true;
      }
    }
    if (!any) return;
    std::vector<std::uint64_t> values(all);
    SoughtRanges sought(state_of_.size());
    for (const CountedName& name : states_) {
      for (std::size_t r = 0; r < kRanks; ++r) {
        if ((name.looked_at >> r & 1) == 0) continue;
        sought.add(name.name, r, name.brackets[r].low, std::uint64_t{1} << name.brackets[r].bits);
      }
    }
    const auto keep = [&](std::uint32_t of, std::uint64_t duration) {
      CountedName& name = states_[state_of_[of]];
      for (std::size_t r = 0; r < kRanks; ++r) {
        if ((name.looked_at >> r & 1) == 0 || !name.brackets[r].has(duration)) continue;
        const std::atomic_ref<std::uint64_t> next(name.places[r]);
        const std::uint64_t place = next.fetch_add(1, std::memory_order_relaxed);
        if (place < all) values[place] = duration;
      }
    };
    const auto look = [&](const auto& is_sought) {
      for_all_durations(pieces_, [&](std::size_t, const SliceColumns& at, std::uint32_t slices) {
        for (std::uint32_t k = 0; k < slices; ++k) {
          const auto duration = static_cast<std::uint64_t>(at.durations[k]);
          if (is_sought(at.names[k], duration)) [[unlikely]]
            keep(at.names[k], duration);
        }
      });
    };
    if (sought.is_narrow()) {
      look([&](std::uint32_t name, std::uint64_t ns) { return sought.narrow_hit(name, ns); });
    } else {
      look([&](std::uint32_t name, std::uint64_t ns) { return sought.wide_hit(name, ns); });
    }
    if (is_set(cancelled_)) return;
    for_each_until(states_.size(), workers_, cancelled_, [&](std::size_t, std::size_t i) {
      CountedName& name = states_[i];
      if (name.looked_at == 0) return;
      for (std::size_t r = 0; r < kRanks; ++r) {
        Bracket& bracket = name.brackets[r];
        if (bracket.found) continue;
        const auto begin =
            values.begin() + static_cast<std::ptrdiff_t>(name.firsts[name.stands_for[r]]);
        const auto end = begin + static_cast<std::ptrdiff_t>(bracket.count);
        const auto wanted = begin + static_cast<std::ptrdiff_t>(bracket.rank);
        std::nth_element(begin, wanted, end);
        bracket.low = *wanted;
        bracket.found = true;
      }
    });
  }

  // Where too many are left for that, as of a clock that is coarser than it says.
  void count_brackets() {
    const std::size_t buckets = states_.size() * kRanks * kBuckets;
    for (CountedName& name : states_) {
      share(name, [](const Bracket& bracket) { return !bracket.found; });
    }
    clear_counts(buckets);
    for_durations([&](std::size_t worker, std::uint32_t state, std::uint64_t duration) {
      const CountedName& name = states_[state];
      for (std::size_t r = 0; r < kRanks; ++r) {
        const Bracket& bracket = name.brackets[r];
        if ((name.looked_at >> r & 1) == 0 || !bracket.has(duration)) continue;
        const std::uint64_t bucket = (duration - bracket.low) >> shift_of(bracket);
        ++counts_[worker][(state * kRanks + r) * kBuckets + bucket];
      }
    });
    if (is_set(cancelled_)) return;
    add_counts();
    for (std::size_t i = 0; i < states_.size(); ++i) {
      for (std::size_t r = 0; r < kRanks; ++r) {
        if (states_[i].brackets[r].found) continue;
        const std::size_t in = (i * kRanks + states_[i].stands_for[r]) * kBuckets;
        narrow(states_[i].brackets[r], {counts_[0].data() + in, kBuckets});
      }
    }
  }

  std::span<const SliceSpan> pieces_;
  BucketsByName* buckets_;
  const CountsInScope* counted_;
  Edges edges_;
  const std::atomic<bool>* cancelled_;
  std::uint64_t most_values_;
  std::vector<CountedName> states_;
  std::vector<std::uint32_t> state_of_;  // by name
  unsigned workers_ = 1;
  std::vector<SliceColumns> columns_;
  std::vector<std::vector<std::uint32_t>> counts_;  // by worker
};

}  // namespace

void find_ranks(std::span<const SliceSpan> pieces, const Edges& edges,
                std::span<DurationRanks> names, unsigned jobs, const std::atomic<bool>* cancelled,
                const CountsInScope* precomputed, std::uint64_t most_values,
                std::vector<std::vector<std::uint32_t>>* buckets) {
  if (buckets != nullptr) buckets->assign(names.size(), {});
  std::vector<std::uint32_t> gathered, counted;
  for (std::uint32_t i = 0; i < names.size(); ++i) {
    names[i].values_ns.fill(names[i].min_ns);
    if (names[i].count == 0) continue;
    if (names[i].min_ns == names[i].max_ns) {
      const std::uint32_t bucket = duration_bucket(static_cast<std::uint64_t>(names[i].min_ns));
      if (buckets != nullptr) append_entry(bucket, names[i].count, (*buckets)[i]);
      continue;
    }
    (names[i].count > kCountedCalls ? counted : gathered).push_back(i);
  }
  if (counted.size() > kMostCounted) {
    const auto least = counted.begin() + kMostCounted;
    std::nth_element(counted.begin(), least, counted.end(), [&](std::uint32_t a, std::uint32_t b) {
      return names[a].count > names[b].count;
    });
    const auto few = std::partition(
        least, counted.end(), [&](std::uint32_t i) { return names[i].count > kGatheredCalls; });
    gathered.insert(gathered.end(), few, counted.end());
    counted.erase(few, counted.end());
  }
  std::uint64_t gathered_values = 0;
  std::vector<std::uint32_t> some;
  for (const std::uint32_t i : gathered) {
    const DurationRanks& name = names[i];
    if (!some.empty() && gathered_values + name.count > most_values) {
      gather(pieces, edges, names, some, jobs, cancelled, buckets);
      some.clear();
      gathered_values = 0;
    }
    some.push_back(i);
    gathered_values += name.count;
  }
  if (!some.empty()) gather(pieces, edges, names, some, jobs, cancelled, buckets);
  if (counted.empty()) return;
  Counting(pieces, edges, names, counted, jobs, cancelled, most_values, precomputed, buckets)
      .run(names);
}

}  // namespace cinderscope
