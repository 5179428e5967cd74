// Dates as people read them: "today 14:32", "21 Nov", "3 Feb 2024".
#pragma once

#include <cstdint>
#include <string>

namespace cinderscope {

// Both times in seconds since 1970; written in local time. Years that no calendar holds are left
// out.
std::string date_text(std::int64_t time_s, std::int64_t now_s);

}  // namespace cinderscope
