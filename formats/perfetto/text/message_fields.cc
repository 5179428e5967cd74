// Messages by their descriptions, as MessageJson writes them.
#include <fmt/format.h>

#include <bit>
#include <map>
#include <utility>

#include "formats/perfetto/text/message_json.h"
#include "formats/perfetto/wire/fields.h"
#include "ingest/base/utf8.h"

namespace cinderscope::perfetto {
namespace {

bool is_text(std::string_view bytes) {
  while (!bytes.empty()) {
    const Utf8Char next = first_char(bytes);
    if (!next.valid || (next.code < 0x20 && next.code != '\n' && next.code != '\t')) return false;
    bytes.remove_prefix(next.size);
  }
  return true;
}

bool is_message(std::string_view bytes) {
  FieldReader field(bytes);
  while (field.next()) {
  }
  return !bytes.empty() && !field.damaged();
}

std::string hex_text(std::string_view bytes) {
  constexpr std::size_t kMostBytes = 256;
  std::string out = "0x";
  for (const char c : bytes.substr(0, kMostBytes)) {
    out += fmt::format("{:02x}", static_cast<unsigned char>(c));
  }
  return bytes.size() > kMostBytes ? out + "…" : out;
}

// Numbers of fields that hold arguments of a track event, whoever describes them.
bool is_argument(std::uint32_t number) {
  switch (number) {
    case 31:
    case 33:
    case 36:
    case 42:
    case 45:
    case 46:
    case 47:
    case 48:
      return false;  // something else, of any number of bytes
    default:
      return (number >= 24 && number <= 50) || (number >= 1000 && number <= 9999);
  }
}

// The numbers of a repeated field in one piece.
template <class Take>
void each_packed(const FieldReader& field, const FieldType& type, Take take) {
  std::size_t size = 0;
  switch (type.type) {
    case FieldType::kDouble:
    case FieldType::kFixed64:
    case FieldType::kSfixed64:
      return each_fixed64(field, take);
    case FieldType::kFloat:
    case FieldType::kFixed32:
    case FieldType::kSfixed32:
      size = 4;
      break;
    default:
      return each_number(field, take);
  }
  const std::string_view bytes = field.bytes();
  for (std::size_t at = 0; at + size <= bytes.size(); at += size) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < size; ++i) {
      value |= std::uint64_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
    }
    take(value);
  }
}

std::int64_t zigzag(std::uint64_t value) {
  return protozero::decode_zigzag64(value);
}

}  // namespace

std::vector<MessageJson::Argument> MessageJson::arguments(std::string_view event) {
  node_count_ = 0;
  const std::vector<Node> nodes = fields_of(
      event, [&](std::uint32_t number) { return types_->track_event_argument(number); },
      [](const FieldReader& field, const FieldType* type) {
        return type != nullptr || (field.is_bytes() && is_argument(field.number_of_field()));
      });
  std::vector<Argument> arguments;
  arguments.reserve(nodes.size());
  for (const Node& node : nodes) arguments.emplace_back(node.name, write(node));
  return arguments;
}

void MessageJson::open_message(std::string_view message, const MessageType* type) {
  const auto described = [&](std::uint32_t number) -> const FieldType* {
    if (type == nullptr) return nullptr;
    const auto found = type->find(number);
    return found == type->end() ? nullptr : &found->second;
  };
  push(fields_of(message, described, [](const FieldReader&, const FieldType*) { return true; }),
       true);
}

template <class Described, class Wanted>
std::vector<MessageJson::Node> MessageJson::fields_of(std::string_view message, Described described,
                                                      Wanted wanted) {
  std::vector<Node> nodes;
  std::map<std::uint32_t, std::size_t> places;  // by number
  FieldReader field(message);
  while (field.next()) {
    const std::uint32_t number = field.number_of_field();
    const FieldType* const type = described(number);
    if (!wanted(field, type)) continue;
    std::vector<Node> values;
    const auto take = [&](std::uint64_t value, bool is_bytes) {
      Node node{.form = Form::scalar,
                .name = type == nullptr ? fmt::format("{}", number) : type->name,
                .bytes = is_bytes ? field.bytes() : std::string_view(),
                .number = value,
                .is_bytes = is_bytes,
                .type = type};
      if (is_bytes && type != nullptr && type->type == FieldType::kMessage) {
        node.form = Form::message;
        node.message_type = types_->message(type->type_name);
      } else if (is_bytes && type == nullptr && !is_text(field.bytes()) &&
                 is_message(field.bytes())) {
        node.form = Form::message;
      }
      add(values, std::move(node));
    };
    const bool holds_bytes = type == nullptr || type->type == FieldType::kString ||
                             type->type == FieldType::kBytes || type->type == FieldType::kMessage;
    if (field.is_bytes() && !holds_bytes) {
      each_packed(field, *type, [&](std::uint64_t value) { take(value, false); });
    } else {
      take(field.is_bytes() ? 0 : field.number(), field.is_bytes());
    }
    for (Node& value : values) {
      const auto [found, fresh] = places.try_emplace(number, nodes.size());
      const bool is_list = type != nullptr && type->repeated;
      if (fresh) {
        if (is_list) {
          nodes.push_back({.form = Form::list, .name = value.name});
          nodes.back().elements.push_back(std::move(value));
        } else {
          nodes.push_back(std::move(value));
        }
        continue;
      }
      Node& known = nodes[found->second];
      if (type != nullptr && !is_list) {
        known = std::move(value);  // of a field that comes once, the last
        continue;
      }
      if (known.form != Form::list) {
        // What nobody describes may come several times.
        Node list{.form = Form::list, .name = known.name};
        list.elements.push_back(std::move(known));
        known = std::move(list);
      }
      known.elements.push_back(std::move(value));
    }
  }
  return nodes;
}

void MessageJson::write_unknown(std::string_view bytes) {
  out_.text(is_text(bytes) ? std::string(bytes) : hex_text(bytes));
}

void MessageJson::write_scalar(const Node& node) {
  const std::uint32_t type = node.type == nullptr ? 0 : node.type->type;
  if (node.is_bytes) {
    if (type == FieldType::kString) {
      out_.text(node.bytes);
    } else {
      write_unknown(node.bytes);
    }
    return;
  }
  switch (type) {
    case FieldType::kDouble:
      out_.number(std::bit_cast<double>(node.number));
      return;
    case FieldType::kFloat:
      out_.number(
          static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(node.number))));
      return;
    case FieldType::kInt32:
    case FieldType::kSfixed32:
      out_.number(std::int64_t{static_cast<std::int32_t>(node.number)});
      return;
    case FieldType::kInt64:
    case FieldType::kSfixed64:
      out_.number(static_cast<std::int64_t>(node.number));
      return;
    case FieldType::kSint32:
    case FieldType::kSint64:
      out_.number(zigzag(node.number));
      return;
    case FieldType::kBool:
      out_.boolean(node.number != 0);
      return;
    case FieldType::kEnum: {
      const std::string_view name =
          types_->enum_name(node.type->type_name, static_cast<std::int32_t>(node.number));
      if (name.empty()) {
        out_.number(static_cast<std::int64_t>(node.number));
      } else {
        out_.text(name);
      }
      return;
    }
    default:
      break;
  }
  const std::string_view name = node.type == nullptr ? std::string_view() : node.type->name;
  if (name.ends_with("_iid") && node.number != 0) {
    // Nearly all are source locations; the others say so.
    if (name == "name_iid") {
      out_.text(texts_->text(kHistogramNames, node.number));
    } else {
      out_.text(texts_->location(node.number));
    }
    return;
  }
  out_.number(node.number);
}

}  // namespace cinderscope::perfetto
