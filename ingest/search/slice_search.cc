#include "ingest/search/slice_search.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <optional>
#include <utility>
#include <vector>

#include "ingest/base/parallel.h"
#include "ingest/model/flow_links.h"
#include "ingest/search/name_mask.h"
#include "ingest/search/prefetch.h"
#include "ingest/search/record_match.h"
#include "ingest/search/searched_rows.h"
#include "ingest/search/slice_bits.h"

namespace cinderscope {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint32_t kUnitChunks = 128;  // looked at without asking whether to go on
constexpr std::size_t kFirstUnits = 32;     // of 131072 slices: then first hits are shown
constexpr std::size_t kPrefetched = 6;      // chunks ahead of the one that is looked at
constexpr std::chrono::milliseconds kShowPause{100}, kBatchTime{50};
constexpr std::size_t kMostBatch = 4096;  // chunks
constexpr int kShowCostShare = 8;         // showing takes at most an eighth of the time

bool any_bit(const ChunkBits& bits) {
  return std::any_of(bits.begin(), bits.end(), [](std::uint64_t word) { return word != 0; });
}

class Searcher {
 public:
  Searcher(const SearchQuestion& question, const std::atomic<bool>& cancelled,
           const std::function<void(SearchAnswer)>& publish)
      : question_(question), cancelled_(cancelled), publish_(publish) {
    for (const SearchTerm& term : question.query.terms) {
      if (term.times) times_.push_back(&term);
    }
  }

  SearchAnswer run() {
    const UnsearchedCalls unsearched = unsearched_calls(question_);
    answer_.unsearched_calls = unsearched.count;
    answer_.more_unsearched = unsearched.more;
    const bool without_args = question_.source != nullptr && !question_.source->has_args();
    const bool by_record =
        without_args ? std::any_of(question_.query.terms.begin(), question_.query.terms.end(),
                                   [](const SearchTerm& term) { return term.reads_record(); })
                     : question_.query.reads_records();
    // A name by itself says nothing where a record must be read for every call.
    const bool by_name = std::none_of(question_.query.terms.begin(), question_.query.terms.end(),
                                      [](const SearchTerm& term) { return term.reads_record(); });
    if (question_.scope.has_set()) {
      picked_ = slices_of_set(*question_.slices, question_.scope, &cancelled_);
    }
    rows_ = searched_rows(question_, question_.scope.has_set() ? &picked_ : nullptr);
    if (by_name && !search_names()) return {};
    answer_.names_done = true;
    answer_.complete = !by_record || question_.slices->tracks.empty();
    show(names_found());
    if (!by_record || question_.source == nullptr) return answer_;
    if (!search_records()) return {};
    answer_.complete = true;
    answer_.records_read = 1;
    show(all_found());
    return answer_;
  }

 private:
  // More than so many are shown by their count before they are put in order, which takes a
  // millisecond for each three thousand.
  static constexpr std::uint64_t kShownUnordered = 20'000;

  bool stopped() const { return cancelled_.load(std::memory_order_relaxed); }

  // Clears what lies outside of the scope or lasts too short or too long; true if it looked.
  bool keep_in_bounds(const SearchedRow& row, std::uint32_t chunk, ChunkBits& bits) const {
    const std::uint64_t first = std::uint64_t{chunk} * kChunkSlices;
    const SliceChunk& slices = *row.slices->chunks[chunk];
    const bool cut = first < row.first || first + slices.count() > row.end;
    if (cut) {
      const std::uint64_t from = std::max(row.first, first) - first;
      const std::uint64_t to = std::min<std::uint64_t>(row.end - first, slices.count());
      keep_between(static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to), bits);
    }
    if (row.picked != nullptr) keep_runs(row.picked->runs, first, bits);
    for (const SearchTerm* term : times_) {
      keep_durations(slices, *term->times, term->negated, bits);
    }
    return cut || row.picked != nullptr || !times_.empty();
  }

  // In rounds that double, so that first hits are seen soon however many slices there are.
  bool search_names() {
    const std::optional<NameMask> mask =
        name_mask(question_.query, *question_.slices->strings, question_.jobs, cancelled_);
    if (!mask) return false;
    if (mask->empty()) return true;
    const std::vector<SearchUnit> all = search_units(rows_, kUnitChunks);
    if (all.empty()) return true;
    const std::uint64_t chunks = all.back().place + (all.back().end_chunk - all.back().first_chunk);
    bits_ = std::make_shared_for_overwrite<ChunkBits[]>(chunks);
    chunk_counts_.resize(chunks);
    std::optional<Clock::time_point> shown;
    std::size_t round = kFirstUnits;
    for (std::size_t at = 0; at < all.size(); round *= 2) {
      const std::size_t size = std::min(round, all.size() - at);
      parallel_for(size, question_.jobs, [&](std::size_t i) {
        if (!stopped()) search_names_of(all[at + i], *mask);
      });
      if (stopped()) return false;
      for (std::size_t i = at; i < at + size; ++i) take_names(all[i]);
      at += size;
      if (at == all.size() || name_count_ == 0) continue;
      if (shown && Clock::now() - *shown < kShowPause) continue;
      shown = Clock::now();
      answer_.matches = names_found();
      if (publish_) publish_(answer_);
    }
    return true;
  }

  void search_names_of(const SearchUnit& unit, const NameMask& mask) {
    const SearchedRow& row = rows_[unit.row];
    std::uint64_t place = unit.place;
    for (std::size_t i = 0; i < 2 * kPrefetched; ++i) {
      prefetch_header(*row.slices, unit.first_chunk + i);
    }
    for (std::size_t i = 0; i < kPrefetched; ++i) prefetch_names(*row.slices, unit.first_chunk + i);
    for (std::uint32_t c = unit.first_chunk; c < unit.end_chunk; ++c, ++place) {
      prefetch_header(*row.slices, c + 2 * kPrefetched);
      prefetch_names(*row.slices, c + kPrefetched);
      ChunkBits bits;
      std::uint32_t count = mark_names(*row.slices->chunks[c], mask, bits);
      if (count > 0 && keep_in_bounds(row, c, bits)) count = count_bits(bits);
      chunk_counts_[place] = static_cast<std::uint16_t>(count);
      if (count > 0) bits_.get()[place] = bits;
    }
  }

  // Moves the bits of chunks with matches together; units come in order.
  void take_names(const SearchUnit& unit) {
    const SearchedRow& row = rows_[unit.row];
    std::uint64_t place = unit.place;
    for (std::uint32_t c = unit.first_chunk; c < unit.end_chunk; ++c, ++place) {
      const std::uint32_t count = chunk_counts_[place];
      if (count == 0) continue;
      if (found_.empty() || found_.back().slices != row.slices) {
        found_.push_back(match_row(row));
        found_.back().before.push_back(0);
        found_bits_.push_back(kept_chunks_);
      }
      MatchRow& found = found_.back();
      found.chunks.push_back(c);
      found.before.push_back(found.before.back() + count);
      if (kept_chunks_ != place) bits_.get()[kept_chunks_] = bits_.get()[place];
      ++kept_chunks_;
      name_count_ += count;
    }
  }

  static MatchRow match_row(const SearchedRow& row) {
    MatchRow made;
    made.track = row.track->track;
    made.instants = row.instants;
    made.block = row.block;
    made.row = row.row;
    made.slices = row.slices;
    return made;
  }

  std::shared_ptr<MatchSet> names_found() const {
    auto set = std::make_shared<MatchSet>();
    set->slices = question_.slices;
    set->name_count = name_count_;
    set->rows = found_;
    if (bits_ != nullptr) set->kept.push_back(bits_);
    for (std::size_t i = 0; i < found_.size(); ++i) {
      set->rows[i].bits = {bits_.get() + found_bits_[i], found_[i].chunks.size()};
    }
    count_matches(*set);
    return set;
  }

  // Adds what records say of one chunk.
  std::uint64_t take(SearchedRow& row, std::uint32_t chunk, const ChunkBits& bits) {
    if (row.bits_of_chunk.empty()) {
      row.bits_of_chunk.resize(row.slices->chunks.size());
      if (row.by_name != nullptr) {
        row.bits.assign(row.by_name->bits.begin(), row.by_name->bits.end());
        for (std::uint32_t i = 0; i < row.bits.size(); ++i) {
          row.bits_of_chunk[row.by_name->chunks[i]] = i + 1;
        }
      }
    }
    std::uint32_t& place = row.bits_of_chunk[chunk];
    if (place == 0) {
      row.bits.emplace_back();
      place = static_cast<std::uint32_t>(row.bits.size());
    }
    ChunkBits& all = row.bits[place - 1];
    std::uint64_t added = 0;
    for (std::size_t word = 0; word < bits.size(); ++word) {
      added += static_cast<std::uint64_t>(std::popcount(bits[word] & ~all[word]));
      all[word] |= bits[word];
    }
    return added;
  }

  bool search_records() {
    by_name_ = answer_.matches;
    for (SearchedRow& row : rows_) {
      row.by_name = matches_of(*by_name_, row.track->track, row.instants, row.block, row.row);
    }
    const std::vector<SearchUnit> all = search_units(rows_, 1);
    std::vector<ChunkBits> found;  // of the units of a batch
    std::size_t at = 0, batch = std::max(1u, question_.jobs);
    Clock::time_point shown = Clock::now();
    Clock::duration pause = kShowPause;
    while (at < all.size()) {
      const Clock::time_point began = Clock::now();
      const std::size_t size = std::min(batch, all.size() - at);
      found.resize(size);
      parallel_for(size, question_.jobs, [&](std::size_t i) {
        found[i] = records_found(rows_[all[at + i].row], all[at + i].first_chunk);
      });
      if (stopped()) return false;
      for (std::size_t i = 0; i < size; ++i) {
        if (!any_bit(found[i])) continue;
        args_count_ += take(rows_[all[at + i].row], all[at + i].first_chunk, found[i]);
      }
      at += size;
      const Clock::time_point now = Clock::now();
      if (now - began < kBatchTime / 2) batch = std::min(batch * 2, kMostBatch);
      if (now - began > kBatchTime * 2) batch = std::max<std::size_t>(batch / 2, 1);
      if (now - shown < pause || at == all.size()) continue;
      answer_.records_read = static_cast<double>(at) / static_cast<double>(all.size());
      show(all_found());
      shown = Clock::now();
      pause = std::max<Clock::duration>(kShowPause, (shown - now) * kShowCostShare);
    }
    return true;
  }

  // Of a chunk those that names have not found.
  ChunkBits records_found(const SearchedRow& row, std::uint32_t c) const {
    const StringPool& strings = *question_.slices->strings;
    const SliceChunk& chunk = *row.slices->chunks[c];
    ChunkBits wanted = all_bits(chunk.count());
    if (row.by_name != nullptr) {
      const std::vector<std::uint32_t>& chunks = row.by_name->chunks;
      const auto known = std::lower_bound(chunks.begin(), chunks.end(), c);
      if (known != chunks.end() && *known == c) {
        const auto& bits = row.by_name->bits[static_cast<std::size_t>(known - chunks.begin())];
        for (std::size_t word = 0; word < wanted.size(); ++word) wanted[word] &= ~bits[word];
      }
    }
    keep_in_bounds(row, c, wanted);
    ChunkBits bits{};
    for (std::uint32_t i = 0; i < chunk.count(); ++i) {
      if ((wanted[i / 64] >> i % 64 & 1) == 0) continue;
      if (stopped()) return {};
      const Slice slice = chunk.slice(i);
      const bool has_record = slice.record != kNoRecord;
      const RecordText text =
          has_record ? question_.source->describe(slice.record, slice.end_record) : RecordText{};
      if (!record_holds(question_.query, strings.text(slice.name), text)) continue;
      bits[i / 64] |= std::uint64_t{1} << i % 64;
    }
    return bits;
  }

  // By names and by records.
  std::shared_ptr<MatchSet> all_found() const {
    auto set = std::make_shared<MatchSet>();
    set->slices = question_.slices;
    set->name_count = name_count_;
    set->args_count = args_count_;
    set->kept = by_name_->kept;
    std::size_t chunks = 0;
    for (const SearchedRow& row : rows_) chunks += row.bits.size();
    const auto kept = std::make_shared_for_overwrite<ChunkBits[]>(chunks);
    if (chunks > 0) set->kept.push_back(kept);
    ChunkBits* next = kept.get();
    for (const SearchedRow& row : rows_) {
      if (row.bits.empty()) {
        if (row.by_name != nullptr) set->rows.push_back(*row.by_name);
        continue;
      }
      MatchRow& made = set->rows.emplace_back(match_row(row));
      made.bits = {next, row.bits.size()};
      made.before.push_back(0);
      for (std::uint32_t chunk = 0; chunk < row.bits_of_chunk.size(); ++chunk) {
        if (row.bits_of_chunk[chunk] == 0) continue;
        made.chunks.push_back(chunk);
        *next = row.bits[row.bits_of_chunk[chunk] - 1];
        made.before.push_back(made.before.back() + count_bits(*next++));
      }
    }
    count_matches(*set);
    return set;
  }

  // Where putting them in order takes time, they are shown as they are before.
  void show(std::shared_ptr<MatchSet> found) {
    const std::uint64_t count = found->count();
    const bool shows_first = count > kShownUnordered;
    answer_.matches = found;
    if (shows_first && publish_) publish_(answer_);
    if (count > kMostOrderedMatches) return;
    const auto ordered = shows_first ? std::make_shared<MatchSet>(*found) : std::move(found);
    order_matches(*ordered, cancelled_);
    answer_.matches = ordered;
    if (publish_ && !stopped()) publish_(answer_);
  }

  const SearchQuestion& question_;
  const std::atomic<bool>& cancelled_;
  const std::function<void(SearchAnswer)>& publish_;
  std::vector<const SearchTerm*> times_;
  PickedSlices picked_;  // of the scope's set
  std::vector<SearchedRow> rows_;
  // What names have found: bits of each chunk at its place, moved together row by row as they are
  // taken. What lies before `kept_chunks_` is shared with answers and does not change any more.
  std::shared_ptr<ChunkBits[]> bits_;
  std::vector<std::uint16_t> chunk_counts_;
  std::uint64_t kept_chunks_ = 0;
  std::vector<MatchRow> found_;
  std::vector<std::uint64_t> found_bits_;  // where those of each row begin
  std::shared_ptr<const MatchSet> by_name_;
  std::uint64_t name_count_ = 0, args_count_ = 0;
  SearchAnswer answer_;
};

}  // namespace

SearchAnswer search_slices(const SearchQuestion& question, const std::atomic<bool>& cancelled,
                           const std::function<void(SearchAnswer)>& publish) {
  return Searcher(question, cancelled, publish).run();
}

}  // namespace cinderscope
