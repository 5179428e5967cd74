#include "app/window/comparison/paired_calls.h"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "ingest/base/saturating.h"
#include "ingest/model/call_walk.h"
#include "ingest/search/slice_bits.h"

namespace cinderscope {

namespace {

NameMask mask_of(const SliceSet& set, const std::vector<StringId>& names) {
  std::vector<std::uint8_t> holds(set.strings->size());
  for (const StringId name : names) {
    if (index(name) < holds.size()) holds[index(name)] = 1;
  }
  return NameMask(std::move(holds));
}

using CallsOfTracks = std::map<std::uint32_t, std::vector<LinedCall>>;

// Goes through one side, track by track.
class Gathering {
 public:
  Gathering(const SliceSet& set, const Scope& part, NameMask mask,
            const std::atomic<bool>& cancelled)
      : part_(part), mask_(std::move(mask)), cancelled_(cancelled) {
    for (const TrackSlices& track : set.tracks) {
      const bool nests = track.kind == TrackKind::thread || track.kind == TrackKind::samples;
      if (nests && part.has_track(track.track) && !cancelled_) take_track(track);
    }
  }
  CallsOfTracks calls;
  std::uint64_t count = 0;
  bool left_out = false;

 private:
  void take_track(const TrackSlices& track) {
    std::vector<LinedCall> found;
    for (std::size_t b = 0; b < track.blocks.size(); ++b) {
      if (track.blocks[b] == nullptr) continue;
      const std::vector<SliceRow>& rows = track.blocks[b]->rows;
      for (std::uint32_t r = 0; r < rows.size() && !cancelled_; ++r) {
        take_row(rows[r], {track.track, BlockId{static_cast<std::uint32_t>(b)}, r, 0}, found);
      }
    }
    if (found.empty()) return;
    std::ranges::sort(found, [](const LinedCall& x, const LinedCall& y) {
      return std::tuple(x.begin_ns, y.end_ns, x.slice.row) <
             std::tuple(y.begin_ns, x.end_ns, y.slice.row);
    });
    std::int64_t until_ns = INT64_MIN;
    for (LinedCall& call : found) {
      call.outermost = call.end_ns > until_ns || call.begin_ns >= until_ns;
      until_ns = std::max(until_ns, call.end_ns);
    }
    calls.emplace(index(track.track), std::move(found));
  }

  void take_row(const SliceRow& row, SliceRef at, std::vector<LinedCall>& found) {
    const RowSegment segment = segment_of(row, part_);
    for (std::size_t c = segment.first / kChunkSlices; c < row.chunks.size() && !cancelled_; ++c) {
      if (c * kChunkSlices >= segment.end) break;
      const SliceChunk& chunk = *row.chunks[c];
      ChunkBits bits{};
      const std::uint32_t marked = mark_names(chunk, mask_, bits);
      if (marked == 0) continue;
      for (std::size_t word = 0; word < bits.size(); ++word) {
        for (std::uint64_t left = bits[word]; left != 0; left &= left - 1) {
          const auto i = static_cast<std::uint32_t>(word * 64) +
                         static_cast<std::uint32_t>(std::countr_zero(left));
          at.slice = c * kChunkSlices + i;
          if (at.slice < segment.first || at.slice >= segment.end) continue;
          ++count;
          if (kept_ >= kMostLinedCalls) {
            left_out = true;
            continue;
          }
          found.push_back({chunk.begin_ns(i), chunk.end_ns(i), at, true});
          ++kept_;
        }
      }
    }
  }

  const Scope& part_;
  NameMask mask_;
  const std::atomic<bool>& cancelled_;
  std::size_t kept_ = 0;
};

void add_pairs(const std::vector<LinedCall>& a, const std::vector<LinedCall>& b, PairedCalls& out) {
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) out.pairs.push_back({a[k], b[k]});
}

// The values of one argument, read from the trace.
class ArgumentValues {
 public:
  ArgumentValues(const SliceSet& set, const RecordReader& reader, const std::string& key,
                 const std::atomic<bool>& cancelled)
      : reader_(reader), key_(key), cancelled_(cancelled) {
    for (const TrackSlices& track : set.tracks) tracks_.emplace(index(track.track), &track);
  }
  // Of each call; nothing: it has no such argument, or there were too many calls to read.
  std::vector<std::optional<std::string>> of(const std::vector<LinedCall>& calls) {
    std::vector<std::optional<std::string>> values(calls.size());
    for (std::size_t i = 0; i < calls.size() && !cancelled_; ++i) {
      if (read_++ >= kMostReadCalls) {
        left_out = true;
        break;
      }
      values[i] = of(calls[i].slice);
    }
    return values;
  }
  bool left_out = false;

 private:
  std::optional<std::string> of(const SliceRef& at) const {
    const SliceBlock& block = *tracks_.at(index(at.track))->blocks[index(at.block)];
    const Slice slice = block.rows[at.row].slice(at.slice);
    if (slice.record == kNoRecord) return std::nullopt;
    const RecordText text = reader_.describe(slice.record, slice.end_record);
    for (const ArgsNode& node : text.args.nodes) {
      const bool is_scalar = node.kind != ArgsKind::object && node.kind != ArgsKind::array;
      if (is_scalar && node.key == key_) return node.value;
    }
    const auto fact =
        std::ranges::find(text.facts, key_, &std::pair<std::string, std::string>::first);
    return fact == text.facts.end() ? std::nullopt : std::optional(fact->second);
  }

  const RecordReader& reader_;
  const std::string& key_;
  const std::atomic<bool>& cancelled_;
  std::unordered_map<std::uint32_t, const TrackSlices*> tracks_;
  std::size_t read_ = 0;
};

using ValuesOfSides = OfSides<std::optional<ArgumentValues>>;

void add_equal(const std::vector<LinedCall>& a, const std::vector<LinedCall>& b,
               ValuesOfSides& values, PairedCalls& out) {
  struct Waiting {
    std::vector<std::size_t> calls;  // of B, in their order
    std::size_t next = 0;
  };
  std::unordered_map<std::string, Waiting> waiting;
  const auto of_a = values[side_a]->of(a), of_b = values[side_b]->of(b);
  for (std::size_t i = 0; i < b.size(); ++i) {
    if (of_b[i]) waiting[*of_b[i]].calls.push_back(i);
  }
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto found = of_a[i] ? waiting.find(*of_a[i]) : waiting.end();
    if (found == waiting.end() || found->second.next >= found->second.calls.size()) continue;
    out.pairs.push_back({a[i], b[found->second.calls[found->second.next++]]});
  }
}

std::vector<LinedCall> all_by_time(const CallsOfTracks& calls) {
  std::vector<LinedCall> all;
  for (const auto& [track, of_track] : calls)
    all.insert(all.end(), of_track.begin(), of_track.end());
  std::ranges::stable_sort(all, {}, &LinedCall::begin_ns);
  return all;
}

void sum_up(PairedCalls& out) {
  for (std::size_t i = 0; i < out.pairs.size(); i += PairedCalls::kSpanPairs) {
    PairSpan span;
    const std::size_t end = std::min(i + PairedCalls::kSpanPairs, out.pairs.size());
    for (std::size_t k = i; k < end; ++k) {
      const CallPair& pair = out.pairs[k];
      span.a_begin_ns = std::min(span.a_begin_ns, pair.a.begin_ns);
      span.a_end_ns = std::max(span.a_end_ns, pair.a.end_ns);
      span.b_begin_ns = std::min(span.b_begin_ns, pair.b.begin_ns);
      span.b_end_ns = std::max(span.b_end_ns, pair.b.end_ns);
      span.longest_ns =
          std::max({span.longest_ns, saturating_difference(pair.a.end_ns, pair.a.begin_ns),
                    saturating_difference(pair.b.end_ns, pair.b.begin_ns)});
    }
    out.spans.push_back(span);
  }
}

}  // namespace

std::optional<std::size_t> PairedCalls::pair_of(Side side, const SliceRef& slice) const {
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if ((side == side_a ? pairs[i].a : pairs[i].b).slice == slice) return i;
  }
  return std::nullopt;
}

PairedCalls paired_calls(const SliceSet& a, const SliceSet& b,
                         const OfSides<std::vector<StringId>>& names,
                         const std::vector<TrackPair>& threads, const std::atomic<bool>& cancelled,
                         const PairedBy& by, const OfSides<Scope>& parts) {
  PairedCalls out;
  const Gathering of_a(a, parts[side_a], mask_of(a, names[side_a]), cancelled);
  const Gathering of_b(b, parts[side_b], mask_of(b, names[side_b]), cancelled);
  out.count = {of_a.count, of_b.count};
  out.left_out = of_a.left_out || of_b.left_out;
  ValuesOfSides values;
  const bool by_value = !by.key.empty() && by.readers[side_a] && by.readers[side_b];
  if (by_value) {
    values[side_a].emplace(a, *by.readers[side_a], by.key, cancelled);
    values[side_b].emplace(b, *by.readers[side_b], by.key, cancelled);
  }
  const auto add = [&](const std::vector<LinedCall>& calls_a,
                       const std::vector<LinedCall>& calls_b) {
    if (by_value) return add_equal(calls_a, calls_b, values, out);
    add_pairs(calls_a, calls_b, out);
  };
  bool together = false;  // some thread and its partner have such calls
  for (const TrackPair& pair : threads) {
    const auto calls_a = of_a.calls.find(index(pair.a)), calls_b = of_b.calls.find(index(pair.b));
    if (calls_a == of_a.calls.end() || calls_b == of_b.calls.end()) continue;
    add(calls_a->second, calls_b->second);
    together = true;
  }
  if (!together) add(all_by_time(of_a.calls), all_by_time(of_b.calls));
  for (const auto& side : values) out.left_out |= side && side->left_out;
  std::ranges::stable_sort(out.pairs, {}, [](const CallPair& pair) { return pair.a.begin_ns; });
  sum_up(out);
  out.whole = !cancelled;
  return out;
}

std::optional<LinedCall> call_of_duration(const SliceSet& set, const std::vector<StringId>& names,
                                          std::int64_t duration_ns, const Scope& scope,
                                          const std::atomic<bool>& cancelled) {
  const NameMask mask = mask_of(set, names);
  for (const TrackSlices& track : set.tracks) {
    if (!scope.has_track(track.track)) continue;
    std::optional<LinedCall> first;
    for (std::size_t b = 0; b < track.blocks.size(); ++b) {
      if (track.blocks[b] == nullptr) continue;
      const std::vector<SliceRow>& rows = track.blocks[b]->rows;
      for (std::uint32_t r = 0; r < rows.size(); ++r) {
        for (std::size_t c = 0; c < rows[r].chunks.size() && !cancelled; ++c) {
          const SliceChunk& chunk = *rows[r].chunks[c];
          ChunkBits bits{};
          if (mark_names(chunk, mask, bits) == 0) continue;
          for (std::size_t word = 0; word < bits.size(); ++word) {
            for (std::uint64_t left = bits[word]; left != 0; left &= left - 1) {
              const auto i = static_cast<std::uint32_t>(word * 64) +
                             static_cast<std::uint32_t>(std::countr_zero(left));
              const std::int64_t begin_ns = chunk.begin_ns(i), end_ns = chunk.end_ns(i);
              // Calls are cut at the range's edges, as they are measured.
              const std::int64_t inside_ns = saturating_difference(
                  std::min(end_ns, scope.end_ns), std::max(begin_ns, scope.begin_ns));
              if (saturating_difference(end_ns, begin_ns) != duration_ns &&
                  inside_ns != duration_ns) {
                continue;
              }
              if (inside_ns < 0 || (first && first->begin_ns <= begin_ns)) continue;
              first = LinedCall{
                  begin_ns,
                  end_ns,
                  {track.track, BlockId{static_cast<std::uint32_t>(b)}, r, c * kChunkSlices + i},
                  true};
            }
          }
        }
      }
    }
    if (first) return first;
  }
  return std::nullopt;
}

}  // namespace cinderscope
