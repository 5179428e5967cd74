// The values of arguments with the way to each: "data.url", "clip[3]".
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ingest/base/args_tree.h"

namespace cinderscope {

struct FlatArg {
  std::string key;
  const ArgsNode* node = nullptr;
};

inline void flatten_args(const ArgsTree& tree, std::vector<FlatArg>& out) {
  out.clear();
  std::vector<std::size_t> lengths;  // of the path of each level around
  std::string path;
  for (const ArgsNode& node : tree.nodes) {
    if (node.depth < lengths.size()) lengths.resize(node.depth);
    path.resize(lengths.empty() ? 0 : lengths.back());
    if (!path.empty() && !node.key.empty() && node.key.front() != '[') path += '.';
    path += node.key;
    const bool holds_others = node.kind == ArgsKind::object || node.kind == ArgsKind::array;
    if (!holds_others) out.push_back({path, &node});
    while (lengths.size() < node.depth) lengths.push_back(path.size());
    lengths.push_back(path.size());
  }
}

}  // namespace cinderscope
