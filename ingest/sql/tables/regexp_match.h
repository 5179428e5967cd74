// REGEXP by RE2, which ends soon after it was cancelled.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "ingest/sql/query_data.h"

namespace re2 {
class RE2;
}

namespace cinderscope {

// RE2 takes a time that grows with the length of the text times the size of the expression, at
// worst, and looks at no flag; up to so many steps are taken at once, which takes some 50 ms.
inline constexpr std::uint64_t kFewRegexpSteps = 1u << 23;

class RegexpMatch {
 public:
  // What is wrong with the expression; empty: nothing.
  std::string set(const std::string& expression);
  // Whether any of the text matches; false once the run is to end, which it is, with a sentence,
  // where this might take minutes, or where too many matches of cancelled runs still use the cores.
  bool matches(std::string_view text, const QueryData& data,
               std::uint64_t few_steps = kFewRegexpSteps) const;

 private:
  std::shared_ptr<const re2::RE2> expression_;
};

}  // namespace cinderscope
