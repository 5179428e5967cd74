#include "ingest/format/capabilities.h"

#include "ingest/format/format.h"

namespace cinderscope {

const StatementSource* statements_of(const TraceSource* source) {
  const auto* statements = dynamic_cast<const StatementSource*>(source);
  return statements != nullptr && statements->has_statements() ? statements : nullptr;
}

std::uint64_t own_bytes_of(const TraceSource* source) {
  const auto* owner = dynamic_cast<const MemoryOwner*>(source);
  return owner == nullptr ? 0 : owner->own_bytes();
}

}  // namespace cinderscope
