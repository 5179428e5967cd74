#include <cstring>

#include "ingest/base/text_bytes.h"

namespace cinderscope {

bool contains_bytes(std::string_view bytes, std::string_view wanted) {
  return memmem(bytes.data(), bytes.size(), wanted.data(), wanted.size()) != nullptr;
}

}  // namespace cinderscope
