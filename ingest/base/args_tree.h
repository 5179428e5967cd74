// Arguments of a slice, parsed when shown: a flat tree, and a tolerant JSON reader that makes it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cinderscope {

enum class ArgsKind : std::uint8_t { object, array, string, number, boolean, null, raw };

// Pre-order: the children of node i are those that follow with a larger depth.
struct ArgsNode {
  std::uint32_t depth = 0;
  ArgsKind kind = ArgsKind::raw;
  std::uint32_t child_count = 0;  // direct children, as far as they were read
  std::string key;                // decoded; "[3]" in an array
  std::string value;              // decoded text of a scalar
};

struct ArgsTree {
  std::vector<ArgsNode> nodes;
  std::string raw;   // the text as written, for copying; cut at 1 MiB
  bool cut = false;  // more than max_nodes or max_depth levels: the rest is left out
};

struct ArgsLimits {
  std::uint32_t max_nodes = 20000;
  std::uint32_t max_depth = 64;
};

// `json` may be any text; what is no JSON becomes one raw node. Never recurses. Escapes are decoded
// (a lone surrogate becomes U+FFFD), bytes that are no UTF-8 stay as they are.
ArgsTree parse_args(std::string_view json, ArgsLimits limits = {});

}  // namespace cinderscope
