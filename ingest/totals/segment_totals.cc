#include "ingest/totals/segment_totals.h"

#include <algorithm>
#include <memory>

#include "ingest/totals/segment_aggregator.h"

namespace cinderscope {

namespace {

constexpr std::size_t kPartsCounted = 8;  // together: durations of more calls share buckets
constexpr std::size_t kNamesPerWorker = std::size_t{1} << 20;  // with more of them one works alone

void add(NameSums& to, const NameSums& from) {
  to.self_ns += from.self_ns;  // of calls that began in other parts as well
  if (from.count == 0) return;
  to.count += from.count;
  to.unfinished_count += from.unfinished_count;
  to.sum_ns += from.sum_ns;
  to.unfinished_sum_ns += from.unfinished_sum_ns;
  to.repeated_ns += from.repeated_ns;
  take_extremes(to, from);
}

// An adder for each worker, made when that has something to do.
class Adders {
 public:
  Adders(unsigned jobs, std::size_t name_count, const StatisticsQuery& query,
         const SegmentSize& size, const std::atomic<bool>* cancelled)
      : name_count_(name_count),
        query_(query),
        size_(size),
        cancelled_(cancelled),
        adders_(name_count > kNamesPerWorker ? 1 : std::max(1u, jobs)) {}

  unsigned jobs() const { return static_cast<unsigned>(adders_.size()); }
  SegmentAggregator& of(std::size_t worker) {
    std::unique_ptr<SegmentAggregator>& adder = adders_[worker];
    if (adder == nullptr) {
      adder = std::make_unique<SegmentAggregator>(name_count_, query_, size_, cancelled_);
    }
    return *adder;
  }
  void add_to(std::vector<NameSums>& all) const {
    for (const auto& adder : adders_) {
      if (adder == nullptr) continue;
      for (std::size_t i = 0; i < name_count_; ++i) add(all[i], adder->totals()[i]);
    }
  }

 private:
  std::size_t name_count_;
  StatisticsQuery query_;
  SegmentSize size_;
  const std::atomic<bool>* cancelled_;
  std::vector<std::unique_ptr<SegmentAggregator>> adders_;
};

// Stretches of some neighbouring parts each, counted. Some are missing if they are too large; all
// if they take too much memory together, or there are too many names.
std::vector<std::vector<DurationIndex>> duration_index_of(const std::vector<TimeSegment>& parts,
                                                          const PrecomputedTotals& known,
                                                          std::size_t name_count, unsigned jobs,
                                                          const std::atomic<bool>* cancelled,
                                                          std::uint64_t most_bytes) {
  if (name_count > kNamesPerWorker) return {};
  struct Stretch {
    TimeSegment part;
    DurationIndex counts;
    std::int64_t last_end_ns = INT64_MIN;
    bool counted = false;
  };
  std::vector<Stretch> stretches;
  std::size_t in_track = 0;
  for (const TimeSegment& part : parts) {
    in_track = !stretches.empty() && stretches.back().part.track == part.track ? in_track + 1 : 0;
    if (in_track % kPartsCounted == 0) stretches.push_back({part, {}});
    Stretch& stretch = stretches.back();
    stretch.part.end_ns = part.end_ns;
    const std::vector<KnownPart>& of_track = known.of_track[index(part.track->slices->track)];
    stretch.last_end_ns = std::max(stretch.last_end_ns, of_track[in_track].last_end_ns);
  }
  std::vector<std::unique_ptr<DurationCounter>> counters(std::max(1u, jobs));
  std::atomic<std::uint64_t> bytes = 0;
  for_each_until(stretches.size(), jobs, cancelled, [&](std::size_t worker, std::size_t i) {
    if (bytes.load(std::memory_order_relaxed) > most_bytes) return;
    if (counters[worker] == nullptr) {
      counters[worker] = std::make_unique<DurationCounter>(name_count);
    }
    Stretch& stretch = stretches[i];
    stretch.counted = counters[worker]->count(stretch.part, stretch.counts);
    stretch.counts.last_end_ns = stretch.last_end_ns;
    bytes += stretch.counts.bytes();
  });
  if (is_set(cancelled) || bytes > most_bytes) return {};
  std::vector<std::vector<DurationIndex>> of_track(known.of_track.size());
  for (Stretch& stretch : stretches) {
    if (!stretch.counted) continue;
    of_track[index(stretch.part.track->slices->track)].push_back(std::move(stretch.counts));
  }
  return of_track;
}

}  // namespace

std::uint64_t kept_bytes(const PrecomputedTotals& known) {
  std::uint64_t bytes = 0;
  for (const std::vector<KnownPart>& of_track : known.of_track) {
    for (const KnownPart& part : of_track) {
      bytes += sizeof(part) + part.sums.capacity() * sizeof(part.sums[0]);
    }
  }
  for (const std::vector<DurationIndex>& of_track : known.counts_of_track) {
    for (const DurationIndex& counts : of_track) bytes += counts.bytes();
  }
  return bytes;
}

std::shared_ptr<const PrecomputedTotals> precomputed_totals_of(const SliceSet& set, unsigned jobs,
                                                               const std::atomic<bool>* cancelled,
                                                               std::uint64_t most_bytes,
                                                               const SegmentSize& size) {
  const StatisticsQuery query{.all_kinds = true};
  const std::vector<MeasuredTrack> tracks = measured_tracks(set, query, cancelled);
  const std::vector<TimeSegment> parts = parts_of(tracks, query.scope, size);
  Adders adders(jobs, set.strings->size(), query, {}, cancelled);
  std::vector<KnownPart> known(parts.size());
  std::atomic<std::uint64_t> bytes = 0;
  for_batches(
      parts.size(), [&](std::size_t i) { return parts[i].slice_count; }, adders.jobs(), cancelled,
      [&](std::size_t worker, std::size_t i) {
        if (bytes.load(std::memory_order_relaxed) > most_bytes) return;
        adders.of(worker).work_out(parts[i], known[i]);
        bytes += sizeof(KnownPart) + known[i].sums.size() * sizeof(known[i].sums[0]);
      });
  if (is_set(cancelled) || bytes > most_bytes) return nullptr;
  auto out = std::make_shared<PrecomputedTotals>();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::uint32_t track = index(parts[i].track->slices->track);
    if (track >= out->of_track.size()) out->of_track.resize(track + 1);
    out->of_track[track].push_back(std::move(known[i]));
  }
  out->counts_of_track =
      duration_index_of(parts, *out, set.strings->size(), jobs, cancelled, most_bytes);
  if (is_set(cancelled)) return nullptr;
  return out;
}

std::vector<NameSums> add_up_parts(std::span<const MeasuredTrack> tracks,
                                   const StatisticsQuery& query, std::size_t name_count,
                                   unsigned jobs, const std::atomic<bool>* cancelled,
                                   const SegmentSize& size, const PrecomputedTotals* known) {
  std::vector<NameSums> all(name_count);
  std::vector<TimeSegment> parts;
  if (known != nullptr && !query.whole_calls) {
    for (std::uint32_t number = 0; number < tracks.size() && !is_set(cancelled); ++number) {
      const std::uint32_t id = index(tracks[number].slices->track);
      std::span<const KnownPart> of_track;
      if (id < known->of_track.size()) of_track = known->of_track[id];
      const auto left =
          parts_left(tracks[number], number, query.scope, of_track, [&all](const KnownPart& part) {
            for (const auto& [name, sums] : part.sums) add(all[name], sums);
          });
      parts.insert(parts.end(), left.begin(), left.end());
    }
  } else {
    parts = parts_of(tracks, query.scope, size);
  }
  Adders adders(jobs, name_count, query, size, cancelled);
  for_batches(
      parts.size(), [&](std::size_t i) { return parts[i].slice_count; }, adders.jobs(), cancelled,
      [&](std::size_t worker, std::size_t i) { adders.of(worker).add(parts[i]); });
  adders.add_to(all);
  return all;
}

}  // namespace cinderscope
