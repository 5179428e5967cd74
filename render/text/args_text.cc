#include "render/text/args_text.h"

#include <fmt/format.h>

#include "render/text/label.h"

namespace cinderscope {
namespace {

bool has_children(const ArgsNode& node) {
  return node.kind == ArgsKind::object || node.kind == ArgsKind::array;
}

void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out.append("\\").push_back(c);
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  out += '"';
}

}  // namespace

std::string args_value_text(const ArgsNode& node) {
  switch (node.kind) {
    case ArgsKind::object:
      return node.child_count == 0 ? "{}" : "";
    case ArgsKind::array:
      return node.child_count == 1 ? "1 item" : fmt::format("{} items", node.child_count);
    case ArgsKind::string:
      return '"' + drawable(node.value) + '"';
    case ArgsKind::number:
    case ArgsKind::boolean:
    case ArgsKind::null:
    case ArgsKind::raw:
      break;
  }
  return drawable(node.value);
}

std::string args_hint_text(const ArgsNode& node) {
  return node.kind == ArgsKind::string ? drawable(node.value) : args_value_text(node);
}

std::string args_copy_text(const ArgsTree& tree, std::size_t node) {
  const ArgsNode& root = tree.nodes[node];
  if (!has_children(root)) return root.value;
  std::string out;
  std::string closing;  // brackets that are open, innermost last
  for (std::size_t i = node; i < tree.nodes.size(); ++i) {
    const ArgsNode& next = tree.nodes[i];
    if (i > node && next.depth <= root.depth) break;
    const std::size_t level = next.depth - root.depth;
    while (closing.size() > level) {
      out += closing.back();
      closing.pop_back();
    }
    if (i > node) {
      if (tree.nodes[i - 1].depth >= next.depth) out += ", ";
      if (!closing.empty() && closing.back() == '}') {
        append_quoted(out, next.key);
        out += ": ";
      }
    }
    if (has_children(next)) {
      out += next.kind == ArgsKind::object ? '{' : '[';
      closing += next.kind == ArgsKind::object ? '}' : ']';
    } else if (next.kind == ArgsKind::string) {
      append_quoted(out, next.value);
    } else {
      out += next.value;
    }
  }
  out.append(closing.rbegin(), closing.rend());
  return out;
}

void ArgsFolds::reset(const ArgsTree& tree) {
  constexpr std::uint32_t kSmall = 16;
  unfolded_.assign(tree.nodes.size(), false);
  hides_root_ = !tree.nodes.empty() && has_children(tree.nodes.front());
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const ArgsNode& node = tree.nodes[i];
    unfolded_[i] = node.depth == 0 ||
                   (node.depth == 1 && node.kind == ArgsKind::object && node.child_count <= kSmall);
  }
  collect(tree);
}

void ArgsFolds::toggle(const ArgsTree& tree, std::size_t node) {
  unfolded_[node] = !unfolded_[node];
  collect(tree);
}

void ArgsFolds::collect(const ArgsTree& tree) {
  visible_.clear();
  constexpr std::uint32_t kAll = ~std::uint32_t{0};
  std::uint32_t folded_depth = kAll;  // of the folded node around the present one
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const ArgsNode& node = tree.nodes[i];
    if (node.depth > folded_depth) continue;
    folded_depth = unfolded_[i] ? kAll : node.depth;
    if (i > 0 || !hides_root_) visible_.push_back(static_cast<std::uint32_t>(i));
  }
}

}  // namespace cinderscope
