// Packets that are counted, but not shown.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "formats/perfetto/survey.h"

namespace cinderscope::perfetto {

// By the names of what they are about; those without one by the number of their field.
std::map<std::string, std::uint64_t> skipped_packets(const Survey& survey);
// {"name":count,…}
std::string skipped_packets_json(const Survey& survey);

}  // namespace cinderscope::perfetto
