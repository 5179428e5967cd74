// Arguments as text: one line for a node, JSON for what lies below it, which nodes are unfolded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ingest/base/args_tree.h"

namespace cinderscope {

// What stands behind the key: "7E41D0C5" in quotes, 42, "5 items". At most about a line of it.
std::string args_value_text(const ArgsNode& node);

// What copying a node gives: the value of a scalar as it is, JSON of anything with children.
std::string args_copy_text(const ArgsTree& tree, std::size_t node);

// Which nodes show their children. A root object or array is never shown itself.
class ArgsFolds {
 public:
  // Unfolded at first: small objects on the outermost level.
  void reset(const ArgsTree& tree);
  void toggle(const ArgsTree& tree, std::size_t node);
  bool unfolded(std::size_t node) const { return unfolded_[node]; }
  // Indices of the nodes to draw, from top to bottom.
  const std::vector<std::uint32_t>& visible() const { return visible_; }
  // Steps of indentation of a node.
  std::uint32_t indent(const ArgsNode& node) const { return node.depth - (hides_root_ ? 1 : 0); }

 private:
  void collect(const ArgsTree& tree);

  std::vector<bool> unfolded_;
  std::vector<std::uint32_t> visible_;
  bool hides_root_ = false;
};

}  // namespace cinderscope
