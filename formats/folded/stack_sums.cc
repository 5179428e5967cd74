#include "formats/folded/stack_sums.h"

#include <algorithm>

#include "ingest/base/saturating.h"

namespace cinderscope::folded {
namespace {

// A line holds all names of its stack, so that deep ones would take the square of their depth.
constexpr std::uint32_t kMostDepth = 1000;
constexpr LossKind kDeep{"deep_stacks", "slice", "slices", "{} below 1000 others count as these"};

class PieceReader final : public PartVisitor {
 public:
  PieceReader(std::int64_t tolerance_ns, PieceStacks& out) : out_(out), open_(tolerance_ns) {
    out_.nodes.push_back({});
  }

  // Its time counts in the piece that it began in; so does what it takes of its caller's.
  void open(const PartSlice& slice) override {
    open_.narrow(slice.begin_ns, slice.end_ns);
    std::uint32_t caller = 0;
    if (auto* around = open_.innermost()) {
      Open& open = around->value;
      caller = open.node;
      open.covered_ns = std::max(open.covered_ns, std::min(slice.end_ns, open.end_ns));
    }
    const std::uint32_t node =
        out_.nodes[caller].depth == kMostDepth ? caller : node_of(caller, slice);
    open_.add(slice.begin_ns, slice.end_ns, {node, slice.begin_ns, slice.end_ns});
  }

  void slice(const PartSlice& slice) override {
    out_.losses.count_written_slice(slice.is_cut());
    open_.narrow(slice.begin_ns, slice.end_ns);
    std::uint32_t caller = 0;
    if (auto* around = open_.innermost()) {
      Open& open = around->value;
      caller = open.node;
      const std::int64_t from_ns = std::max(slice.begin_ns, open.covered_ns);
      const std::int64_t to_ns = std::min(slice.end_ns, open.end_ns);
      if (to_ns > from_ns) {
        out_.nodes[caller].self_ns -= saturating_difference(to_ns, from_ns);
        open.covered_ns = to_ns;
      }
    }
    std::uint32_t node = caller;
    if (out_.nodes[caller].depth == kMostDepth) {
      out_.losses.count(kDeep, 1, slice.record);
    } else {
      node = node_of(caller, slice);
    }
    std::int64_t& self_ns = out_.nodes[node].self_ns;
    self_ns = saturating_sum(self_ns, saturating_difference(slice.end_ns, slice.begin_ns));
    open_.add(slice.begin_ns, slice.end_ns, {node, slice.begin_ns, slice.end_ns});
  }

 private:
  struct Open {
    std::uint32_t node = 0;
    std::int64_t covered_ns = 0, end_ns = 0;
  };

  std::uint32_t node_of(std::uint32_t caller, const PartSlice& slice) {
    const std::uint64_t key = std::uint64_t{caller} << 32 | index(slice.name_id);
    const auto [node, is_new] =
        node_of_key_.try_emplace(key, static_cast<std::uint32_t>(out_.nodes.size()));
    if (is_new) {
      out_.nodes.push_back({.caller = caller,
                            .depth = out_.nodes[caller].depth + 1,
                            .name_id = slice.name_id,
                            .name = slice.name});
    }
    return node->second;
  }

  PieceStacks& out_;
  Containers<Open> open_;
  std::unordered_map<std::uint64_t, std::uint32_t> node_of_key_;
};

}  // namespace

void read_stacks(PartReader& part, const PartPiece& piece, PieceStacks& stacks) {
  const TrackId track = piece.track->id;
  if (track == kNoTrack) return;
  PieceReader reader(part.timeline().tracks[index(track)].tolerance_ns, stacks);
  stacks.read = part.read(piece, reader);
}

void StackSums::add(const PieceStacks& stacks) {
  node_of_piece_.assign(stacks.nodes.size(), 0);
  for (std::size_t i = 1; i < stacks.nodes.size(); ++i) {
    const PieceStacks::Node& of = stacks.nodes[i];
    const std::uint32_t caller = node_of_piece_[of.caller], name = name_of(of.name_id, of.name);
    const std::uint64_t key = std::uint64_t{caller} << 32 | name;
    const auto [node, is_new] =
        node_of_key_.try_emplace(key, static_cast<std::uint32_t>(nodes_.size()));
    if (is_new) nodes_.push_back({.caller = caller, .name = name});
    node_of_piece_[i] = node->second;
    std::int64_t& self_ns = nodes_[node->second].self_ns;
    self_ns = saturating_sum(self_ns, of.self_ns);
  }
}

void StackSums::names(std::size_t stack, std::vector<std::string_view>& names) const {
  names.clear();
  for (auto at = static_cast<std::uint32_t>(stack); at != 0; at = nodes_[at].caller) {
    names.push_back(names_[nodes_[at].name]);
  }
  std::ranges::reverse(names);
}

std::uint32_t StackSums::name_of(StringId id, std::string_view text) {
  const auto [known, is_new] = name_of_id_.try_emplace(id, 0);
  if (!is_new) return known->second;
  const auto [name, is_new_text] =
      name_of_text_.try_emplace(folded_name(text), static_cast<std::uint32_t>(names_.size()));
  if (is_new_text) names_.push_back(name->first);
  return known->second = name->second;
}

std::string folded_name(std::string_view name) {
  std::string text(name);
  std::ranges::replace(text, ';', ':');
  std::ranges::replace_if(
      text, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text.empty() ? "(no name)" : text;
}

}  // namespace cinderscope::folded
