#include "formats/qubership/text/call_title.h"

namespace cinderscope::qubership {

std::string_view path_of_url(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme == std::string_view::npos) return url;
  const std::size_t path = url.find('/', scheme + 3);
  return path == std::string_view::npos ? std::string_view("/") : url.substr(path);
}

std::string call_title(const TitleParts& parts) {
  if (!parts.title.empty()) return parts.title;
  if (parts.url.empty()) return {};
  std::string title = parts.method;
  if (!title.empty()) title += ' ';
  title += path_of_url(parts.url);
  if (!parts.query.empty()) title.append("?").append(parts.query);
  if (!parts.client.empty()) title.append(", client: ").append(parts.client);
  return title;
}

}  // namespace cinderscope::qubership
