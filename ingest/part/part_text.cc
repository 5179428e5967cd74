#include "ingest/part/part_text.h"

#include <set>
#include <string_view>
#include <vector>

#include "ingest/base/json/json_value.h"
#include "ingest/base/json/json_writer.h"

namespace cinderscope {
namespace {

// As the text stands where that is a number of JSON, else in quotes.
void write_number(JsonWriter& out, const std::string& text) {
  const Result<JsonValue> value = read_json(text);
  if (value && value->kind == JsonKind::number) {
    out.raw(text);
  } else {
    out.text(text);
  }
}

void write_scalar(JsonWriter& out, const ArgsNode& node) {
  switch (node.kind) {
    case ArgsKind::number:
      return write_number(out, node.value);
    case ArgsKind::boolean:
      out.boolean(node.value == "true");
      return;
    case ArgsKind::null:
      out.null();
      return;
    default:
      out.text(node.value);
  }
}

// The nodes [first, last), as members of an object that is open.
void write_nodes(JsonWriter& out, const std::vector<ArgsNode>& nodes, std::size_t first,
                 std::set<std::string_view>& keys) {
  struct Open {
    std::uint32_t depth;
    bool is_array;
  };
  std::vector<Open> open;
  const auto close_to = [&](std::uint32_t depth) {
    while (!open.empty() && open.back().depth >= depth) {
      if (open.back().is_array) {
        out.end_array();
      } else {
        out.end_object();
      }
      open.pop_back();
    }
  };
  for (std::size_t i = first; i < nodes.size(); ++i) {
    const ArgsNode& node = nodes[i];
    close_to(node.depth);
    if (open.empty()) keys.insert(node.key);
    if (open.empty() || !open.back().is_array) out.key(node.key);
    if (node.kind == ArgsKind::object || node.kind == ArgsKind::array) {
      const bool is_array = node.kind == ArgsKind::array;
      if (is_array) {
        out.begin_array();
      } else {
        out.begin_object();
      }
      open.push_back({node.depth, is_array});
    } else {
      write_scalar(out, node);
    }
  }
  close_to(0);
}

}  // namespace

std::string args_json(const RecordText& text) {
  JsonWriter out;
  out.begin_object();
  std::vector<ArgsNode> named;  // `keys` looks into it
  std::set<std::string_view> keys;
  const std::vector<ArgsNode>& nodes = text.args.nodes;
  if (!nodes.empty()) {
    if (nodes.front().kind == ArgsKind::object) {
      write_nodes(out, nodes, 1, keys);
    } else {
      // Arguments that are no object, or several without a common root.
      const bool has_root = nodes.front().key.empty();
      if (has_root) {
        named = nodes;
        named.front().key = "args";
        write_nodes(out, named, 0, keys);
        keys.insert("args");
      } else {
        write_nodes(out, nodes, 0, keys);
      }
    }
  }
  for (const auto& [key, value] : text.facts) {
    if (keys.insert(key).second) out.field(key, std::string_view(value));
  }
  for (const LongText& more : text.texts) {
    if (keys.insert(more.title).second) out.field(more.title, std::string_view(more.text));
  }
  if (!text.stack.empty() && keys.insert("stack").second) {
    out.key("stack").begin_array();
    for (const std::string& frame : text.stack) out.text(frame);
    out.end_array();
  }
  out.end_object();
  return out.str().size() == 2 ? std::string() : out.str();
}

}  // namespace cinderscope
