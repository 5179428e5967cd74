// What looking up native functions has brought, in words.
#pragma once

#include <string>
#include <vector>

#include "ingest/format/capabilities.h"

namespace cinderscope {

std::vector<std::string> symbol_lines(const SymbolReport& report);  // one for each module
std::string symbol_summary(const SymbolReport& report);             // one sentence

}  // namespace cinderscope
