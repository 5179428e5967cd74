// The list of formats this program opens.
#pragma once

#include <vector>

#include "ingest/format/format.h"

namespace cinderscope {

const std::vector<const Format*>& all_formats();
const Format* format_named(std::string_view name);  // null if there is none

}  // namespace cinderscope
