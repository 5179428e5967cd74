#include "ingest/format/symbols.h"

#include <algorithm>
#include <array>
#include <span>

#include "ingest/base/self_trace.h"
#include "ingest/model/move_slices.h"

namespace cinderscope {
namespace {

// Names that stay as they are, each taken over when it is first met.
class KeptNames {
 public:
  KeptNames(const StringPool& from, StringPool& to)
      : from_(from), to_(to), now_(from.size(), kNoName) {}

  void keep(StringId& name) {
    if (index(name) >= now_.size()) return;
    use(name);
    name = now_[index(name)];
  }
  void use(StringId name) {
    StringId& now = now_[index(name)];
    if (now == kNoName) now = taken_over(from_, name, to_);
  }
  std::span<const StringId> by_old() const { return now_; }

 private:
  const StringPool& from_;
  StringPool& to_;
  std::vector<StringId> now_;
};

template <class Use>
void for_each_name(const std::vector<SliceRow*>& rows, Use use) {
  std::array<std::uint32_t, kChunkSlices> names;
  for (const SliceRow* row : rows) {
    for (const auto& chunk : row->chunks) {
      const auto read = std::span(names).first(chunk->count());
      chunk->read_names(0, read);
      for (const std::uint32_t name : read) use(name);
    }
  }
}

// The rows of tracks [first, first + count), in blocks of their own. Of what was read from disk
// later only the places stay.
std::vector<SliceRow*> own_rows(std::vector<Track>& tracks, std::size_t first, std::size_t count) {
  std::vector<SliceRow*> rows;
  for (Track& track : std::span(tracks).subspan(first, count)) {
    const auto block = std::make_shared<SliceBlock>(track.root());
    for (SliceRow& row : block->rows) rows.push_back(&row);
    for (SliceRow& row : block->nested_instants) rows.push_back(&row);
    rows.push_back(&track.instants);
    const std::size_t count_of_blocks = track.blocks.size();
    track.blocks = {block};
    track.blocks.resize(count_of_blocks);
  }
  return rows;
}

void count_diagnostics(const RenamedTracks& renamed, std::uint64_t nameless_calls,
                       Diagnostics& to) {
  const LoadedSymbols& names = renamed.names;
  to.forget(diagnostic::kUnknownName.code, renamed.number);
  for (const DiagnosticKind* kind : names.their_kinds) to.forget(kind->code, renamed.number);
  Diagnostics found = names.diagnostics;
  found.count(diagnostic::kUnknownName, kNoOffset, names.nameless_text, nameless_calls);
  to.merge(found, renamed.label, renamed.number);
}

}  // namespace

Result<Timeline> renamed(const Timeline& shown, const Symbols& symbols, const SymbolOptions& wanted,
                         LoadContext& context) {
  const auto pool = std::make_shared<StringPool>();
  Result<std::vector<RenamedTracks>> tracks = symbols.load(*shown.strings, wanted, pool);
  if (!tracks) return tracks.error();
  return with_new_names(shown, pool, std::move(*tracks), context);
}

Result<Timeline> with_new_names(const Timeline& shown, const std::shared_ptr<StringPool>& pool,
                                std::vector<RenamedTracks> renamed, LoadContext& context) {
  const SelfTraceMark mark("rename calls");
  Timeline out = shown;
  out.strings = pool;
  KeptNames kept(*shown.strings, *pool);
  for (Process& process : out.processes) {
    kept.keep(process.pid);
    kept.keep(process.name);
    kept.keep(process.labels);
  }
  for (Thread& thread : out.threads) {
    kept.keep(thread.tid);
    kept.keep(thread.name);
  }
  for (Track& track : out.tracks) {
    kept.keep(track.name);
    for (CounterSeries& series : track.series) kept.keep(series.name);
  }
  const auto flows = std::make_shared<Flows>(*out.flows);
  std::vector<Flow> list;
  list.reserve(flows->flows.size());
  for (std::size_t i = 0; i < flows->flows.size(); ++i) {
    kept.keep(list.emplace_back(flows->flows[i]).name);
  }
  flows->flows = FlowList(list);
  out.flows = flows;

  const auto move = [&](const std::vector<SliceRow*>& rows, const SliceMove& how) {
    move_slices(rows, how, *pool, context.jobs(), &context.cancel_flag());
  };
  std::size_t next_track = 0;
  const auto keep_tracks_before = [&](std::size_t track) {
    const std::vector<SliceRow*> rows = own_rows(out.tracks, next_track, track - next_track);
    for_each_name(rows, [&](std::uint32_t name) { kept.use(StringId{name}); });
    move(rows, {.names = kept.by_old()});
  };
  std::vector<std::uint64_t> nameless_calls;
  for (const RenamedTracks& tracks : renamed) {
    keep_tracks_before(tracks.first_track);
    const std::size_t count = std::min(tracks.track_count, out.tracks.size() - tracks.first_track);
    next_track = tracks.first_track + count;
    const std::vector<SliceRow*> rows = own_rows(out.tracks, tracks.first_track, count);
    move(rows, {.names = tracks.names.by_old,
                .split = tracks.names.split,
                .name_of_record = tracks.names.name_of_record});
    const std::vector<std::uint8_t>& nameless = tracks.names.nameless;
    std::uint64_t& calls = nameless_calls.emplace_back(0);
    for_each_name(
        rows, [&](std::uint32_t name) { calls += name < nameless.size() ? nameless[name] : 0u; });
  }
  keep_tracks_before(out.tracks.size());
  if (context.cancelled()) return Error{ErrorCode::cancelled, "Loading was cancelled.", {}};
  for (std::size_t i = 0; i < renamed.size(); ++i) {
    count_diagnostics(renamed[i], nameless_calls[i], out.diagnostics);
    renamed[i].names.take_effect(nameless_calls[i]);
  }
  return out;
}

}  // namespace cinderscope
