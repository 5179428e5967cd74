#include "ingest/query/duration_ranks.h"

#include <algorithm>
#include <bit>

namespace cinderscope {

namespace {

constexpr std::uint64_t kGatheredCalls = std::uint64_t{1} << 16;   // of a name, at most
constexpr std::uint64_t kGatheredValues = std::uint64_t{1} << 24;  // at a time: 128 MiB
constexpr std::uint64_t kCountedBytes = std::uint64_t{1} << 28;    // of buckets, over all workers
constexpr std::uint32_t kBucketBits = 12, kBuckets = 1u << kBucketBits;
constexpr std::size_t kRanks = kRankParts.size();
constexpr std::uint64_t kNoPlace = ~std::uint64_t{0};
constexpr std::uint32_t kNotCounted = ~std::uint32_t{0};

// Names that have more than one value and few calls: indices in `names`.
void gather(std::span<const RowStretch> pieces, const Edges& edges, std::span<DurationRanks> names,
            std::span<const std::uint32_t> gathered, unsigned jobs,
            const std::atomic<bool>* cancelled) {
  std::vector<std::uint64_t> places(names.size(), kNoPlace);  // where the next value goes
  std::uint64_t all = 0;
  for (const std::uint32_t name : gathered) {
    places[name] = all;
    all += names[name].count;
  }
  std::vector<std::int64_t> values(all);
  std::vector<SliceColumns> columns(std::max(1u, jobs));
  for_pieces(pieces, jobs, cancelled, [&](std::size_t worker, const RowStretch& piece) {
    for_columns(piece, edges, columns[worker],
                [&](const SliceColumns& at, const SliceChunk&, std::uint64_t, std::uint32_t count) {
                  for (std::uint32_t k = 0; k < count; ++k) {
                    std::uint64_t& place = places[at.names[k]];
                    if (place == kNoPlace) continue;
                    const std::atomic_ref<std::uint64_t> next(place);
                    values[next.fetch_add(1, std::memory_order_relaxed)] = at.durations[k];
                  }
                });
  });
  if (is_set(cancelled)) return;
  constexpr std::size_t kAtOnce = 256;
  for_each_until(
      (gathered.size() + kAtOnce - 1) / kAtOnce, jobs, cancelled,
      [&](std::size_t, std::size_t batch) {
        const std::size_t last = std::min(gathered.size(), (batch + 1) * kAtOnce);
        for (std::size_t i = batch * kAtOnce; i < last; ++i) {
          DurationRanks& name = names[gathered[i]];
          const auto end = values.begin() + static_cast<std::ptrdiff_t>(places[gathered[i]]);
          const auto begin = end - static_cast<std::ptrdiff_t>(name.count);
          auto from = begin;  // ranks ascend: what lies before needs no second look
          for (std::size_t r = 0; r < kRanks; ++r) {
            const auto wanted =
                begin + static_cast<std::ptrdiff_t>(nearest_rank(name.count, kRankParts[r]));
            if (wanted >= from) std::nth_element(from, wanted, end);
            name.values_ns[r] = *wanted;
            from = wanted + 1;
          }
        }
      });
}

// Between which values a rank lies, and its place among those.
struct Bracket {
  std::int64_t low_ns = 0;
  std::uint32_t shift = 0;  // a bucket holds 2^shift values
  std::uint64_t rank = 0;
  bool found = false;
};

struct CountedName {
  std::uint32_t name = 0;
  std::array<Bracket, kRanks> brackets;
  // Brackets that are still the same share their buckets: which one counts for each.
  std::array<std::uint8_t, kRanks> counts_in{};
  std::uint8_t counting = 0;  // bits: brackets that count
};

void share_buckets(CountedName& name) {
  name.counting = 0;
  for (std::uint8_t r = 0; r < kRanks; ++r) {
    const Bracket& bracket = name.brackets[r];
    name.counts_in[r] = r;
    if (bracket.found) continue;
    for (std::uint8_t before = 0; before < r; ++before) {
      const Bracket& other = name.brackets[before];
      if (!other.found && other.low_ns == bracket.low_ns && other.shift == bracket.shift) {
        name.counts_in[r] = name.counts_in[before];
        break;
      }
    }
    if (name.counts_in[r] == r) name.counting |= static_cast<std::uint8_t>(1u << r);
  }
}

void narrow(Bracket& bracket, std::span<const std::uint32_t> buckets) {
  std::uint32_t bucket = 0;
  while (bucket + 1 < kBuckets && bracket.rank >= buckets[bucket]) {
    bracket.rank -= buckets[bucket++];
  }
  bracket.low_ns = static_cast<std::int64_t>(static_cast<std::uint64_t>(bracket.low_ns) +
                                             (std::uint64_t{bucket} << bracket.shift));
  bracket.found = bracket.shift == 0;
  bracket.shift = bracket.shift > kBucketBits ? bracket.shift - kBucketBits : 0;
}

void count(std::span<const RowStretch> pieces, const Edges& edges, std::span<DurationRanks> names,
           std::span<const std::uint32_t> counted, unsigned jobs,
           const std::atomic<bool>* cancelled) {
  std::vector<CountedName> states(counted.size());
  std::vector<std::uint32_t> state_of(names.size(), kNotCounted);
  for (std::uint32_t i = 0; i < counted.size(); ++i) {
    const DurationRanks& name = names[counted[i]];
    state_of[counted[i]] = i;
    states[i].name = counted[i];
    const auto range = static_cast<std::uint64_t>(name.max_ns - name.min_ns);
    const auto bits = static_cast<std::uint32_t>(std::bit_width(range));
    for (std::size_t r = 0; r < kRanks; ++r) {
      states[i].brackets[r] = {name.min_ns, bits > kBucketBits ? bits - kBucketBits : 0,
                               nearest_rank(name.count, kRankParts[r])};
    }
  }
  const std::size_t buckets = states.size() * kRanks * kBuckets;
  const auto workers = static_cast<unsigned>(std::clamp<std::uint64_t>(
      kCountedBytes / (buckets * sizeof(std::uint32_t)), 1, std::max(1u, jobs)));
  std::vector<std::vector<std::uint32_t>> counts(workers);
  std::vector<SliceColumns> columns(workers);
  const auto all_found = [](const CountedName& name) {
    return std::all_of(name.brackets.begin(), name.brackets.end(),
                       [](const Bracket& bracket) { return bracket.found; });
  };
  while (!std::all_of(states.begin(), states.end(), all_found)) {
    for (CountedName& name : states) share_buckets(name);
    for (auto& of_worker : counts) of_worker.assign(buckets, 0);
    for_pieces(pieces, workers, cancelled, [&](std::size_t worker, const RowStretch& piece) {
      std::uint32_t* const own = counts[worker].data();
      for_columns(
          piece, edges, columns[worker],
          [&](const SliceColumns& at, const SliceChunk&, std::uint64_t, std::uint32_t slices) {
            for (std::uint32_t k = 0; k < slices; ++k) {
              const std::uint32_t state = state_of[at.names[k]];
              if (state == kNotCounted) continue;
              const CountedName& name = states[state];
              for (std::size_t r = 0; r < kRanks; ++r) {
                if ((name.counting >> r & 1) == 0) continue;
                const std::uint64_t above = static_cast<std::uint64_t>(at.durations[k]) -
                                            static_cast<std::uint64_t>(name.brackets[r].low_ns);
                const std::uint64_t bucket = above >> name.brackets[r].shift;
                if (bucket < kBuckets) ++own[(state * kRanks + r) * kBuckets + bucket];
              }
            }
          });
    });
    if (is_set(cancelled)) return;
    for (std::size_t worker = 1; worker < workers; ++worker) {
      for (std::size_t i = 0; i < buckets; ++i) counts[0][i] += counts[worker][i];
    }
    for (std::size_t i = 0; i < states.size(); ++i) {
      for (std::size_t r = 0; r < kRanks; ++r) {
        if (states[i].brackets[r].found) continue;
        const std::size_t in = (i * kRanks + states[i].counts_in[r]) * kBuckets;
        narrow(states[i].brackets[r], {counts[0].data() + in, kBuckets});
      }
    }
  }
  for (const CountedName& name : states) {
    for (std::size_t r = 0; r < kRanks; ++r) {
      names[name.name].values_ns[r] = name.brackets[r].low_ns;
    }
  }
}

}  // namespace

void find_ranks(std::span<const RowStretch> pieces, const Edges& edges,
                std::span<DurationRanks> names, unsigned jobs, const std::atomic<bool>* cancelled) {
  std::vector<std::uint32_t> gathered, counted;
  std::uint64_t gathered_values = 0;
  for (std::uint32_t i = 0; i < names.size(); ++i) {
    DurationRanks& name = names[i];
    name.values_ns.fill(name.min_ns);
    if (name.count == 0 || name.min_ns == name.max_ns) continue;
    if (name.count > kGatheredCalls) {
      counted.push_back(i);
      continue;
    }
    if (gathered_values + name.count > kGatheredValues) {
      gather(pieces, edges, names, gathered, jobs, cancelled);
      gathered.clear();
      gathered_values = 0;
    }
    gathered.push_back(i);
    gathered_values += name.count;
  }
  if (!gathered.empty()) gather(pieces, edges, names, gathered, jobs, cancelled);
  if (!counted.empty()) count(pieces, edges, names, counted, jobs, cancelled);
}

}  // namespace cinderscope
