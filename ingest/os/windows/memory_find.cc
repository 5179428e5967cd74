#include "ingest/base/text_bytes.h"

namespace cinderscope {

bool contains_bytes(std::string_view bytes, std::string_view wanted) {
  return bytes.find(wanted) != std::string_view::npos;
}

}  // namespace cinderscope
