#include <fmt/format.h>

#include "app/cli/cli.h"

namespace cinderscope {

Status check_range(const RangeOptions& range) {
  const auto& [from, to] = range;
  const bool comparable = from && to && from->from == to->from &&
                          from->from != TypedTime::From::mark && from->ns >= to->ns;
  if (!comparable) return ok();
  return Error{.code = ErrorCode::refused,
               .text = fmt::format("The range ends at {}, which is not after its begin, {}.",
                                   to->text, from->text),
               .expected = {}};
}

}  // namespace cinderscope
