// Stacks of a trace and the time that is spent in each itself, added up piece by piece.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ingest/base/result.h"
#include "ingest/model/containers.h"
#include "ingest/part/loss_report.h"
#include "ingest/part/part_reader.h"

namespace cinderscope::folded {

// The stacks of a piece of a track, by the first call of each.
struct PieceStacks {
  struct Node {
    std::uint32_t caller = 0, depth = 0;
    StringId name_id = kEmptyString;
    std::string_view name;
    std::int64_t self_ns = 0;  // negative where calls take of one that began in another piece
  };
  std::vector<Node> nodes;  // [0]: the root; callers come first
  LossReport losses;
  Result<bool> read = true;  // as PartReader::read() says

  void clear() {
    nodes.clear();
    losses = {};
    read = true;
  }
};

// Any thread.
void read_stacks(PartReader& part, const PartPiece& piece, PieceStacks& stacks);

// The stacks below one root, of one or more tracks.
class StackSums {
 public:
  StackSums() { nodes_.push_back({}); }

  // In the order of the pieces, so that stacks are in the order of their first calls.
  void add(const PieceStacks& stacks);

  std::size_t size() const { return nodes_.size(); }  // from 1 on; 0 is the root
  std::int64_t self_ns(std::size_t stack) const { return nodes_[stack].self_ns; }
  // Of the frames, outermost first.
  void names(std::size_t stack, std::vector<std::string_view>& names) const;

 private:
  struct Node {
    std::uint32_t caller = 0, name = 0;
    std::int64_t self_ns = 0;
  };
  std::uint32_t name_of(StringId id, std::string_view name);

  std::vector<Node> nodes_;
  std::unordered_map<std::uint64_t, std::uint32_t> node_of_key_;
  std::unordered_map<StringId, std::uint32_t> name_of_id_;
  std::map<std::string, std::uint32_t> name_of_text_;
  std::vector<std::string_view> names_;
  std::vector<std::uint32_t> node_of_piece_;
};

// Line breaks would end the line, ";" the name.
std::string folded_name(std::string_view name);

}  // namespace cinderscope::folded
