#include "ingest/base/args_tree.h"

#include <fmt/format.h>

#include <utility>

#include "ingest/base/json/json_tokens.h"

namespace cinderscope {

namespace {

constexpr std::size_t kRawBytes = 1 << 20;

ArgsKind kind_of_word(std::string_view word) {
  if (word == "true" || word == "false") return ArgsKind::boolean;
  if (word == "null") return ArgsKind::null;
  const char first = word.empty() ? '\0' : word.front();
  const bool number =
      (first >= '0' && first <= '9') || first == '-' || first == '+' || first == '.';
  return number ? ArgsKind::number : ArgsKind::raw;
}

ArgsTree raw_tree(std::string_view text) {
  ArgsTree tree;
  tree.raw = text.substr(0, kRawBytes);
  tree.nodes.push_back({.kind = ArgsKind::raw, .value = tree.raw});
  return tree;
}

// One open bracket on the way down; an explicit stack, since input may nest a million deep.
struct Level {
  std::size_t node;
  bool is_array;
};

class ArgsReader {
 public:
  ArgsReader(std::string_view json, ArgsLimits limits) : tokens_(json), limits_(limits) {}

  // False if the text is no JSON.
  bool read(ArgsTree& tree) {
    while (true) {
      const JsonToken token = tokens_.next();
      switch (token) {
        case JsonToken::end:
          return levels_.empty() ? !tree.nodes.empty() : cut(tree);
        case JsonToken::open_object:
        case JsonToken::open_array: {
          const bool is_array = token == JsonToken::open_array;
          if (levels_.size() >= limits_.max_depth) {
            add(tree, is_array ? ArgsKind::array : ArgsKind::object, {});
            tree.cut = true;
            if (!tokens_.skip_rest(token)) return cut(tree);
          } else if (!add(tree, is_array ? ArgsKind::array : ArgsKind::object, {})) {
            return cut(tree);
          } else {
            levels_.push_back({tree.nodes.size() - 1, is_array});
          }
          break;
        }
        case JsonToken::close_object:
        case JsonToken::close_array:
          if (levels_.empty()) return false;
          levels_.pop_back();
          break;
        case JsonToken::comma:
          if (levels_.empty()) return false;
          key_.clear();
          has_key_ = false;
          break;
        case JsonToken::colon:
          break;
        case JsonToken::cut_string:
          add(tree, ArgsKind::string, decode_json_string(tokens_.text()));
          return cut(tree);
        case JsonToken::string:
          if (!levels_.empty() && !levels_.back().is_array && !has_key_) {
            key_ = decode_json_string(tokens_.text());
            has_key_ = true;
          } else if (!add(tree, ArgsKind::string, decode_json_string(tokens_.text()))) {
            return cut(tree);
          }
          break;
        case JsonToken::scalar: {
          const ArgsKind kind = kind_of_word(tokens_.text());
          if (levels_.empty() && kind == ArgsKind::raw) return false;
          if (!add(tree, kind, std::string(tokens_.text()))) return cut(tree);
          break;
        }
      }
    }
  }

 private:
  static bool cut(ArgsTree& tree) {
    tree.cut = true;
    return true;
  }

  bool add(ArgsTree& tree, ArgsKind kind, std::string value) {
    if (tree.nodes.size() >= limits_.max_nodes) return false;
    ArgsNode node{.depth = static_cast<std::uint32_t>(levels_.size()), .kind = kind};
    if (!levels_.empty()) {
      ArgsNode& parent = tree.nodes[levels_.back().node];
      node.key = levels_.back().is_array ? fmt::format("[{}]", parent.child_count)
                                         : std::exchange(key_, {});
      ++parent.child_count;
    }
    has_key_ = false;
    node.value = std::move(value);
    tree.nodes.push_back(std::move(node));
    return true;
  }

  JsonTokens tokens_;
  ArgsLimits limits_;
  std::vector<Level> levels_;
  std::string key_;
  bool has_key_ = false;
};

}  // namespace

ArgsTree parse_args(std::string_view json, ArgsLimits limits) {
  if (json.empty()) return {};
  ArgsTree tree;
  tree.raw = json.substr(0, kRawBytes);
  if (!ArgsReader(json, limits).read(tree)) return raw_tree(json);
  return tree;
}

}  // namespace cinderscope
