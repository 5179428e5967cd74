#include "formats/perfetto/text/message_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "formats/perfetto/wire/fields.h"
#include "ingest/base/args_tree.h"
#include "ingest/base/json/raw_json.h"

namespace cinderscope::perfetto {
namespace {

constexpr std::size_t kMostNodes = ArgsLimits{}.max_nodes + 1;
constexpr std::size_t kMostLevels = ArgsLimits{}.max_depth + 1;

bool is_json(std::string_view text) {
  text = json::trim_blanks(text);
  if (text.empty()) return false;
  const bool bracket = json::is_object(text) || json::is_array(text);
  if (bracket && text.back() != (text[0] == '{' ? '}' : ']')) return false;
  if (!bracket && !json::is_string(text) && !json::number_of(text) && text != "true" &&
      text != "false" && text != "null") {
    return false;
  }
  return json::skip_value(text, 0) == text.size();
}

}  // namespace

std::string MessageJson::annotation_name(std::string_view annotation) const {
  std::uint64_t iid = 0;
  std::string name;
  FieldReader field(annotation);
  while (field.next()) {
    if (field.key() == number_field(1)) iid = field.number();
    if (field.key() == bytes_field(10)) name = field.bytes();
  }
  return iid == 0 ? name : texts_->text(kAnnotationNames, iid);
}

std::string MessageJson::annotation(std::string_view annotation) {
  return write({.form = Form::annotation, .bytes = annotation});
}

std::string MessageJson::write(const Node& root) {
  out_ = {};
  levels_.clear();
  node_count_ = 0;
  open(root);
  while (!levels_.empty()) {
    Level& level = levels_.back();
    if (level.next == level.nodes.size()) {
      if (level.is_object) {
        out_.end_object();
      } else {
        out_.end_array();
      }
      levels_.pop_back();
      continue;
    }
    // Taken out, as opening it may move the levels.
    const Node node = std::move(level.nodes[level.next++]);
    if (level.is_object) out_.key(node.name);
    open(node);
  }
  return out_.str();
}

bool MessageJson::add(std::vector<Node>& nodes, Node node) {
  if (node_count_ >= kMostNodes) return false;
  ++node_count_;
  nodes.push_back(std::move(node));
  return true;
}

void MessageJson::push(std::vector<Node> nodes, bool is_object) {
  if (is_object) {
    // Of equal names the last one wins, at the first one's place.
    std::map<std::string, std::size_t> places;
    std::vector<Node> kept;
    for (Node& node : nodes) {
      const auto [found, fresh] = places.try_emplace(node.name, kept.size());
      if (fresh) {
        kept.push_back(std::move(node));
      } else {
        kept[found->second] = std::move(node);
      }
    }
    nodes = std::move(kept);
    out_.begin_object();
  } else {
    out_.begin_array();
  }
  levels_.push_back({std::move(nodes), 0, is_object});
}

void MessageJson::open(const Node& node) {
  if (levels_.size() >= kMostLevels && node.form != Form::scalar) {
    out_.null();
    return;
  }
  switch (node.form) {
    case Form::annotation:
      return open_annotation(node.bytes);
    case Form::nested:
      return open_nested(node.bytes);
    case Form::message:
      return open_message(node.bytes, node.message_type);
    case Form::list:
      return push(node.elements, false);
    case Form::scalar:
      return write_scalar(node);
  }
}

void MessageJson::open_annotation(std::string_view annotation) {
  std::vector<Node> entries, elements;
  std::uint64_t key = 0, number = 0, type_iid = 0;
  std::string_view bytes, type_name;
  FieldReader field(annotation);
  while (field.next()) {
    switch (field.key()) {
      case bytes_field(11):
        add(entries, {.form = Form::annotation,
                      .name = annotation_name(field.bytes()),
                      .bytes = field.bytes()});
        break;
      case bytes_field(12):
        add(elements, {.form = Form::annotation, .bytes = field.bytes()});
        break;
      case number_field(13):
        type_iid = field.number();
        break;
      case bytes_field(16):
        type_name = field.bytes();
        break;
      case number_field(2):
      case number_field(3):
      case number_field(4):
      case fixed64_field(5):
      case bytes_field(6):
      case number_field(7):
      case bytes_field(8):
      case bytes_field(9):
      case bytes_field(14):
      case number_field(17):
        key = field.key();
        number = field.number();
        bytes = field.is_bytes() ? field.bytes() : std::string_view();
        break;
      default:
        break;
    }
  }
  if (!entries.empty()) return push(std::move(entries), true);
  if (!elements.empty()) return push(std::move(elements), false);
  switch (key) {
    case number_field(2):
      out_.boolean(number != 0);
      return;
    case number_field(3):
      out_.number(number);
      return;
    case number_field(4):
      out_.number(static_cast<std::int64_t>(number));
      return;
    case fixed64_field(5):
      out_.number(std::bit_cast<double>(number));
      return;
    case bytes_field(6):
      out_.text(bytes);
      return;
    case number_field(7):
      out_.text(fmt::format("0x{:x}", number));
      return;
    case bytes_field(8):
      return open_nested(bytes);
    case bytes_field(9):
      if (is_json(bytes)) {
        out_.raw(bytes);
      } else {
        out_.text(bytes);
      }
      return;
    case bytes_field(14): {
      const std::string name =
          type_iid != 0 ? texts_->text(kValueTypeNames, type_iid) : std::string(type_name);
      const MessageType* type = types_->message(name.starts_with('.') ? name : "." + name);
      return open_message(bytes, type);
    }
    case number_field(17):
      out_.text(texts_->text(kAnnotationTexts, number));
      return;
    default:
      out_.null();
  }
}

void MessageJson::open_nested(std::string_view nested) {
  std::vector<std::string_view> keys;
  std::vector<Node> values, elements;
  std::uint64_t type = 0;
  const std::size_t most = kMostNodes - std::min(kMostNodes, node_count_);
  FieldReader field(nested);
  while (field.next()) {
    switch (field.key()) {
      case number_field(1):
        type = field.number();
        break;
      case bytes_field(2):
        if (keys.size() < most) keys.push_back(field.bytes());
        break;
      case bytes_field(3):
        add(values, {.form = Form::nested, .bytes = field.bytes()});
        break;
      case bytes_field(4):
        add(elements, {.form = Form::nested, .bytes = field.bytes()});
        break;
      case number_field(5):
        out_.number(field.signed_number());
        return;
      case fixed64_field(6):
        out_.number(field.as_double());
        return;
      case number_field(7):
        out_.boolean(field.number() != 0);
        return;
      case bytes_field(8):
        out_.text(field.bytes());
        return;
      default:
        break;
    }
  }
  if (type == 2 || (type != 1 && !elements.empty())) return push(std::move(elements), false);
  if (type == 1 || !values.empty()) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i].name = i < keys.size() ? std::string(keys[i]) : fmt::format("#{}", i);
    }
    return push(std::move(values), true);
  }
  out_.null();
}

}  // namespace cinderscope::perfetto
