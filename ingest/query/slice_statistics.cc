#include "ingest/query/slice_statistics.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <tuple>

#include "ingest/query/covered_time.h"
#include "ingest/query/duration_ranks.h"
#include "ingest/query/measured_rows.h"
#include "ingest/query/repeated_time.h"
#include "ingest/saturating.h"

namespace cinderscope {

namespace {

constexpr std::uint32_t kSeveralDepths = ~std::uint32_t{0};
constexpr std::size_t kNamesPerWorker = std::size_t{1} << 21;  // with more of them one works alone

// Of one name, while it is added up by one worker.
struct Sums {
  std::uint64_t count = 0;
  std::int64_t sum_ns = 0, self_ns = 0, min_ns = INT64_MAX, max_ns = -1;
  std::uint64_t longest = 0;      // index on its row
  std::uint32_t longest_row = 0;  // index into the list of pieces
  std::uint32_t depth = 0;        // of the first; kSeveralDepths
};

struct Unfinished {
  std::uint32_t name;
  std::int64_t duration_ns;
};

class Adder {
 public:
  Adder(std::size_t name_count, const Edges& edges) : edges_(edges), sums_(name_count) {}

  void add(const RowStretch& piece, std::uint32_t piece_index, CoverCursor& cover) {
    for_columns(piece, edges_, columns_,
                [&](const SliceColumns& at, const SliceChunk& chunk, std::uint64_t first,
                    std::uint32_t count) {
                  for (std::uint32_t k = 0; k < count; ++k) {
                    const std::int64_t duration_ns = at.durations[k];
                    Sums& sums = sums_[at.names[k]];
                    if (sums.count == 0) {
                      sums.depth = piece.depth;
                    } else if (sums.depth != piece.depth) {
                      sums.depth = kSeveralDepths;
                    }
                    ++sums.count;
                    sums.sum_ns = saturating_sum(sums.sum_ns, duration_ns);
                    sums.min_ns = std::min(sums.min_ns, duration_ns);
                    if (duration_ns >= sums.max_ns &&
                        is_longest(sums, duration_ns, piece_index, first + k)) {
                      sums.max_ns = duration_ns;
                      sums.longest = first + k;
                      sums.longest_row = piece_index;
                    }
                    const std::int64_t self_ns =
                        duration_ns - cover.covered(at.begins[k], at.begins[k] + duration_ns);
                    sums.self_ns = saturating_sum(sums.self_ns, self_ns);
                  }
                  if (chunk.has_flags())
                    add_unfinished(at, chunk, SliceRow::in_chunk(first), count);
                });
  }

  std::span<const Sums> sums() const { return sums_; }
  std::span<const Unfinished> unfinished() const { return unfinished_; }

 private:
  // Of equal ones the first by place: rows come in any order.
  static bool is_longest(const Sums& sums, std::int64_t duration_ns, std::uint32_t row,
                         std::uint64_t slice) {
    return duration_ns > sums.max_ns ||
           std::tuple(row, slice) < std::tuple(sums.longest_row, sums.longest);
  }

  void add_unfinished(const SliceColumns& at, const SliceChunk& chunk, std::uint32_t first,
                      std::uint32_t count) {
    for (std::uint32_t k = 0; k < count; ++k) {
      if ((chunk.flags(first + k) & kUnfinished) == 0) continue;
      unfinished_.push_back({at.names[k], at.durations[k]});
    }
  }

  Edges edges_;
  std::vector<Sums> sums_;
  std::vector<Unfinished> unfinished_;
  SliceColumns columns_;
};

// The row below a stretch of a nested track; what lies on it covers the stretch.
CoverCursor cover_below(const RowStretch& piece, const MeasuredTrack& track) {
  const SliceBlock& block = *track.slices->blocks[index(piece.place.block)];
  if (piece.place.row + 1 >= block.rows.size()) return {};
  return {block.rows[piece.place.row + 1], piece.row->begin_ns(piece.first)};
}

// Rows from the deepest up, with what all deeper ones cover together. `whole`: calls reach beyond
// the range, as may those inside them that are not counted themselves.
template <class AddRow>
void add_from_below(const MeasuredTrack& track, bool whole, const AddRow& add_row,
                    const std::atomic<bool>* cancelled) {
  struct Row {
    RowStretch all;
    const RowStretch* measured = nullptr;  // null: none of it is
  };
  std::vector<Row> rows;
  auto measured = track.rows.begin();
  for (std::uint32_t b = 0; b < track.slices->blocks.size(); ++b) {
    const SliceBlock* block = track.slices->blocks[b].get();
    if (block == nullptr) continue;
    for (std::uint32_t r = 0; r < block->rows.size(); ++r) {
      Row row{{.row = &block->rows[r], .depth = block->base_depth + r}};
      row.all.last = block->rows[r].count();
      if (measured != track.rows.end() && measured->row == row.all.row) row.measured = &*measured++;
      if (row.all.last > 0) rows.push_back(row);
    }
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return a.all.depth > b.all.depth; });
  Intervals cover;
  std::vector<RowStretch> level;
  for (std::size_t i = 0; i < rows.size() && !is_set(cancelled);) {
    level.clear();
    for (const std::uint32_t depth = rows[i].all.depth;
         i < rows.size() && rows[i].all.depth == depth; ++i) {
      if (rows[i].measured != nullptr) add_row(*rows[i].measured, cover);
      if (whole) {
        level.push_back(rows[i].all);
      } else if (rows[i].measured != nullptr) {
        level.push_back(*rows[i].measured);
      }
    }
    cover = merged(intervals_of(level), cover);
  }
}

struct AddedUp {
  std::vector<Sums> sums;  // by name
  std::vector<Unfinished> unfinished;
};

AddedUp add_up(std::span<const MeasuredTrack> tracks, std::span<const RowStretch> pieces,
               const Edges& edges, std::size_t name_count, unsigned jobs,
               const std::atomic<bool>* cancelled) {
  if (name_count > kNamesPerWorker) jobs = 1;
  std::vector<std::unique_ptr<Adder>> adders(std::max(1u, jobs));
  const auto adder = [&](std::size_t worker) -> Adder& {
    if (adders[worker] == nullptr) adders[worker] = std::make_unique<Adder>(name_count, edges);
    return *adders[worker];
  };
  std::vector<const MeasuredTrack*> track_of;  // by id, which the places of pieces name
  for (const MeasuredTrack& track : tracks) {
    const std::uint32_t id = index(track.slices->track);
    if (id >= track_of.size()) track_of.resize(id + 1);
    track_of[id] = &track;
  }
  for_pieces(pieces, jobs, cancelled, [&](std::size_t worker, const RowStretch& piece) {
    const MeasuredTrack& track = *track_of[index(piece.place.track)];
    if (!track.nested) return;
    CoverCursor cover = cover_below(piece, track);
    adder(worker).add(piece, static_cast<std::uint32_t>(&piece - pieces.data()), cover);
  });
  std::vector<const MeasuredTrack*> others;
  for (const MeasuredTrack& track : tracks) {
    if (!track.nested) others.push_back(&track);
  }
  // Pieces lie by (track, block, row), so a row's first one is found by its place.
  const auto piece_index = [&](const RowStretch& row) {
    const auto key = [](const RowStretch& piece) {
      return std::tuple(index(piece.place.track), index(piece.place.block), piece.place.row,
                        piece.first);
    };
    const auto found =
        std::lower_bound(pieces.begin(), pieces.end(), row,
                         [&](const RowStretch& a, const RowStretch& b) { return key(a) < key(b); });
    return static_cast<std::uint32_t>(found - pieces.begin());
  };
  for_each_until(others.size(), jobs, cancelled, [&](std::size_t worker, std::size_t i) {
    add_from_below(
        *others[i], edges.begin_ns == INT64_MIN && edges.end_ns == INT64_MAX,
        [&](const RowStretch& row, const Intervals& below) {
          CoverCursor cover(below, row.row->begin_ns(row.first));
          adder(worker).add(row, piece_index(row), cover);
        },
        cancelled);
  });

  AddedUp all;
  all.sums.resize(name_count);
  for (const auto& each : adders) {
    if (each == nullptr) continue;
    for (std::size_t i = 0; i < name_count; ++i) {
      const Sums& from = each->sums()[i];
      if (from.count == 0) continue;
      Sums& to = all.sums[i];
      to.depth = to.count == 0 || to.depth == from.depth ? from.depth : kSeveralDepths;
      to.count += from.count;
      to.sum_ns = saturating_sum(to.sum_ns, from.sum_ns);
      to.self_ns = saturating_sum(to.self_ns, from.self_ns);
      to.min_ns = std::min(to.min_ns, from.min_ns);
      const auto place = [](const Sums& sums) {
        return std::tuple(sums.longest_row, sums.longest);
      };
      if (from.max_ns > to.max_ns || (from.max_ns == to.max_ns && place(from) < place(to))) {
        to.max_ns = from.max_ns;
        to.longest = from.longest;
        to.longest_row = from.longest_row;
      }
    }
    all.unfinished.insert(all.unfinished.end(), each->unfinished().begin(),
                          each->unfinished().end());
  }
  return all;
}

void find_bounds(std::span<const MeasuredTrack> tracks, SliceStatistics& out) {
  const SliceScope& scope = out.query.scope;
  std::int64_t begin_ns = INT64_MAX, end_ns = INT64_MIN;
  for (const MeasuredTrack& track : tracks) {
    for (const RowStretch& row : track.rows) {
      begin_ns = std::min(begin_ns, row.row->begin_ns(row.first));
      // Only the chunk's last end is known at once; neighbours may overlap by rounding.
      for (std::uint64_t i = row.last; i > row.first && i + 2 > row.last; --i) {
        end_ns = std::max(end_ns, row.row->end_ns(i - 1));
      }
    }
  }
  if (begin_ns > end_ns) begin_ns = end_ns = 0;
  out.begin_ns = scope.begin_ns == INT64_MIN ? begin_ns : scope.begin_ns;
  out.end_ns = scope.end_ns == INT64_MAX ? std::max(end_ns, out.begin_ns) : scope.end_ns;
}

}  // namespace

std::int64_t NameStatistics::mean_ns() const {
  if (count == 0) return 0;
  const auto calls = static_cast<std::int64_t>(count);
  const std::int64_t whole = sum_ns / calls, rest = sum_ns % calls;
  return whole + (rest >= calls - rest ? 1 : 0);
}

std::int64_t SliceStatistics::length_ns() const {
  return saturating_difference(end_ns, begin_ns);
}

double share_percent(const SliceStatistics& statistics, const NameStatistics& name) {
  const std::int64_t length_ns = statistics.length_ns();
  if (length_ns <= 0) return 0;
  return 100 * static_cast<double>(name.total_ns) / static_cast<double>(length_ns);
}

std::uint64_t nearest_rank(std::uint64_t count, double part) {
  // In whole per mille: products of doubles would step over the next rank now and then.
  const auto per_mille = static_cast<std::uint64_t>(std::llround(part * 1000));
  const std::uint64_t rank = count / 1000 * per_mille + (count % 1000 * per_mille + 999) / 1000;
  return std::clamp<std::uint64_t>(rank, 1, count) - 1;
}

SliceStatistics slice_statistics(const SliceSet& set, const StatisticsQuery& query, unsigned jobs,
                                 const std::atomic<bool>* cancelled) {
  SliceStatistics out;
  out.query = query;
  const Edges edges = edges_of(query);
  const std::vector<MeasuredTrack> tracks = measured_tracks(set, query, cancelled);
  find_bounds(tracks, out);
  out.track_count = tracks.size();
  const std::vector<RowStretch> pieces = pieces_of(tracks);
  const std::size_t name_count = set.strings->size();
  const AddedUp all = add_up(tracks, pieces, edges, name_count, jobs, cancelled);
  if (is_set(cancelled)) return out;

  std::vector<std::uint8_t> asked(name_count);
  std::vector<DurationRanks> ranks(name_count);
  for (std::size_t i = 0; i < name_count; ++i) {
    const Sums& sums = all.sums[i];
    asked[i] = sums.count > 1 && sums.depth == kSeveralDepths ? 1 : 0;
    if (sums.count > 0) ranks[i] = {sums.count, sums.min_ns, sums.max_ns};
  }
  const std::vector<std::int64_t> repeated =
      repeated_times(tracks, edges, asked, name_count > kNamesPerWorker ? 1 : jobs, cancelled);
  find_ranks(pieces, edges, ranks, jobs, cancelled);
  if (is_set(cancelled)) return out;

  std::vector<std::uint32_t> place(name_count);
  for (std::size_t i = 0; i < name_count; ++i) {
    const Sums& sums = all.sums[i];
    if (sums.count == 0) continue;
    place[i] = static_cast<std::uint32_t>(out.names.size());
    NameStatistics& name = out.names.emplace_back();
    name.name = StringId{static_cast<std::uint32_t>(i)};
    name.count = sums.count;
    name.sum_ns = name.finished_sum_ns = sums.sum_ns;
    name.total_ns = saturating_difference(sums.sum_ns, repeated[i]);
    name.self_ns = sums.self_ns;
    name.median_ns = ranks[i].values_ns[0];
    name.p90_ns = ranks[i].values_ns[1];
    name.p99_ns = ranks[i].values_ns[2];
    name.min_ns = sums.min_ns;
    name.max_ns = sums.max_ns;
    name.longest = pieces[sums.longest_row].place;
    name.longest.slice = sums.longest;
    out.call_count += sums.count;
    out.self_ns = saturating_sum(out.self_ns, sums.self_ns);
  }
  for (const Unfinished& call : all.unfinished) {
    NameStatistics& name = out.names[place[call.name]];
    ++name.unfinished_count;
    name.finished_sum_ns = saturating_difference(name.finished_sum_ns, call.duration_ns);
  }
  std::sort(
      out.names.begin(), out.names.end(), [](const NameStatistics& a, const NameStatistics& b) {
        return a.total_ns != b.total_ns ? a.total_ns > b.total_ns : index(a.name) < index(b.name);
      });
  return out;
}

std::uint64_t call_count(const SliceSet& set, const StatisticsQuery& query,
                         const std::atomic<bool>* cancelled) {
  std::uint64_t count = 0;
  for (const MeasuredTrack& track : measured_tracks(set, query, cancelled)) count += track.count;
  return count;
}

void for_calls_of(const SliceSet& set, StringId name, const StatisticsQuery& query,
                  const std::function<bool(std::span<const MeasuredCall>)>& take,
                  const std::atomic<bool>* cancelled) {
  const Edges edges = edges_of(query);
  auto columns = std::make_unique<SliceColumns>();
  std::vector<MeasuredCall> calls;
  bool wanted = true;
  const std::vector<MeasuredTrack> tracks = measured_tracks(set, query, cancelled);
  for (const RowStretch& piece : pieces_of(tracks)) {
    if (!wanted || is_set(cancelled)) return;
    for_columns(
        piece, edges, *columns,
        [&](const SliceColumns& at, const SliceChunk&, std::uint64_t first, std::uint32_t count) {
          for (std::uint32_t k = 0; k < count; ++k) {
            if (at.names[k] != index(name)) continue;
            MeasuredCall& call = calls.emplace_back();
            call.slice = piece.place;
            call.slice.slice = first + k;
            call.begin_ns = at.begins[k];
            call.duration_ns = at.durations[k];
          }
          if (calls.size() < kChunkSlices || !wanted) return;
          wanted = take(calls);
          calls.clear();
        });
  }
  if (wanted && !calls.empty() && !is_set(cancelled)) take(calls);
}

std::vector<std::int64_t> durations_of(const SliceSet& set, StringId name,
                                       const StatisticsQuery& query,
                                       const std::atomic<bool>* cancelled) {
  std::vector<std::int64_t> durations;
  for_calls_of(
      set, name, query,
      [&](std::span<const MeasuredCall> calls) {
        for (const MeasuredCall& call : calls) durations.push_back(call.duration_ns);
        return true;
      },
      cancelled);
  return durations;
}

}  // namespace cinderscope
