// Arguments as text: a line for each node, JSON of a subtree, and which nodes are unfolded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ingest/base/args_tree.h"

namespace cinderscope {

// The value shown behind the key: "7E41D0C5" in quotes, 42, "5 items". About one line at most.
std::string args_value_text(const ArgsNode& node);

// The value in a tooltip, all of it and without quotes: lines break behind a quote, which would
// stand alone before a long word.
std::string args_hint_text(const ArgsNode& node);

// The text that copying a node gives: a scalar's value as it is, JSON of a node with children.
std::string args_copy_text(const ArgsTree& tree, std::size_t node);

// Which nodes of a tree show their children. A root object or array itself is not shown.
class ArgsFolds {
 public:
  // Starts anew: small objects of the outermost level are unfolded.
  void reset(const ArgsTree& tree);
  void toggle(const ArgsTree& tree, std::size_t node);
  bool unfolded(std::size_t node) const { return unfolded_[node]; }
  // Indices of the nodes to draw, from top to bottom.
  const std::vector<std::uint32_t>& visible() const { return visible_; }
  // The node's indentation in steps.
  std::uint32_t indent(const ArgsNode& node) const { return node.depth - (hides_root_ ? 1 : 0); }

 private:
  void collect(const ArgsTree& tree);

  std::vector<bool> unfolded_;
  std::vector<std::uint32_t> visible_;
  bool hides_root_ = false;
};

}  // namespace cinderscope
