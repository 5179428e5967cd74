// The members of a JSON object as text, so that unknown ones are written back as they were.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cinderscope {

struct StoredMember {
  std::string key;   // decoded
  std::string json;  // the value as written
};
using StoredMembers = std::vector<StoredMember>;

// nullopt unless `text` is one whole object of at most a thousand members. The last of several
// members of one key counts.
std::optional<StoredMembers> json_members(std::string_view text);

// The object again, one member a line.
std::string json_object(const StoredMembers& members);

// Null if there is no such member.
const StoredMember* member_named(const StoredMembers& members, std::string_view key);
void set_member(StoredMembers& members, StoredMember member);

}  // namespace cinderscope
