// Writes traces as collapsed stacks: "process;thread;main;draw 1234", the self time of equal stacks
// added up.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ingest/base/saturating.h"
#include "ingest/model/containers.h"
#include "ingest/part/kinds_lost.h"
#include "ingest/part/trace_writer.h"

namespace cinderscope {
namespace {

// A line holds all names of its stack, so that deep ones would take the square of their depth.
constexpr std::uint32_t kMostDepth = 1000;
constexpr std::size_t kPieceBytes = 256 << 10;
constexpr LossKind kTimes{"times", "time of a slice", "times of slices",
                          "{} were added up, without arguments"};
constexpr LossKind kDeep{"deep_stacks", "slice", "slices", "{} below 1000 others count as these"};

// Line breaks would end the line, ";" the name.
std::string folded_name(std::string_view name) {
  std::string text(name);
  std::ranges::replace(text, ';', ':');
  std::ranges::replace_if(
      text, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text.empty() ? "(no name)" : text;
}

// A text that begins so is taken for JSON or XML by whoever looks at it, this program included.
bool piece_begins_as_other(std::string_view piece) {
  return piece.find('\n') == std::string_view::npos && piece.find_first_of("[<{") == 0;
}

// The stacks below one root, of one or more tracks.
class Stacks final : public PartVisitor {
 public:
  Stacks(PartReader& part, LossReport& losses) : part_(part), losses_(losses) {
    nodes_.push_back({});
  }

  Result<bool> add(const PartTrack& track) {
    if (track.id == kNoTrack) return true;
    open_ = Containers<Open>(part_.timeline().tracks[index(track.id)].tolerance_ns);
    return part_.read(track, *this);
  }

  void slice(const PartSlice& slice) override {
    losses_.count_written_slice(slice.is_cut());
    open_.narrow(slice.begin_ns, slice.end_ns);
    std::uint32_t caller = 0;
    if (auto* around = open_.innermost()) {
      Open& open = around->value;
      caller = open.node;
      const std::int64_t from_ns = std::max(slice.begin_ns, open.covered_ns);
      const std::int64_t to_ns = std::min(slice.end_ns, open.end_ns);
      if (to_ns > from_ns) {
        nodes_[caller].self_ns -= saturating_difference(to_ns, from_ns);
        open.covered_ns = to_ns;
      }
    }
    const std::uint32_t node = node_of(caller, slice);
    nodes_[node].self_ns =
        saturating_sum(nodes_[node].self_ns, saturating_difference(slice.end_ns, slice.begin_ns));
    open_.add(slice.begin_ns, slice.end_ns, {node, slice.begin_ns, slice.end_ns});
  }

  void write(const std::string& root, OutputFile& out) const {
    std::string piece;
    std::vector<std::uint32_t> chain;
    for (std::uint32_t i = 1; i < nodes_.size() && out.ok(); ++i) {
      if (nodes_[i].self_ns <= 0) continue;
      chain.clear();
      for (std::uint32_t at = i; at != 0; at = nodes_[at].caller) chain.push_back(at);
      piece += root;
      for (auto at = chain.rbegin(); at != chain.rend(); ++at) {
        if (!root.empty() || at != chain.rbegin()) piece += ';';
        piece += names_[nodes_[*at].name];
      }
      if (out.bytes() == 0 && piece_begins_as_other(piece)) piece.insert(0, "# collapsed stacks\n");
      piece += ' ' + count_of(nodes_[i].self_ns) + '\n';
      if (piece.size() < kPieceBytes) continue;
      out.append(piece);
      piece.clear();
    }
    out.append(piece);
  }

 private:
  struct Node {
    std::uint32_t caller = 0, name = 0, depth = 0;
    std::int64_t self_ns = 0;
  };
  struct Open {
    std::uint32_t node = 0;
    std::int64_t covered_ns = 0, end_ns = 0;
  };

  // Fractions are kept as so many steps of one.
  std::string count_of(std::int64_t steps) const {
    const std::int64_t scale = part_.axis().scale;
    if (steps % scale == 0) return fmt::to_string(steps / scale);
    return fmt::format("{}.{:03}", steps / scale, steps % scale * 1000 / scale);
  }

  std::uint32_t name_of(const PartSlice& slice) {
    const auto [known, is_new] = name_of_id_.try_emplace(slice.name_id, 0);
    if (!is_new) return known->second;
    const auto [name, is_new_text] = name_of_text_.try_emplace(
        folded_name(slice.name), static_cast<std::uint32_t>(names_.size()));
    if (is_new_text) names_.push_back(name->first);
    return known->second = name->second;
  }

  std::uint32_t node_of(std::uint32_t caller, const PartSlice& slice) {
    if (nodes_[caller].depth == kMostDepth) {
      losses_.count(kDeep, 1, slice.record);
      return caller;
    }
    const std::uint32_t name = name_of(slice);
    const std::uint64_t key = std::uint64_t{caller} << 32 | name;
    const auto [node, is_new] =
        node_of_key_.try_emplace(key, static_cast<std::uint32_t>(nodes_.size()));
    if (is_new)
      nodes_.push_back({.caller = caller, .name = name, .depth = nodes_[caller].depth + 1});
    return node->second;
  }

  PartReader& part_;
  LossReport& losses_;
  Containers<Open> open_;
  std::vector<Node> nodes_;  // [0]: the root
  std::unordered_map<std::uint64_t, std::uint32_t> node_of_key_;
  std::unordered_map<StringId, std::uint32_t> name_of_id_;
  std::map<std::string, std::uint32_t> name_of_text_;
  std::vector<std::string_view> names_;
};

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
    std::vector<std::pair<std::string, std::vector<const PartTrack*>>> roots;
    std::map<std::string, std::size_t> known;
    for (const PartTrack& track : part.tracks()) {
      if (!is_written(track)) continue;
      std::string root = root_of(part, track);
      const auto [found, is_new] = known.try_emplace(root, roots.size());
      if (is_new) roots.push_back({std::move(root), {}});
      roots[found->second].second.push_back(&track);
    }
    for (const auto& [root, tracks] : roots) {
      Stacks stacks(part, losses);
      for (const PartTrack* track : tracks) {
        const Result<bool> read = stacks.add(*track);
        if (!read) return read.error();
        if (!*read) return Error{ErrorCode::cancelled, "Writing was cancelled.", {}, kNoOffset};
      }
      stacks.write(root, **file);
    }
    losses.count(kTimes, losses.slices());
    return ok();
  }
  bool sums_up() const override { return true; }
  void foresee(PartReader& part, LossReport& losses) const override { count_losses(part, losses); }
};

}  // namespace

const TraceWriter& folded_writer() {
  static const FoldedWriter writer;
  return writer;
}

}  // namespace cinderscope
