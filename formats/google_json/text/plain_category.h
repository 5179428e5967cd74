// Finds the category of an event that is written as most are, in one look at its text.
#pragma once

#include <optional>
#include <string_view>

namespace cinderscope::google_json {

// The value of the last member "cat" of the object that the text begins with; empty: it has none.
// None: the text ends before the object does, or it is written in another way (escapes in keys,
// damage), so that json::MemberReader has to tell.
std::optional<std::string_view> plain_category(std::string_view text);

}  // namespace cinderscope::google_json
