// Messages as JSON: annotations by what they say of themselves, others by their descriptions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/perfetto/text/epoch_texts.h"
#include "formats/perfetto/text/message_types.h"
#include "ingest/base/json/json_writer.h"

namespace cinderscope::perfetto {

// Writes one value after the other, whatever their depth. What parse_args() would cut is not
// written; it meets one value more than it takes, so that it says so.
class MessageJson {
 public:
  MessageJson(const EpochTexts& texts, const MessageTypes& types)
      : texts_(&texts), types_(&types) {}

  std::string annotation_name(std::string_view annotation) const;
  std::string annotation(std::string_view annotation);
  // The typed arguments of a track event, each with its name: by their descriptions, or by the
  // numbers of their fields.
  using Argument = std::pair<std::string, std::string>;
  std::vector<Argument> arguments(std::string_view event);

 private:
  enum class Form : std::uint8_t { annotation, nested, message, scalar, list };
  struct Node {
    Form form = Form::scalar;
    std::string name;
    std::string_view bytes;
    std::uint64_t number = 0;
    bool is_bytes = false;
    const FieldType* type = nullptr;  // of a field that is described
    const MessageType* message_type = nullptr;
    std::vector<Node> elements;  // of a list
  };
  struct Level {
    std::vector<Node> nodes;
    std::size_t next = 0;
    bool is_object = false;
  };

  std::string write(const Node& root);
  void open(const Node& node);
  void open_annotation(std::string_view annotation);
  void open_nested(std::string_view nested);
  void open_message(std::string_view message, const MessageType* type);
  // `described(number)` gives the type of a field, or null; `wanted(field, type)` leaves some out.
  template <class Described, class Wanted>
  std::vector<Node> fields_of(std::string_view message, Described described, Wanted wanted);
  void write_scalar(const Node& node);
  void write_unknown(std::string_view bytes);
  void push(std::vector<Node> nodes, bool is_object);
  bool add(std::vector<Node>& nodes, Node node);

  const EpochTexts* texts_;
  const MessageTypes* types_;
  JsonWriter out_;
  std::vector<Level> levels_;
  std::size_t node_count_ = 0;
};

}  // namespace cinderscope::perfetto
