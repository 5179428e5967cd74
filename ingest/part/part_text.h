// What a record says, as one JSON object.
#pragma once

#include <string>

#include "ingest/model/record_text.h"

namespace cinderscope {

// Arguments first, then what is no argument in its format (facts, texts, stack) under its own name.
// "" where there is nothing.
std::string args_json(const RecordText& text);

}  // namespace cinderscope
