// Descriptions of protobuf messages that a trace carries of its own typed arguments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace cinderscope::perfetto {

struct FieldType {
  enum : std::uint32_t {
    kDouble = 1,
    kFloat = 2,
    kInt64 = 3,
    kUint64 = 4,
    kInt32 = 5,
    kFixed64 = 6,
    kFixed32 = 7,
    kBool = 8,
    kString = 9,
    kMessage = 11,
    kBytes = 12,
    kUint32 = 13,
    kEnum = 14,
    kSfixed32 = 15,
    kSfixed64 = 16,
    kSint32 = 17,
    kSint64 = 18,
  };
  std::string name;
  std::uint32_t type = 0;
  bool repeated = false;
  std::string type_name;  // of a message or an enum, with a leading dot
};
using MessageType = std::map<std::uint32_t, FieldType>;  // by number

class MessageTypes {
 public:
  MessageTypes();

  // The body of an extension_descriptor packet. Of all of them at most some MB are read.
  void add_descriptor(std::string_view body);

  const MessageType* message(std::string_view full_name) const;
  // Of a value of an enum; empty if it has no name.
  std::string_view enum_name(std::string_view full_name, std::int64_t value) const;
  // Arguments of track events; null where a number means nothing.
  const FieldType* track_event_argument(std::uint32_t number) const;
  std::size_t kept_bytes() const { return read_bytes_; }  // about

 private:
  void add_files(std::string_view file_set);
  void add_file(std::string_view file);
  void add_field(std::string_view field, MessageType* of);

  std::unordered_map<std::string, MessageType> messages_;
  std::unordered_map<std::string, std::map<std::int64_t, std::string>> enums_;
  MessageType arguments_;
  std::unordered_set<std::uint64_t> read_;  // hashes of sets of files: they come again and again
  std::size_t read_bytes_ = 0;
};

}  // namespace cinderscope::perfetto
