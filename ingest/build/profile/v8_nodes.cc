#include "ingest/build/profile/v8_nodes.h"

#include <string>

#include "ingest/base/json/json_id.h"
#include "ingest/base/json/raw_json.h"

namespace cinderscope {
namespace {

// Of a node's function: what tells it from others of its name.
std::string place_of(std::string_view call_frame) {
  std::string place;
  for (const std::string_view key : {"scriptId", "url", "lineNumber", "columnNumber"}) {
    place.append(json::member(call_frame, key)).append(1, '\n');
  }
  return place;
}

}  // namespace

void add_v8_nodes(V8Profile& profile, std::string_view nodes) {
  json::MemberReader reader(nodes);
  while (reader.next()) {
    const std::string_view node = reader.value();
    if (!json::is_object(node)) continue;
    const std::string_view call_frame = json::member(node, "callFrame");
    std::string name = json::text_of(json::member(call_frame, "functionName"));
    if (name.empty()) name = json::text_of(json::member(node, "functionName"));  // before 2015
    const std::string_view parent = json::member(node, "parent");
    const std::uint32_t number = profile.add_node();
    profile.describe(number, json::id_text(json::member(node, "id")), name, place_of(call_frame));
    if (!parent.empty()) profile.set_parent(number, json::id_text(parent));
    json::MemberReader children(json::member(node, "children"));
    while (children.next()) profile.add_child(number, json::id_text(children.value()));
  }
}

}  // namespace cinderscope
