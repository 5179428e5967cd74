// Changes texts by regular expressions: "REGEX=TEXT".
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/base/result.h"

namespace re2 {
class RE2;
}

namespace cinderscope {

// Several rules, one after the other; each replaces all that it matches. \1 to \9 are groups.
class TextReplace {
 public:
  // The first `=` without a backslash before it parts them. An Error says what is wrong.
  Status add(std::string_view rule);
  bool empty() const { return rules_.empty(); }
  std::string changed(std::string_view text) const;

 private:
  struct Rule {
    std::shared_ptr<const re2::RE2> expression;
    std::string text;
  };
  std::vector<Rule> rules_;
};

}  // namespace cinderscope
