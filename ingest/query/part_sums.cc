#include "ingest/query/part_sums.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "ingest/query/clean_part.h"
#include "ingest/query/covered_time.h"
#include "ingest/query/repeated_time.h"

namespace cinderscope {

namespace {

constexpr std::size_t kNamesPerWorker = std::size_t{1} << 20;  // with more of them one works alone
constexpr std::uint64_t kMostSizes = 2;   // a part so many times as large as it was to be is cut
constexpr int kPlainBits = 62;            // sums of a part that fit are added up as plain numbers
constexpr std::uint64_t kMostSteps = 32;  // up the callers, for each call of a part on average

// Where the longest call lies; ordered as calls are listed.
template <class Sums>
auto place_of_longest(const Sums& sums) {
  return std::tuple(sums.longest_track, sums.longest_row, sums.longest_slice);
}

// Of one name within a part that does not overflow.
struct alignas(64) PlainSums {
  std::uint64_t count = 0;
  std::int64_t sum_ns = 0, self_ns = 0;
  std::int64_t min_ns = INT64_MAX, max_ns = -1;
  std::uint32_t longest_track = 0, longest_row = 0;
  std::uint64_t longest_slice = 0;
};

template <class To, class From>
void take_extremes(To& to, const From& from) {
  to.min_ns = std::min(to.min_ns, from.min_ns);
  if (from.max_ns < to.max_ns) return;
  if (from.max_ns == to.max_ns && place_of_longest(to) <= place_of_longest(from)) return;
  to.max_ns = from.max_ns;
  to.longest_track = from.longest_track;
  to.longest_row = from.longest_row;
  to.longest_slice = from.longest_slice;
}

// One worker's.
class PartAdder {
 public:
  PartAdder(std::size_t name_count, const StatisticsQuery& query, const PartSize& size,
            const std::atomic<bool>* cancelled)
      : size_(size),
        edges_(edges_of(query)),
        scope_{query.scope.begin_ns, query.scope.end_ns},
        whole_calls_(query.whole_calls && query.scope.has_range()),
        cancelled_(cancelled),
        totals_(name_count),
        plain_(name_count + 1),  // the last one is the caller of outermost calls
        repeats_(name_count, edges_, cancelled) {}

  // Parts were cut at begins on one row; where calls of other rows crowd they are cut once more, so
  // that the memory for their columns is bounded.
  void add(const TimePart& whole) {
    parts_.assign(1, whole);
    while (!parts_.empty() && !is_set(cancelled_)) {
      TimePart part = parts_.back();
      parts_.pop_back();
      list_begun(part);
      if (const auto border_ns = border_within(part)) {
        TimePart later = part;
        later.first = false;
        later.begin_ns = part.end_ns = *border_ns;
        parts_.push_back(later);
        parts_.push_back(part);
      } else {
        add_listed(part);
      }
    }
  }

  std::span<const NameSums> totals() const { return totals_; }

  // What the part adds up to by itself, instead of adding it to the totals.
  void work_out(const TimePart& part, KnownPart& out) {
    listed_.resize(totals_.size());
    lists_ = true;
    last_end_ns_ = INT64_MIN;
    add(part);
    out = {part.begin_ns, part.end_ns, last_end_ns_, {}};
    out.sums.reserve(names_.size());
    for (const std::uint32_t name : names_) {
      out.sums.emplace_back(name, std::exchange(totals_[name], {}));
      listed_[name] = 0;
    }
    names_.clear();
  }

 private:
  void list(std::uint32_t name) {
    if (!lists_ || std::exchange(listed_[name], 1) != 0) return;
    names_.push_back(name);
  }

  // Where a part that is too large is cut: in the middle of its longest row.
  std::optional<std::int64_t> border_within(const TimePart& part) const {
    std::uint64_t count = 0;
    std::size_t longest = 0;
    for (std::size_t i = 0; i < columns_.rows.size(); ++i) {
      count += columns_.rows[i].count;
      if (columns_.rows[i].count > columns_.rows[longest].count) longest = i;
    }
    const bool fits =
        count <= kMostSizes * size_.slices || count <= 2 * size_.row_slices * columns_.rows.size();
    if (fits) return std::nullopt;
    const PartRow& row = columns_.rows[longest];
    const SliceRow& slices = *part.track->rows[longest].row;
    const std::int64_t border_ns = slices.begin_ns(row.first + row.count / 2);
    // Many may begin at once, and calls are cut where the scope begins.
    const bool divides = border_ns > std::max(part.begin_ns, scope_.begin_ns) &&
                         slices.begin_ns(row.first) < border_ns;
    return divides ? std::optional(border_ns) : std::nullopt;
  }

  void add_listed(const TimePart& part) {
    const bool listed = list_columns(part);
    if (fits_) {
      for (std::size_t i = 0; i < columns_.rows.size(); ++i) count_calls(plain_, part, i);
    } else {
      for (std::size_t i = 0; i < columns_.rows.size(); ++i) count_calls(totals_, part, i);
    }
    const bool clean = listed && fits_ && !whole_calls_ && find_callers(columns_);
    repeated_.clear();
    bool repeats_known = false;
    if (clean) {
      repeats_known = add_clean(part);
    } else {
      add_self_from_below(part);
    }
    if (whole_calls_ && part.track->nested && part.first) add_outside(*part.track);
    if (!repeats_known) {
      repeated_.clear();
      repeats_.add(part, repeated_);
    }
    if (lists_) note_names_and_end();
    for (const RepeatedCall& call : repeated_) totals_[call.name].repeated_ns += call.ns;
    take_plain();
  }

  void note_names_and_end() {
    for (const std::uint32_t name : touched_) list(name);
    for (const PartRow& row : columns_.rows) {
      const std::size_t end = row.first_slot + 1 + row.count;
      for (std::size_t slot = row.first_slot + 1; slot < end; ++slot) {
        last_end_ns_ = std::max(last_end_ns_, columns_.ends[slot]);
      }
    }
  }

  // The slices of each row that begin in the part.
  void list_begun(const TimePart& part) {
    columns_.rows.clear();
    for (const RowStretch& stretch : part.track->rows) {
      const RowStretch begun = begun_in(stretch, part);
      columns_.rows.push_back({.first = begun.first, .count = begun.count()});
    }
  }

  // Fills the columns; false if rows are missing between others, so that they cannot nest.
  bool list_columns(const TimePart& part) {
    const std::vector<RowStretch>& stretches = part.track->rows;
    std::size_t slots = 1;
    for (PartRow& row : columns_.rows) {
      row.first_slot = slots;
      slots += 1 + row.count + kPadSlots;
    }
    columns_.begins.resize(slots);
    columns_.ends.resize(slots);
    columns_.names.resize(slots);
    columns_.parents.resize(slots);
    columns_.above.resize(slots);
    const auto nobody = static_cast<std::uint32_t>(totals_.size());
    columns_.begins[0] = columns_.ends[0] = INT64_MIN;
    columns_.names[0] = nobody;
    columns_.above[0] = {};
    bool nests = true;
    std::uint64_t any_bit = 0, calls = 0;
    for (std::size_t i = 0; i < stretches.size(); ++i) {
      const RowStretch& stretch = stretches[i];
      PartRow& row = columns_.rows[i];
      nests &= i == 0 || (stretch.depth == stretches[i - 1].depth + 1 &&
                          stretch.place.block == stretches[i - 1].place.block);
      const std::size_t carried = row.first_slot;
      columns_.begins[carried] = columns_.ends[carried] = INT64_MIN;
      columns_.names[carried] = nobody;
      if (row.first > stretch.first) {
        const std::int64_t end_ns = std::min(stretch.row->end_ns(row.first - 1), edges_.end_ns);
        row.carried = end_ns > part.begin_ns;
        // Of neighbours that overlap by rounding two may go on.
        nests &=
            row.first - 1 == stretch.first || stretch.row->end_ns(row.first - 2) <= part.begin_ns;
        if (row.carried) {
          columns_.begins[carried] =
              std::max(stretch.row->begin_ns(row.first - 1), edges_.begin_ns);
          columns_.ends[carried] = end_ns;
          columns_.names[carried] = index(stretch.row->name(row.first - 1));
          any_bit |= static_cast<std::uint64_t>(end_ns) -
                     static_cast<std::uint64_t>(columns_.begins[carried]);
        }
      }
      const std::size_t first_slot = row.first_slot + 1;
      any_bit |= read_row(*stretch.row, row, first_slot);
      std::fill_n(columns_.begins.begin() + static_cast<std::ptrdiff_t>(first_slot + row.count),
                  kPadSlots, INT64_MAX);
      calls += row.count + 1;
    }
    fits_ = std::bit_width(any_bit) + std::bit_width(calls) <= kPlainBits;
    return nests;
  }

  // The slices that begin in the part, from `slot` on; returns all bits that durations have.
  std::uint64_t read_row(const SliceRow& slices, const PartRow& row, std::size_t slot) {
    std::uint64_t any_bit = 0;
    for (std::uint64_t i = row.first; i < row.first + row.count;) {
      const SliceChunk& chunk = slices.chunk_of(i);
      const std::uint32_t at = SliceRow::in_chunk(i);
      const auto count = static_cast<std::uint32_t>(
          std::min<std::uint64_t>(chunk.count() - at, row.first + row.count - i));
      std::int64_t* begins = columns_.begins.data() + slot;
      std::int64_t* ends = columns_.ends.data() + slot;
      chunk.read_begins(at, std::span(begins, count));
      chunk.read_durations(at, std::span(ends, count));
      chunk.read_names(at, std::span(columns_.names.data() + slot, count));
      for (std::uint32_t k = 0; k < count; ++k) ends[k] += begins[k];
      if (chunk.first_begin_ns() < edges_.begin_ns || chunk.last_end_ns() > edges_.end_ns) {
        for (std::uint32_t k = 0; k < count; ++k) {
          begins[k] = std::max(begins[k], edges_.begin_ns);
          ends[k] = std::min(ends[k], edges_.end_ns);
        }
      }
      for (std::uint32_t k = 0; k < count; ++k) {
        any_bit |= static_cast<std::uint64_t>(ends[k]) - static_cast<std::uint64_t>(begins[k]);
      }
      if (chunk.has_flags()) add_unfinished(chunk, at, slot, count);
      i += count;
      slot += count;
    }
    return any_bit;
  }

  void add_unfinished(const SliceChunk& chunk, std::uint32_t first, std::size_t slot,
                      std::uint32_t count) {
    for (std::uint32_t k = 0; k < count; ++k) {
      if ((chunk.flags(first + k) & kUnfinished) == 0) continue;
      NameSums& name = totals_[columns_.names[slot + k]];
      ++name.unfinished_count;
      name.unfinished_sum_ns += columns_.ends[slot + k] - columns_.begins[slot + k];
    }
  }

  template <class Sums>
  void count_calls(std::vector<Sums>& sums, const TimePart& part, std::size_t row_index) {
    const PartRow& row = columns_.rows[row_index];
    const std::size_t first_slot = row.first_slot + 1;
    const std::uint32_t track_id = index(part.track->slices->track);
    const std::uint32_t row_number = part.track->rows[row_index].number;
    const std::int64_t* begins = columns_.begins.data() + first_slot;
    const std::int64_t* ends = columns_.ends.data() + first_slot;
    const std::uint32_t* names = columns_.names.data() + first_slot;
    for (std::size_t k = 0; k < row.count; ++k) {
      const std::int64_t duration_ns = ends[k] - begins[k];
      Sums& name = sums[names[k]];
      if (name.count++ == 0) touched_.push_back(names[k]);
      name.sum_ns += duration_ns;
      name.min_ns = std::min(name.min_ns, duration_ns);
      if (duration_ns < name.max_ns) continue;
      const std::uint64_t slice = row.first + k;
      if (duration_ns == name.max_ns &&
          place_of_longest(name) <= std::tuple(track_id, row_number, slice)) {
        continue;
      }
      name.max_ns = duration_ns;
      name.longest_track = track_id;
      name.longest_row = row_number;
      name.longest_slice = slice;
    }
  }

  // Self time, and the calls inside calls of their own name. What lies beyond the part's end is
  // left to the parts that follow. False: callers are so many that asking each of them takes too
  // long; then repeats are missing.
  bool add_clean(const TimePart& part) {
    const std::int64_t* begins = columns_.begins.data();
    const std::int64_t* ends = columns_.ends.data();
    const std::uint32_t* names = columns_.names.data();
    const std::uint32_t* parents = columns_.parents.data();
    NameBits* above = columns_.above.data();
    PlainSums* plain = plain_.data();
    std::uint64_t steps = 0, most = 0;
    for (const PartRow& row : columns_.rows) most += kMostSteps * (row.count + 1);
    for (const PartRow& row : columns_.rows) {
      const std::size_t carried = row.first_slot, end = carried + 1 + row.count;
      above[carried] = above_of(carried);
      for (std::size_t slot = carried + 1; slot < end; ++slot) {
        const std::uint32_t name = names[slot], parent = parents[slot];
        const std::int64_t duration_ns = ends[slot] - begins[slot];
        plain[name].self_ns += duration_ns;
        plain[names[parent]].self_ns -= duration_ns;
        NameBits bits = above[parent];
        if (parent != kNoCaller) bits.insert(names[parent]);
        above[slot] = bits;
        if (!bits.may_have(name) || steps > most) continue;
        for (std::uint32_t at = parent; at != kNoCaller && steps <= most; at = parents[at]) {
          ++steps;
          if (names[at] != name) continue;
          repeated_.push_back({name, duration_ns});
          break;
        }
      }
      if (row.carried) {
        touched_.push_back(names[carried]);
        move_self(carried, std::min(ends[carried], part.end_ns) - part.begin_ns);
      }
      if (row.count > 0 && ends[end - 1] > part.end_ns) {
        move_self(end - 1, part.end_ns - ends[end - 1]);
      }
    }
    return steps <= most;
  }
  NameBits above_of(std::size_t slot) const {
    const std::uint32_t parent = columns_.parents[slot];
    NameBits bits = columns_.above[parent];
    if (parent != kNoCaller) bits.insert(columns_.names[parent]);
    return bits;
  }
  void move_self(std::size_t slot, std::int64_t ns) {
    plain_[columns_.names[slot]].self_ns += ns;
    plain_[columns_.names[columns_.parents[slot]]].self_ns -= ns;
  }

  // Calls that are counted whole although they reach out of the range have self time there as well,
  // where those inside them are not counted.
  void add_outside(const MeasuredTrack& track) {
    const std::vector<SliceRow>& rows = track.slices->blocks.front()->rows;
    for (const RowStretch& row : track.rows) {
      const auto add = [&](std::uint64_t i, std::int64_t begin_ns, std::int64_t end_ns) {
        WideSum& self_ns = totals_[index(row.row->name(i))].self_ns;
        self_ns += WideSum{end_ns} - begin_ns;
        if (row.place.row + 1 == rows.size()) return;
        CoverCursor below(rows[row.place.row + 1], begin_ns);
        self_ns -= below.covered(begin_ns, end_ns);
      };
      for (std::uint64_t i = row.first; i < row.last; ++i) {
        const std::int64_t begin_ns = row.row->begin_ns(i);
        if (begin_ns >= scope_.begin_ns) break;
        add(i, begin_ns, std::min(row.row->end_ns(i), scope_.begin_ns));
      }
      for (std::uint64_t i = row.last; i > row.first; --i) {
        const std::int64_t end_ns = row.row->end_ns(i - 1);
        if (end_ns <= scope_.end_ns) break;
        add(i - 1, std::max(row.row->begin_ns(i - 1), scope_.end_ns), end_ns);
      }
    }
  }

  // Rows from the deepest up, with what all deeper ones cover together within the part. Calls that
  // are counted whole are covered as well by calls that are not counted themselves.
  void add_self_from_below(const TimePart& part) {
    struct Row {
      RowStretch all;
      const RowStretch* measured = nullptr;  // null: none of it is
    };
    const Edges& most = part.track->nested ? scope_ : edges_;
    const Edges clip{std::max(part.begin_ns, most.begin_ns), std::min(part.end_ns, most.end_ns)};
    std::vector<Row> rows;
    auto measured = part.track->rows.begin();
    for (const auto& block : part.track->slices->blocks) {
      if (block == nullptr) continue;
      for (std::uint32_t r = 0; r < block->rows.size(); ++r) {
        Row row{stretch_of(block->rows[r], clip)};
        row.all.depth = block->base_depth + r;
        if (measured != part.track->rows.end() && measured->row == row.all.row) {
          row.measured = &*measured++;
        }
        if (row.all.count() > 0) rows.push_back(row);
      }
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [](const Row& a, const Row& b) { return a.all.depth > b.all.depth; });
    Intervals cover;
    std::vector<RowStretch> level;
    for (std::size_t i = 0; i < rows.size() && !is_set(cancelled_);) {
      level.clear();
      for (const std::uint32_t depth = rows[i].all.depth;
           i < rows.size() && rows[i].all.depth == depth; ++i) {
        level.push_back(rows[i].all);
        if (rows[i].measured == nullptr) continue;
        RowStretch counted = rows[i].all;
        counted.first = std::max(counted.first, rows[i].measured->first);
        counted.last = std::min(counted.last, rows[i].measured->last);
        if (counted.first < counted.last) add_uncovered(counted, clip, cover);
      }
      if (i < rows.size()) cover = merged(intervals_of(level), cover);
    }
  }

  void add_uncovered(const RowStretch& row, const Edges& clip, const Intervals& below) {
    CoverCursor cover(below, row.row->begin_ns(row.first));
    for_columns(row, clip, read_,
                [&](const SliceColumns& at, const SliceChunk&, std::uint64_t, std::uint32_t count) {
                  for (std::uint32_t k = 0; k < count; ++k) {
                    const std::int64_t end_ns = at.begins[k] + at.durations[k];
                    list(at.names[k]);
                    totals_[at.names[k]].self_ns +=
                        at.durations[k] - cover.covered(at.begins[k], end_ns);
                  }
                });
  }

  void take_plain() {
    if (fits_) {
      for (const std::uint32_t name : touched_) {
        PlainSums& from = plain_[name];
        NameSums& to = totals_[name];
        to.count += from.count;
        to.sum_ns += from.sum_ns;
        to.self_ns += from.self_ns;
        if (from.count > 0) take_extremes(to, from);
        from = {};
      }
    }
    plain_.back() = {};
    touched_.clear();
  }

  PartSize size_;
  Edges edges_;  // what calls are cut at
  Edges scope_;
  bool whole_calls_;  // though they reach beyond the range
  const std::atomic<bool>* cancelled_;
  std::vector<NameSums> totals_;        // by name
  std::vector<PlainSums> plain_;        // by name, of the part at hand
  std::vector<std::uint32_t> touched_;  // names that have any there; some twice
  std::vector<RepeatedCall> repeated_;  // in the part at hand
  std::vector<TimePart> parts_;         // still to be added
  bool fits_ = true;
  // While a part is worked out by itself: the names that have anything in the totals.
  bool lists_ = false;
  std::vector<std::uint32_t> names_;
  std::vector<std::uint8_t> listed_;  // by name
  std::int64_t last_end_ns_ = INT64_MIN;
  PartColumns columns_;
  SliceColumns read_;
  RepeatSweep repeats_;
};

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
  Adders(unsigned jobs, std::size_t name_count, const StatisticsQuery& query, const PartSize& size,
         const std::atomic<bool>* cancelled)
      : name_count_(name_count),
        query_(query),
        size_(size),
        cancelled_(cancelled),
        adders_(name_count > kNamesPerWorker ? 1 : std::max(1u, jobs)) {}

  unsigned jobs() const { return static_cast<unsigned>(adders_.size()); }
  PartAdder& of(std::size_t worker) {
    std::unique_ptr<PartAdder>& adder = adders_[worker];
    if (adder == nullptr) {
      adder = std::make_unique<PartAdder>(name_count_, query_, size_, cancelled_);
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
  PartSize size_;
  const std::atomic<bool>* cancelled_;
  std::vector<std::unique_ptr<PartAdder>> adders_;
};

// Adds those known parts of the track that lie within the scope; returns what is left to do.
std::vector<TimePart> parts_left(const MeasuredTrack& track, std::uint32_t track_number,
                                 const SliceScope& scope, std::span<const KnownPart> known,
                                 std::vector<NameSums>& all) {
  std::vector<TimePart> left;
  TimePart part{.track = &track, .track_number = track_number, .first = true};
  for (const KnownPart& each : known) {
    if (each.begin_ns < scope.begin_ns || each.end_ns > scope.end_ns) continue;
    if (each.last_end_ns > scope.end_ns) continue;
    if (each.begin_ns > part.begin_ns) {
      part.end_ns = each.begin_ns;
      left.push_back(part);
    }
    part.first = false;
    part.begin_ns = each.end_ns;
    for (const auto& [name, sums] : each.sums) add(all[name], sums);
  }
  part.end_ns = INT64_MAX;
  if (part.begin_ns != INT64_MAX) left.push_back(part);
  for (TimePart& each : left) each.slice_count = track.count / left.size();
  return left;
}

}  // namespace

std::shared_ptr<const KnownParts> known_parts_of(const SliceSet& set, unsigned jobs,
                                                 const std::atomic<bool>* cancelled,
                                                 std::uint64_t most_bytes, const PartSize& size) {
  const StatisticsQuery query{.all_kinds = true};
  const std::vector<MeasuredTrack> tracks = measured_tracks(set, query, cancelled);
  const std::vector<TimePart> parts = parts_of(tracks, query.scope, size);
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
  auto out = std::make_shared<KnownParts>();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::uint32_t track = index(parts[i].track->slices->track);
    if (track >= out->of_track.size()) out->of_track.resize(track + 1);
    out->of_track[track].push_back(std::move(known[i]));
  }
  return out;
}

std::vector<NameSums> add_up_parts(std::span<const MeasuredTrack> tracks,
                                   const StatisticsQuery& query, std::size_t name_count,
                                   unsigned jobs, const std::atomic<bool>* cancelled,
                                   const PartSize& size, const KnownParts* known) {
  std::vector<NameSums> all(name_count);
  std::vector<TimePart> parts;
  if (known != nullptr && !query.whole_calls) {
    for (std::uint32_t number = 0; number < tracks.size() && !is_set(cancelled); ++number) {
      const std::uint32_t id = index(tracks[number].slices->track);
      std::span<const KnownPart> of_track;
      if (id < known->of_track.size()) of_track = known->of_track[id];
      const auto left = parts_left(tracks[number], number, query.scope, of_track, all);
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
