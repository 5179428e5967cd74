// The list of formats this program opens.
#pragma once

#include <vector>

#include "ingest/format/format.h"

namespace cinderscope {

const std::vector<const Format*>& all_formats();
// The one whose files are usually named so, packed or not ("a.spall.gz"); null for other names. The
// content decides when it is opened.
const Format* format_of_name(std::string_view file_name);

const Format* format_named(std::string_view name);  // null if there is none

}  // namespace cinderscope
