#include "app/output/diagnostics_json.h"

namespace cinderscope {

void write_change(JsonWriter& out, const DiskChange& change) {
  if (!change) {
    out.null();
    return;
  }
  out.begin_object().field("file", std::string_view(change.file));
  out.field("how", change_name(change.what)).end_object();
}

void write_diagnostics(JsonWriter& out, const Diagnostics& diagnostics) {
  out.begin_array();
  for (const auto& [code, diagnostic] : diagnostics.by_code()) {
    out.begin_object().field("code", code).field("severity", severity_name(diagnostic.severity));
    out.field("count", diagnostic.count).field("first_offset", diagnostic.first_offset);
    out.field("text", diagnostic.text).end_object();
  }
  out.end_array();
}

}  // namespace cinderscope
