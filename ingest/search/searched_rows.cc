#include "ingest/search/searched_rows.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace cinderscope {

namespace {

bool id_or_name(const SearchTerm& term, std::string_view id, std::string_view name) {
  return id == term.text || term.test.holds(name);
}

// What of the row lies in the scope, if anything.
void add_row(SearchedRow row, const Scope& scope, std::vector<SearchedRow>& rows) {
  const SliceRow& slices = *row.slices;
  row.end = slices.count();
  if (row.end == 0) return;
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
  if (row.picked != nullptr) {
    row.first = std::max(row.first, row.picked->runs.front().first);
    row.end = std::min(row.end, row.picked->runs.back().end);
    if (row.first >= row.end) return;
  }
  rows.push_back(std::move(row));
}

}  // namespace

bool track_holds(const SearchQuery& query, const StringPool& strings, const TrackSlices& track) {
  return std::all_of(query.terms.begin(), query.terms.end(), [&](const SearchTerm& term) {
    const std::string_view tid = strings.text(track.tid), pid = strings.text(track.pid);
    switch (term.field) {
      case TermField::thread: {
        const bool own = track.name != kEmptyString && term.test.holds(strings.text(track.name));
        return (own || id_or_name(term, tid, strings.text(track.thread_name))) != term.negated;
      }
      case TermField::process: {
        const bool of_file = !track.file.empty() && term.test.holds(track.file);
        return (of_file || id_or_name(term, pid, strings.text(track.process_name))) != term.negated;
      }
      case TermField::tid:
        return (tid == term.text) != term.negated;
      case TermField::pid:
        return (pid == term.text) != term.negated;
      default:
        return true;
    }
  });
}

std::vector<SearchedRow> searched_rows(const SearchQuestion& question, const PickedSlices* picked) {
  std::vector<SearchedRow> rows;
  const auto add = [&](SearchedRow row) {
    if (picked != nullptr) {
      // Instants are in no set.
      if (row.instants) return;
      row.picked = picked->row_of({row.track->track, row.block, row.row, 0});
      if (row.picked == nullptr) return;
    }
    add_row(std::move(row), question.scope, rows);
  };
  const StringPool& strings = *question.slices->strings;
  for (const TrackSlices& track : question.slices->tracks) {
    if (!is_searched(track, question.scope)) continue;
    if (!track_holds(question.query, strings, track)) continue;
    add({.track = &track, .instants = true, .slices = &track.instants});
    for (std::uint32_t b = 0; b < track.blocks.size(); ++b) {
      if (track.blocks[b] == nullptr) continue;
      const std::vector<SliceRow>& nested = track.blocks[b]->nested_instants;
      for (std::uint32_t row = 0; row < nested.size(); ++row) {
        add({.track = &track,
             .instants = true,
             .block = BlockId{b},
             .row = row,
             .slices = &nested[row]});
      }
    }
    for (std::uint32_t b = 0; b < track.blocks.size(); ++b) {
      if (track.blocks[b] == nullptr) continue;
      const std::vector<SliceRow>& all = track.blocks[b]->rows;
      for (std::uint32_t row = 0; row < all.size(); ++row) {
        add({.track = &track, .block = BlockId{b}, .row = row, .slices = &all[row]});
      }
    }
  }
  return rows;
}

std::vector<SearchUnit> search_units(std::span<const SearchedRow> rows, std::uint32_t chunks_each) {
  std::vector<SearchUnit> made;
  std::uint64_t place = 0;
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    const auto first = static_cast<std::uint32_t>(rows[i].first / kChunkSlices);
    const auto end = static_cast<std::uint32_t>((rows[i].end - 1) / kChunkSlices + 1);
    for (std::uint32_t chunk = first; chunk < end; chunk += chunks_each) {
      made.push_back({i, chunk, std::min(end, chunk + chunks_each), place});
      place += made.back().end_chunk - chunk;
    }
  }
  return made;
}

UnsearchedCalls unsearched_calls(const SearchQuestion& question) {
  UnsearchedCalls unsearched;
  std::uint64_t on_disk = 0, loaded = 0;
  for (const TrackSlices& track : question.slices->tracks) {
    if (!is_searched(track, question.scope)) continue;
    for (std::size_t b = 0; b < track.blocks.size(); ++b) {
      const SliceBlock* block = track.blocks[b].get();
      if (block == nullptr) continue;
      for (const DeferredChildren& deferred : block->deferred) {
        const bool counted = deferred.count != 0 && deferred.count != kNotCounted;
        if (counted) on_disk += deferred.count;
        unsearched.more = unsearched.more || !counted;
      }
      if (b > 0) loaded += block->child_count;
    }
  }
  unsearched.count = on_disk - std::min(on_disk, loaded);
  return unsearched;
}

}  // namespace cinderscope
