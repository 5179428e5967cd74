#include "ingest/query/search_query.h"

namespace cinderscope {

// Within quotes a backslash stands before a quote or a backslash.
std::string search_text_for(std::string_view name, std::optional<std::int64_t> shortest_ns,
                            std::optional<std::int64_t> longest_ns) {
  std::string text = "=\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  text += '"';
  if (!shortest_ns && !longest_ns) return text;
  text += " dur:";
  if (shortest_ns) text += std::to_string(*shortest_ns);
  text += "..";
  if (longest_ns) text += std::to_string(*longest_ns);
  return text;
}

}  // namespace cinderscope
