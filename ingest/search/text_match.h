// A test on a text: contains, equals, or matches a regular expression.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "ingest/base/result.h"

namespace re2 {
class RE2;
}

namespace cinderscope {

// Immutable once made; any thread, any number of them at once. The time it takes is linear in the
// text, whatever the condition is.
class TextMatch {
 public:
  TextMatch() = default;  // holds for every text
  // Upper and lower case are the same; beyond ASCII for texts of up to a kilobyte.
  static TextMatch containing(std::string_view text);
  static TextMatch equal_to(std::string_view text);
  // An Error says in plain words what is wrong, its offset is that within `expression`.
  static Result<TextMatch> matching(std::string_view expression, bool ignore_case);

  bool holds(std::string_view text) const;
  // The text of equal_to(); null for other kinds.
  const std::string* exact() const { return kind_ == Kind::equal ? &text_ : nullptr; }

 private:
  enum class Kind { any, contains, equal, expression };
  Kind kind_ = Kind::any;
  std::string text_;  // to be contained: in lower case
  std::shared_ptr<const re2::RE2> expression_;
};

}  // namespace cinderscope
