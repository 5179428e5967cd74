// Writes traces as collapsed stacks: "process;thread;main;draw 1234", the self time of equal stacks
// added up.
#include <fmt/format.h>

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/folded/stack_sums.h"
#include "ingest/part/kinds_lost.h"
#include "ingest/part/ordered_pieces.h"
#include "ingest/part/trace_writer.h"

namespace cinderscope {
namespace folded {
namespace {

constexpr std::uint64_t kPieceSlices = 16384;
constexpr std::size_t kPieceBytes = 256 << 10;
constexpr LossKind kTimes{"times", "time of a slice", "times of slices",
                          "{} were added up, without arguments"};

// A text that begins so is taken for JSON or XML by whoever looks at it, this program included.
bool piece_begins_as_other(std::string_view piece) {
  return piece.find('\n') == std::string_view::npos && piece.find_first_of("[<{") == 0;
}

// Fractions are kept as so many steps of one.
std::string count_of(std::int64_t steps, std::int64_t scale) {
  if (steps % scale == 0) return fmt::to_string(steps / scale);
  return fmt::format("{}.{:03}", steps / scale, steps % scale * 1000 / scale);
}

void write_stacks(const StackSums& stacks, const std::string& root, std::int64_t scale,
                  OutputFile& out) {
  std::string piece;
  std::vector<std::string_view> names;
  for (std::size_t i = 1; i < stacks.size() && out.ok(); ++i) {
    if (stacks.self_ns(i) <= 0) continue;
    stacks.names(i, names);
    piece += root;
    for (std::size_t at = 0; at < names.size(); ++at) {
      if (!root.empty() || at > 0) piece += ';';
      piece += names[at];
    }
    if (out.bytes() == 0 && piece_begins_as_other(piece)) piece.insert(0, "# collapsed stacks\n");
    piece += ' ' + count_of(stacks.self_ns(i), scale) + '\n';
    if (piece.size() < kPieceBytes) continue;
    out.append(piece);
    piece.clear();
  }
  out.append(piece);
}

std::string root_of(const PartReader& part, const PartTrack& track) {
  const PartProcess& process = part.processes()[track.process];
  // What the trace does not tell is no frame: collapsed stacks are the same when written again.
  std::string root;
  const auto add = [&root](std::string_view name, std::string_view id) {
    if (name.empty() && id == "-") return;
    root += (root.empty() ? "" : ";") + folded_name(name.empty() ? id : name);
  };
  add(process.name, process.pid);
  if (track.has_thread) add(track.name, track.tid);
  if (track.kind == TrackKind::samples) add(track.track_name, {});
  return root;
}

bool is_written(const PartTrack& track) {
  return track.kind == TrackKind::thread || track.kind == TrackKind::samples;
}

void count_losses(const PartReader& part, LossReport& losses) {
  count_all_but_slices(part, losses);
}

struct Root {
  std::string name;
  std::vector<const PartTrack*> tracks;
};

Status write_roots(PartReader& part, const std::vector<Root>& roots, OutputFile& out,
                   LossReport& losses) {
  const bool apart = part.reads_apart();
  std::vector<PartPiece> pieces;
  std::vector<std::size_t> ends;  // of the pieces of each root
  for (const Root& root : roots) {
    for (const PartTrack* track : root.tracks) {
      std::vector<PartPiece> of_track(1);
      of_track.front().track = track;
      if (apart) of_track = part.pieces_of(*track, kPieceSlices);
      pieces.insert(pieces.end(), of_track.begin(), of_track.end());
    }
    ends.push_back(pieces.size());
  }
  Status status = ok();
  std::size_t root = 0;
  StackSums stacks;
  OrderedPieces<PieceStacks>(
      pieces.size(), apart ? part.context().jobs() : 1,
      [&](std::size_t i, PieceStacks& made, const std::function<bool()>&) {
        if (pieces[i].can_be_apart) read_stacks(part, pieces[i], made);
      },
      [&](std::size_t i, PieceStacks& made, bool) {
        if (!pieces[i].can_be_apart) read_stacks(part, pieces[i], made);
        if (!made.read) status = made.read.error();
        if (made.read && !*made.read) {
          status = Error{ErrorCode::cancelled, "Writing was cancelled.", {}, kNoOffset};
        }
        if (!status) return false;
        losses.add(made.losses);
        stacks.add(made);
        if (i + 1 == ends[root]) {
          write_stacks(stacks, roots[root].name, part.axis().scale, out);
          stacks = StackSums();
          ++root;
        }
        return out.ok();
      })
      .run();
  return status;
}

class FoldedWriter final : public TraceWriter {
 public:
  std::string_view name() const override { return "folded"; }
  std::string_view description() const override { return "collapsed stacks"; }
  std::string_view ending() const override { return ".folded"; }
  bool can_pack() const override { return true; }

  Status write(PartReader& part, Output& out, LossReport& losses) const override {
    const Result<OutputFile*> file = out.file();
    if (!file) return file.error();
    count_losses(part, losses);
    // Threads of one name share their stacks; in the order of the first of each.
    std::vector<Root> roots;
    std::map<std::string, std::size_t> known;
    for (const PartTrack& track : part.tracks()) {
      if (!is_written(track)) continue;
      std::string root = root_of(part, track);
      const auto [found, is_new] = known.try_emplace(root, roots.size());
      if (is_new) roots.push_back({std::move(root), {}});
      roots[found->second].tracks.push_back(&track);
    }
    Status status = write_roots(part, roots, **file, losses);
    losses.count(kTimes, losses.slices());
    return status;
  }
  bool sums_up() const override { return true; }
  void foresee(PartReader& part, LossReport& losses) const override { count_losses(part, losses); }
};

}  // namespace
}  // namespace folded

const TraceWriter& folded_writer() {
  static const folded::FoldedWriter writer;
  return writer;
}

}  // namespace cinderscope
