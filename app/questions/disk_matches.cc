#include "app/questions/disk_matches.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <tuple>
#include <utility>

#include "ingest/base/parallel.h"
#include "ingest/base/saturating.h"
#include "ingest/search/name_mask.h"
#include "ingest/search/record_match.h"
#include "ingest/search/searched_rows.h"
#include "ingest/search/slice_search.h"

namespace cinderscope {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kShowPause{150};
constexpr int kShowCostShare = 8;     // showing takes at most an eighth of the time
constexpr std::size_t kBatch = 8192;  // records that are read side by side

bool before(const DiskMatch& a, const DiskMatch& b) {
  return a.place() < b.place();
}

// Collects what is found: counts all, lists the first ones in time.
class Finds {
 public:
  explicit Finds(const DiskQuestion& question)
      : most_(std::max<std::size_t>(question.most_listed, 1)) {
    found_.strings = question.tracks->loaded.strings;
    found_.axis = question.tracks->loaded.axis;
  }

  void add(const DiskMatch& match, bool by_name) {
    ++(match.instant ? found_.instants : found_.slices);
    ++(by_name ? found_.name_count : found_.args_count);
    if (match.track != last_track_) found_.tracks.insert(index(match.track));
    last_track_ = match.track;
    if (last_ && !before(match, *last_)) return;
    found_.listed.push_back(match);
    if (found_.listed.size() >= 2 * most_) tidy();
  }

  DiskMatchesPointer so_far(double share, bool complete, bool failed = false) {
    tidy();
    auto made = std::make_shared<DiskMatches>(found_);
    made->share = share;
    made->complete = complete;
    made->failed = failed;
    return made;
  }

 private:
  void tidy() {
    std::vector<DiskMatch>& listed = found_.listed;
    const auto middle = listed.begin() + static_cast<std::ptrdiff_t>(in_order_);
    std::sort(middle, listed.end(), before);
    std::inplace_merge(listed.begin(), middle, listed.end(), before);
    if (listed.size() > most_) {
      listed.resize(most_);
      last_ = listed.back();  // what comes later has no room
    }
    in_order_ = listed.size();
  }

  std::size_t most_;
  DiskMatches found_;
  std::size_t in_order_ = 0;
  TrackId last_track_ = kNoTrack;
  std::optional<DiskMatch> last_;
};

class DiskSearcher {
 public:
  DiskSearcher(const DiskQuestion& question, const std::atomic<bool>& cancelled,
               const std::function<void(DiskMatchesPointer)>& publish)
      : question_(question), cancelled_(cancelled), publish_(publish), finds_(question) {}

  DiskMatchesPointer run() {
    const std::optional<NameMask> by_name = mask_of(question_.query);
    const std::optional<NameMask> possible = mask_of(only_names(question_.query));
    if (!by_name || !possible) return nullptr;
    const auto reads = [](const SearchTerm& term) { return term.reads_record(); };
    const bool needs_records = std::ranges::any_of(question_.query.terms, reads);
    const bool without_args = question_.source != nullptr && !question_.source->has_args();
    by_name_ = needs_records ? nullptr : &*by_name;
    by_record_ = question_.source != nullptr && question_.query.reads_records() &&
                 (needs_records || !without_args);
    NameIndex::Wanted wanted{.before_ns = question_.scope.end_ns};
    for (const NameIndex::NameCount& count : question_.index->names()) {
      const std::uint32_t name = index(count.name);
      const bool may_match = by_record_ ? possible->holds(name) : by_name_ && by_name_->holds(name);
      if (!may_match) continue;
      if (name >= wanted.names.size()) wanted.names.resize(std::size_t{name} + 1);
      wanted.names[name] = true;
    }
    for (const TrackId track : question_.tracks->of_thread)
      wanted.threads.push_back(in_scope(track));
    add_loaded();
    const bool read = question_.index->each(
        wanted, cancelled_, [this](const NameIndex::Call& call) { take(call); },
        [this](double share) { share_ = share; });
    if (cancelled_) return nullptr;
    test_batch();
    return finds_.so_far(1, true, !read);
  }

 private:
  static SearchQuery only_names(const SearchQuery& query) {
    SearchQuery names;
    for (const SearchTerm& term : query.terms) {
      if (term.field == TermField::name) names.terms.push_back(term);
    }
    return names;
  }
  std::optional<NameMask> mask_of(const SearchQuery& query) const {
    return name_mask(query, *question_.tracks->loaded.strings, question_.jobs, cancelled_);
  }

  bool in_scope(TrackId id) const {
    if (id == kNoTrack || index(id) >= question_.tracks->all.size()) return false;
    const TrackSlices& track = question_.tracks->all[index(id)];
    return is_searched(track, question_.scope) &&
           track_holds(question_.query, *question_.tracks->loaded.strings, track);
  }

  // Tracks that are there as a whole are searched as always.
  void add_loaded() {
    const SearchAnswer answer =
        search_slices({.slices = {question_.tracks, &question_.tracks->loaded},
                       .query = question_.query,
                       .scope = question_.scope,
                       .source = question_.source,
                       .jobs = question_.jobs},
                      cancelled_, nullptr);
    if (answer.matches == nullptr) return;
    const MatchSet& set = *answer.matches;
    std::uint64_t by_name_left = set.name_count;  // only their number counts
    for (const MatchRow& row : set.rows) {
      for (std::uint64_t i = 0; i < row.count() && !cancelled_; ++i) {
        const Slice slice = row.slices->slice(row.nth(i));
        finds_.add(
            {slice.begin_ns, row.track, slice.record, slice.duration_ns, slice.name, row.instants},
            by_name_left > 0);
        by_name_left -= by_name_left > 0 ? 1 : 0;
      }
    }
  }

  void take(const NameIndex::Call& call) {
    show();
    if (!fits(call)) return;
    if (by_name_ != nullptr && by_name_->holds(index(call.name))) {
      finds_.add(match_of(call), true);
      return;
    }
    if (!by_record_) return;
    batch_.push_back(call);
    if (batch_.size() >= kBatch) test_batch();
  }

  bool fits(const NameIndex::Call& call) const {
    const Scope& scope = question_.scope;
    const std::int64_t begin_ns = call.place.begin_ns;
    if (begin_ns < scope.begin_ns && saturating_sum(begin_ns, call.duration_ns) <= scope.begin_ns) {
      return false;
    }
    if (begin_ns >= scope.end_ns && scope.end_ns != INT64_MAX) return false;
    return std::ranges::all_of(question_.query.terms, [&](const SearchTerm& term) {
      return !term.times || term.times->holds(call.duration_ns) != term.negated;
    });
  }

  DiskMatch match_of(const NameIndex::Call& call) const {
    return {call.place.begin_ns, question_.tracks->of_thread[call.place.thread],
            call.place.record,   call.duration_ns,
            call.name,           call.place.instant};
  }

  void test_batch() {
    constexpr std::size_t kPart = 256;
    std::vector<std::uint8_t> holds(batch_.size());
    parallel_for((batch_.size() + kPart - 1) / kPart, question_.jobs, [&](std::size_t part) {
      const std::size_t end = std::min(batch_.size(), (part + 1) * kPart);
      for (std::size_t i = part * kPart; i < end && !cancelled_; ++i) {
        const NameIndex::Call& call = batch_[i];
        const bool has_record = call.place.record != kNoRecord;
        const RecordText text = has_record
                                    ? question_.source->describe(call.place.record, call.end_record)
                                    : RecordText{};
        const std::string_view name = question_.tracks->loaded.strings->text(call.name);
        holds[i] = record_holds(question_.query, name, text) ? 1 : 0;
      }
    });
    for (std::size_t i = 0; i < batch_.size() && !cancelled_; ++i) {
      if (holds[i] != 0) finds_.add(match_of(batch_[i]), false);
    }
    batch_.clear();
  }

  void show() {
    if (!publish_ || ++taken_ % kBatch != 0) return;
    const Clock::time_point now = Clock::now();
    if (now - shown_ < pause_) return;
    publish_(finds_.so_far(share_, false));
    shown_ = Clock::now();
    pause_ = std::max<Clock::duration>(kShowPause, (shown_ - now) * kShowCostShare);
  }

  const DiskQuestion& question_;
  const std::atomic<bool>& cancelled_;
  const std::function<void(DiskMatchesPointer)>& publish_;
  Finds finds_;
  const NameMask* by_name_ = nullptr;  // null: names alone decide nothing
  bool by_record_ = false;
  std::vector<NameIndex::Call> batch_;  // whose records are to be read
  double share_ = 0;
  std::uint64_t taken_ = 0;
  Clock::time_point shown_ = Clock::now();
  Clock::duration pause_ = kShowPause;
};

}  // namespace

std::shared_ptr<const DiskTracks> disk_tracks(const NameIndex& names, const Timeline& timeline) {
  const auto made = std::make_shared<DiskTracks>();
  made->loaded.axis = timeline.axis;
  made->loaded.strings = timeline.strings;
  std::vector<bool> known(timeline.tracks.size());
  std::vector<std::pair<StringId, std::size_t>> tracks;  // of threads, by their ids
  for (const Thread& thread : timeline.threads) {
    if (thread.track != kNoTrack) tracks.emplace_back(thread.tid, index(thread.track));
  }
  std::ranges::sort(tracks);
  for (const NameIndex::IndexedThread& thread : names.threads()) {
    const auto found = std::ranges::lower_bound(tracks, std::pair(thread.tid, thread.first_track));
    const bool is_there = found != tracks.end() && found->first == thread.tid &&
                          found->second - thread.first_track < thread.track_count;
    const TrackId track = is_there ? TrackId{static_cast<std::uint32_t>(found->second)} : kNoTrack;
    made->of_thread.push_back(track);
    if (track != kNoTrack) known[index(track)] = true;
  }
  for (std::uint32_t i = 0; i < timeline.tracks.size(); ++i) {
    TrackSlices& slices = made->all.emplace_back(slices_of(timeline, TrackId{i}));
    if (!known[i] && timeline.tracks[i].kind != TrackKind::counter) {
      made->loaded.tracks.push_back(slices);
      made->loaded_calls += timeline.tracks[i].slice_count;
    }
    slices.blocks.clear();
    slices.instants = {};
  }
  return made;
}

DiskMatchesPointer search_on_disk(const DiskQuestion& question, const std::atomic<bool>& cancelled,
                                  const std::function<void(DiskMatchesPointer)>& publish) {
  return DiskSearcher(question, cancelled, publish).run();
}

std::optional<std::uint64_t> rank_of(const DiskMatches& matches, const DiskMatch& match) {
  const auto found = std::lower_bound(matches.listed.begin(), matches.listed.end(), match, before);
  if (found == matches.listed.end() || found->place() != match.place()) return std::nullopt;
  return static_cast<std::uint64_t>(found - matches.listed.begin());
}

const DiskMatch& DiskLines::on_line(std::uint64_t line) const {
  const std::size_t count = matches->listed.size();
  if (!rank_of_line.empty()) return matches->listed[rank_of_line[line]];
  return matches->listed[sorting.descending ? count - 1 - line : line];
}

std::optional<std::uint64_t> DiskLines::line_of(const DiskMatch& match) const {
  const std::optional<std::uint64_t> rank = rank_of(*matches, match);
  if (!rank) return std::nullopt;
  if (!line_of_rank.empty()) return line_of_rank[*rank];
  return sorting.descending ? matches->listed.size() - 1 - *rank : *rank;
}

DiskLines order_lines(DiskMatchesPointer matches, MatchSorting sorting,
                      const std::atomic<bool>& cancelled) {
  DiskLines lines{std::move(matches), sorting, {}, {}};
  if (sorting.column == MatchColumn::begin) return lines;
  const std::vector<DiskMatch>& listed = lines.matches->listed;
  const StringPool& strings = *lines.matches->strings;
  std::vector<std::uint32_t> ranks(listed.size());
  std::iota(ranks.begin(), ranks.end(), 0u);
  const auto less = [&](std::uint32_t a, std::uint32_t b) {
    const DiskMatch &one = listed[a], &other = listed[b];
    switch (sorting.column) {
      case MatchColumn::name:
        return one.name != other.name && strings.text(one.name) < strings.text(other.name);
      case MatchColumn::duration:
        return one.duration_ns < other.duration_ns;
      default:
        return one.track < other.track;
    }
  };
  // Equal ones stay in time order in both directions.
  std::stable_sort(ranks.begin(), ranks.end(), [&](std::uint32_t a, std::uint32_t b) {
    return sorting.descending ? less(b, a) : less(a, b);
  });
  if (cancelled) return lines;
  lines.line_of_rank.resize(ranks.size());
  for (std::uint32_t line = 0; line < ranks.size(); ++line) lines.line_of_rank[ranks[line]] = line;
  lines.rank_of_line = std::move(ranks);
  return lines;
}

}  // namespace cinderscope
