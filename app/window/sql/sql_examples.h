// Questions that come with the program, as queries to start from.
#pragma once

#include <span>
#include <string_view>

namespace cinderscope {

struct SqlExample {
  std::string_view name, text;  // the text begins with a comment that says what it is for
};

// The first few are those that are seen at once.
std::span<const SqlExample> sql_examples();

}  // namespace cinderscope
