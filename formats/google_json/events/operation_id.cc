#include "formats/google_json/events/operation_id.h"

#include <algorithm>

#include "ingest/base/json/raw_json.h"

namespace cinderscope::google_json {
bool append_operation_id(std::string& out, std::string_view id, std::string_view id2,
                         std::string_view scope, std::string_view pid) {
  if (!id2.empty()) {
    if (const std::string_view global = json::member(id2, "global"); !global.empty()) {
      out += 'g';
      out += id_text(global);
      return true;
    }
    out += 'l';
    out.append(pid).append("\n").append(id_text(json::member(id2, "local")));
    return false;
  }
  out += 'i';
  json::append_text_of(out, scope);
  out.append("\n").append(id.empty() ? "-" : id_text(id));
  return false;
}

}  // namespace cinderscope::google_json
