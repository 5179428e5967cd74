// The members of a JSON object as text, so that those nobody here knows can be kept as they are.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cinderscope {

struct JsonMember {
  std::string key;   // decoded
  std::string json;  // the value as written
};
using JsonMembers = std::vector<JsonMember>;

// nullopt if `text` is anything but one whole object of at most a thousand members. Of a key that
// is there twice the last value counts.
std::optional<JsonMembers> json_members(std::string_view text);

// The object again, one member a line.
std::string json_object(const JsonMembers& members);

// Null if there is no such member.
const JsonMember* member_named(const JsonMembers& members, std::string_view key);
void set_member(JsonMembers& members, JsonMember member);

}  // namespace cinderscope
