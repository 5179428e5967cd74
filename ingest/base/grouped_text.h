// Digits in groups of three, parted by blanks: those copy well, and every font has them.
#pragma once

#include <cstdint>
#include <string>

namespace cinderscope {

std::uint64_t magnitude(std::int64_t value);  // of any value, the lowest included

std::string grouped(std::uint64_t number);  // "98 212"

// The decimals of `rest`, in groups of three: `groups` such groups make one unit. As many as are
// not all zero, within the limits: ".250", ".250 001", "".
std::string decimal_groups(std::uint64_t rest, int groups, int min_groups, int max_groups);

// A time from a minute on: "2 min 05 s", "1 h 02 min 05.250 s". Decimals are groups of three.
std::string minutes_text(std::uint64_t ns, int min_groups, int max_groups);

}  // namespace cinderscope
