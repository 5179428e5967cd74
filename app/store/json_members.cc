#include "app/store/json_members.h"

#include <algorithm>
#include <utility>

#include "ingest/base/json/json_value.h"
#include "ingest/base/json/json_writer.h"

namespace cinderscope {
namespace {

constexpr std::size_t kMostMembers = 1000;  // each is looked for among all before it

}  // namespace

std::optional<StoredMembers> json_members(std::string_view text) {
  const Result<JsonValue> object = read_json(text);
  if (!object || object->kind != JsonKind::object) return std::nullopt;
  if (object->members.size() > kMostMembers) return std::nullopt;
  StoredMembers members;
  for (const auto& [key, value] : object->members)
    set_member(members, {key, std::string(value.raw)});
  return members;
}

std::string json_object(const StoredMembers& members) {
  std::string out = "{";
  for (const StoredMember& member : members) {
    out += out.size() > 1 ? ",\n  " : "\n  ";
    out += json_quoted(member.key) + ": " + member.json;
  }
  return out + (members.empty() ? "}\n" : "\n}\n");
}

const StoredMember* member_named(const StoredMembers& members, std::string_view key) {
  const auto found = std::ranges::find(members, key, &StoredMember::key);
  return found == members.end() ? nullptr : &*found;
}

void set_member(StoredMembers& members, StoredMember member) {
  const auto found = std::ranges::find(members, member.key, &StoredMember::key);
  if (found == members.end()) {
    members.push_back(std::move(member));
  } else {
    found->json = std::move(member.json);
  }
}

}  // namespace cinderscope
