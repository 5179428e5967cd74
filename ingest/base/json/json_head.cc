#include "ingest/base/json/json_head.h"

#include <algorithm>

#include "ingest/base/json/json_walk.h"
#include "ingest/base/json/raw_json.h"

namespace cinderscope::json {

JsonHead::JsonHead(std::string_view head) : text(trim_blanks(head)) {
  JsonWalk walk(text);
  is_object = walk.kind() == '{';
  if (!is_object || !walk.enter('{')) return;
  while (walk.next_key()) {
    keys.push_back(walk.key());
    walk.skip();
  }
}

bool JsonHead::has_key(std::string_view key) const {
  return std::ranges::find(keys, key) != keys.end();
}

bool JsonHead::has(std::string_view name) const {
  for (std::size_t at = text.find(name); at != std::string_view::npos;
       at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if (at > 0 && text[at - 1] == '"' && end < text.size() && text[end] == '"') return true;
  }
  return false;
}

}  // namespace cinderscope::json
