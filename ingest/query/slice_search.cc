#include "ingest/query/slice_search.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "ingest/parallel.h"
#include "ingest/query/name_mask.h"
#include "ingest/query/record_match.h"

namespace cinderscope {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint32_t kUnitChunks = 64;  // looked at without asking whether to go on
constexpr std::chrono::milliseconds kShowPause{100}, kBatchTime{50};
constexpr int kShowCostShare = 8;  // showing takes at most an eighth of the time

// One row while it is searched.
struct SearchedRow {
  const TrackSlices* track = nullptr;
  bool instants = false;
  BlockId block{};
  std::uint32_t row = 0;
  const SliceRow* slices = nullptr;
  std::uint64_t first = 0, end = 0;  // what of it lies in the scope
  std::vector<ChunkBits> bits;
  std::vector<std::uint32_t> bits_of_chunk;  // index into `bits` + 1, by chunk; empty: no bits yet
};

// Some chunks of a row: what one thread takes at a time.
struct Unit {
  std::uint32_t row = 0, first_chunk = 0, end_chunk = 0;
  std::vector<std::pair<std::uint32_t, ChunkBits>> found;  // by chunk; those with any
};

bool id_or_name(const SearchTerm& term, std::string_view id, std::string_view name) {
  return id == term.text || term.test.holds(name);
}

// The terms on threads and processes.
bool track_holds(const SearchQuery& query, const StringPool& strings, const TrackSlices& track) {
  return std::all_of(query.terms.begin(), query.terms.end(), [&](const SearchTerm& term) {
    const std::string_view tid = strings.text(track.tid), pid = strings.text(track.pid);
    switch (term.field) {
      case TermField::thread: {
        const bool own = track.name != kEmptyString && term.test.holds(strings.text(track.name));
        return (own || id_or_name(term, tid, strings.text(track.thread_name))) != term.negated;
      }
      case TermField::process:
        return id_or_name(term, pid, strings.text(track.process_name)) != term.negated;
      case TermField::tid:
        return (tid == term.text) != term.negated;
      case TermField::pid:
        return (pid == term.text) != term.negated;
      default:
        return true;
    }
  });
}

ChunkBits all_bits(std::uint32_t count) {
  ChunkBits bits{};
  for (std::uint32_t i = 0; i < count; ++i) bits[i / 64] |= std::uint64_t{1} << i % 64;
  return bits;
}

// A word of bits is put together before it is stored: that is what the time goes into.
template <class T>
void mark_names_as(const PackedColumn& names, std::uint32_t count, const NameMask& mask,
                   ChunkBits& bits) {
  for (std::uint32_t first = 0; first < count; first += 64) {
    const std::uint32_t size = std::min(count - first, 64U);
    const std::byte* data = names.data + std::size_t{first} * sizeof(T);
    std::uint64_t word = 0;
    for (std::uint32_t i = 0; i < size; ++i) {
      T value;
      std::memcpy(&value, data + std::size_t{i} * sizeof(T), sizeof(T));
      word |= static_cast<std::uint64_t>(mask.holds(names.base + value)) << i;
    }
    bits[first / 64] = word;
  }
}

// The slices whose names match; the column's width is looked at once and not for each of them.
void mark_names(const SliceChunk& chunk, const NameMask& mask, ChunkBits& bits) {
  const PackedColumn& names = chunk.names();
  switch (names.width) {
    case 1:
      return mark_names_as<std::uint8_t>(names, chunk.count(), mask, bits);
    case 2:
      return mark_names_as<std::uint16_t>(names, chunk.count(), mask, bits);
    case 4:
      return mark_names_as<std::uint32_t>(names, chunk.count(), mask, bits);
    case 8:
      return mark_names_as<std::uint64_t>(names, chunk.count(), mask, bits);
    default:
      if (mask.holds(names.base)) bits = all_bits(chunk.count());
  }
}

bool any_bit(const ChunkBits& bits) {
  return std::any_of(bits.begin(), bits.end(), [](std::uint64_t word) { return word != 0; });
}

class Searcher {
 public:
  Searcher(const SearchQuestion& question, const std::atomic<bool>& cancelled,
           const std::function<void(SearchAnswer)>& show_now)
      : question_(question), cancelled_(cancelled), show_now_(show_now) {
    for (const SearchTerm& term : question.query.terms) {
      if (term.times) times_.push_back(&term);
    }
  }

  SearchAnswer run() {
    count_unsearched();
    const bool by_record = question_.query.reads_records();
    // A name by itself says nothing where a record must be read for every call.
    const bool by_name = std::none_of(question_.query.terms.begin(), question_.query.terms.end(),
                                      [](const SearchTerm& term) { return term.reads_record(); });
    list_rows();
    if (by_name && !search_names()) return {};
    answer_.names_done = true;
    answer_.complete = !by_record || question_.slices->tracks.empty();
    show();
    if (!by_record || question_.source == nullptr) return answer_;
    if (!search_records()) return {};
    answer_.complete = true;
    answer_.records_read = 1;
    show();
    return answer_;
  }

 private:
  // More than so many are shown by their count before they are put in order.
  static constexpr std::uint64_t kShownUnordered = 200'000;

  bool stopped() const { return cancelled_.load(std::memory_order_relaxed); }

  void count_unsearched() {
    std::uint64_t on_disk = 0, loaded = 0;
    for (const TrackSlices& track : question_.slices->tracks) {
      if (!question_.scope.has_track(track.track)) continue;
      for (std::size_t b = 0; b < track.blocks.size(); ++b) {
        const SliceBlock* block = track.blocks[b].get();
        if (block == nullptr) continue;
        for (const DeferredChildren& deferred : block->deferred) {
          on_disk += deferred.count;
          if (deferred.count == 0) answer_.more_unsearched = true;
        }
        if (b > 0) loaded += block->child_count;
      }
    }
    answer_.unsearched_calls = on_disk - std::min(on_disk, loaded);
  }

  void list_rows() {
    const StringPool& strings = *question_.slices->strings;
    for (const TrackSlices& track : question_.slices->tracks) {
      if (!question_.scope.has_track(track.track)) continue;
      if (!track_holds(question_.query, strings, track)) continue;
      add_row({.track = &track, .instants = true, .slices = &track.instants});
      for (std::uint32_t b = 0; b < track.blocks.size(); ++b) {
        if (track.blocks[b] == nullptr) continue;
        const std::vector<SliceRow>& marks = track.blocks[b]->marks;
        for (std::uint32_t row = 0; row < marks.size(); ++row) {
          add_row({.track = &track,
                   .instants = true,
                   .block = BlockId{b},
                   .row = row,
                   .slices = &marks[row]});
        }
      }
      for (std::uint32_t b = 0; b < track.blocks.size(); ++b) {
        if (track.blocks[b] == nullptr) continue;
        const std::vector<SliceRow>& rows = track.blocks[b]->rows;
        for (std::uint32_t row = 0; row < rows.size(); ++row) {
          add_row({.track = &track, .block = BlockId{b}, .row = row, .slices = &rows[row]});
        }
      }
    }
  }

  void add_row(SearchedRow row) {
    const SliceRow& slices = *row.slices;
    row.end = slices.count();
    if (row.end == 0) return;
    const SliceScope& scope = question_.scope;
    if (scope.has_range()) {
      if (scope.end_ns != INT64_MAX) row.end = slices.lower_bound(scope.end_ns);
      const std::uint64_t begun = slices.last_begun(scope.begin_ns);
      row.first = begun == slices.count() ? 0 : begun;
      // What ends where the range begins lies outside, unless it begins there, too.
      const bool before = row.first < row.end && slices.end_ns(row.first) <= scope.begin_ns &&
                          slices.begin_ns(row.first) < scope.begin_ns;
      if (before) ++row.first;
      // Others that begin with it lie before it.
      if (!before) row.first = std::min(row.first, slices.lower_bound(scope.begin_ns));
      if (row.first >= row.end) return;
    }
    rows_.push_back(std::move(row));
  }

  std::vector<Unit> units(std::uint32_t chunks_each) const {
    std::vector<Unit> made;
    for (std::uint32_t i = 0; i < rows_.size(); ++i) {
      const auto first = static_cast<std::uint32_t>(rows_[i].first / kChunkSlices);
      const auto end = static_cast<std::uint32_t>((rows_[i].end - 1) / kChunkSlices + 1);
      for (std::uint32_t chunk = first; chunk < end; chunk += chunks_each) {
        made.push_back({i, chunk, std::min(end, chunk + chunks_each), {}});
      }
    }
    return made;
  }

  // Clears what lies outside of the scope or lasts too short or too long.
  void keep_in_bounds(const SearchedRow& row, std::uint32_t chunk, ChunkBits& bits) const {
    const std::uint64_t first = std::uint64_t{chunk} * kChunkSlices;
    const SliceChunk& slices = *row.slices->chunks[chunk];
    const bool cut = first < row.first || first + slices.count() > row.end;
    if (!cut && times_.empty()) return;
    for (std::uint32_t word = 0; word < bits.size(); ++word) {
      for (std::uint64_t rest = bits[word]; rest != 0; rest &= rest - 1) {
        const std::uint32_t k = word * 64 + static_cast<std::uint32_t>(std::countr_zero(rest));
        const bool inside = first + k >= row.first && first + k < row.end;
        const bool holds =
            inside && std::all_of(times_.begin(), times_.end(), [&](const SearchTerm* term) {
              return term->times->holds(slices.duration_ns(k)) != term->negated;
            });
        if (!holds) bits[word] &= ~(std::uint64_t{1} << k % 64);
      }
    }
  }

  bool search_names() {
    const std::optional<NameMask> mask =
        name_mask(question_.query, *question_.slices->strings, question_.jobs, cancelled_);
    if (!mask) return false;
    if (mask->empty()) return true;
    std::vector<Unit> all = units(kUnitChunks);
    parallel_for(all.size(), question_.jobs, [&](std::size_t i) {
      if (!stopped()) search_names_of(all[i], *mask);
    });
    if (stopped()) return false;
    for (const Unit& unit : all) name_count_ += take(unit);
    return true;
  }

  void search_names_of(Unit& unit, const NameMask& mask) const {
    const SearchedRow& row = rows_[unit.row];
    for (std::uint32_t c = unit.first_chunk; c < unit.end_chunk; ++c) {
      const SliceChunk& chunk = *row.slices->chunks[c];
      if (!mask.any_of(chunk.names())) continue;
      ChunkBits bits{};
      mark_names(chunk, mask, bits);
      if (!any_bit(bits)) continue;
      keep_in_bounds(row, c, bits);
      if (any_bit(bits)) unit.found.emplace_back(c, bits);
    }
  }

  // Adds what a unit found to its row; returns how many there are.
  std::uint64_t take(const Unit& unit) {
    SearchedRow& row = rows_[unit.row];
    std::uint64_t added = 0;
    for (const auto& [chunk, bits] : unit.found) {
      if (row.bits_of_chunk.empty()) row.bits_of_chunk.resize(row.slices->chunks.size());
      std::uint32_t& place = row.bits_of_chunk[chunk];
      if (place == 0) {
        row.bits.emplace_back();
        place = static_cast<std::uint32_t>(row.bits.size());
      }
      ChunkBits& all = row.bits[place - 1];
      for (std::size_t word = 0; word < bits.size(); ++word) {
        added += static_cast<std::uint64_t>(std::popcount(bits[word] & ~all[word]));
        all[word] |= bits[word];
      }
    }
    count_ += added;
    return added;
  }

  bool search_records() {
    std::vector<Unit> all = units(1);
    std::size_t at = 0, batch = std::max(1u, question_.jobs);
    Clock::time_point shown = Clock::now();
    Clock::duration pause = kShowPause;
    while (at < all.size()) {
      const Clock::time_point began = Clock::now();
      const std::size_t size = std::min(batch, all.size() - at);
      parallel_for(size, question_.jobs, [&](std::size_t i) { search_records_of(all[at + i]); });
      if (stopped()) return false;
      for (std::size_t i = at; i < at + size; ++i) {
        args_count_ += take(all[i]);
        all[i].found = {};
      }
      at += size;
      const Clock::time_point now = Clock::now();
      if (now - began < kBatchTime / 2) batch *= 2;
      if (now - began > kBatchTime * 2) batch = std::max<std::size_t>(batch / 2, 1);
      if (now - shown < pause || at == all.size()) continue;
      answer_.records_read = static_cast<double>(at) / static_cast<double>(all.size());
      show();
      shown = Clock::now();
      pause = std::max<Clock::duration>(kShowPause, (shown - now) * kShowCostShare);
    }
    return true;
  }

  void search_records_of(Unit& unit) const {
    const SearchedRow& row = rows_[unit.row];
    const StringPool& strings = *question_.slices->strings;
    for (std::uint32_t c = unit.first_chunk; c < unit.end_chunk; ++c) {
      const SliceChunk& chunk = *row.slices->chunks[c];
      ChunkBits wanted = all_bits(chunk.count());
      if (!row.bits_of_chunk.empty() && row.bits_of_chunk[c] != 0) {
        const ChunkBits& known = row.bits[row.bits_of_chunk[c] - 1];
        for (std::size_t word = 0; word < wanted.size(); ++word) wanted[word] &= ~known[word];
      }
      keep_in_bounds(row, c, wanted);
      ChunkBits bits{};
      for (std::uint32_t i = 0; i < chunk.count(); ++i) {
        if ((wanted[i / 64] >> i % 64 & 1) == 0) continue;
        if (stopped()) return;
        const Slice slice = chunk.slice(i);
        const bool has_record = slice.record != kNoRecord;
        const RecordText text =
            has_record ? question_.source->describe(slice.record, slice.end_record) : RecordText{};
        if (!record_holds(question_.query, strings.text(slice.name), text)) continue;
        bits[i / 64] |= std::uint64_t{1} << i % 64;
      }
      if (any_bit(bits)) unit.found.emplace_back(c, bits);
    }
  }

  std::shared_ptr<const MatchSet> match_set(bool order) const {
    auto set = std::make_shared<MatchSet>();
    set->slices = question_.slices;
    set->name_count = name_count_;
    set->args_count = args_count_;
    for (const SearchedRow& row : rows_) {
      if (row.bits.empty()) continue;
      MatchRow& made = set->rows.emplace_back();
      made.track = row.track->track;
      made.instants = row.instants;
      made.block = row.block;
      made.row = row.row;
      made.slices = row.slices;
      for (std::uint32_t chunk = 0; chunk < row.bits_of_chunk.size(); ++chunk) {
        if (row.bits_of_chunk[chunk] == 0) continue;
        made.chunks.push_back(chunk);
        made.bits.push_back(row.bits[row.bits_of_chunk[chunk] - 1]);
      }
    }
    count_matches(*set);
    if (order) order_matches(*set, cancelled_);
    return set;
  }

  void show() {
    if (count_ > kShownUnordered) {
      answer_.matches = match_set(false);
      if (show_now_) show_now_(answer_);
    }
    answer_.matches = match_set(true);
    if (show_now_ && !stopped()) show_now_(answer_);
  }

  const SearchQuestion& question_;
  const std::atomic<bool>& cancelled_;
  const std::function<void(SearchAnswer)>& show_now_;
  std::vector<const SearchTerm*> times_;
  std::vector<SearchedRow> rows_;
  std::uint64_t count_ = 0, name_count_ = 0, args_count_ = 0;
  SearchAnswer answer_;
};

}  // namespace

SearchAnswer search_slices(const SearchQuestion& question, const std::atomic<bool>& cancelled,
                           const std::function<void(SearchAnswer)>& show_now) {
  return Searcher(question, cancelled, show_now).run();
}

}  // namespace cinderscope
