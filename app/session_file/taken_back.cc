#include "app/session_file/taken_back.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "ingest/compare/name_rules.h"

namespace cinderscope {
namespace {

using Keys = std::vector<std::string_view>;

void forget(const JsonValue& ours, JsonValue& theirs, const Keys& keys) {
  std::erase_if(theirs.members, [&](const JsonMember& member) {
    return std::ranges::find(keys, member.key) != keys.end() && ours.find(member.key) == nullptr;
  });
}

// Runs of a side are told by their traces.
void forget_of_runs(const JsonValue& ours, JsonValue& theirs) {
  for (JsonMember& run : theirs.members) {
    const JsonValue* trace = run.value.find("trace");
    if (trace == nullptr) continue;
    const auto same = std::ranges::find_if(ours.members, [&](const JsonMember& each) {
      const JsonValue* of = each.value.find("trace");
      return of != nullptr && of->text == trace->text;
    });
    if (same != ours.members.end()) forget(same->value, run.value, {"scope", "left_out"});
  }
}

}  // namespace

JsonValue without_taken_back(const JsonValue& ours, JsonValue theirs) {
  Keys rules;
  for (std::size_t i = 0; i < kNameRules; ++i) rules.push_back(word_of(static_cast<NameRule>(i)));
  forget(ours, theirs, {"sql"});
  for (JsonMember& member : theirs.members) {
    const JsonValue* own = ours.find(member.key);
    if (own == nullptr) continue;
    if (member.key == "names") forget(*own, member.value, rules);
    if (member.key == "scale") forget(*own, member.value, {"per"});
    if (member.key == "line_up") forget(*own, member.value, {"a", "b"});
    if (member.key == "a" || member.key == "b") forget_of_runs(*own, member.value);
  }
  return theirs;
}

}  // namespace cinderscope
