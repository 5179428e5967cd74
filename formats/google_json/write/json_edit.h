// Changes of a few values in a JSON text that is copied.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cinderscope::google_json {

// What is put in the place of some bytes of an event's text.
struct Edit {
  std::uint32_t begin, end;
  std::string text;
};

// They do not overlap.
inline std::string edited(std::string_view event, std::vector<Edit> edits) {
  std::ranges::sort(edits, {}, &Edit::begin);
  std::string out;
  std::size_t at = 0;
  for (const Edit& edit : edits) {
    out += event.substr(at, edit.begin - at);
    out += edit.text;
    at = edit.end;
  }
  out += event.substr(at);
  return out;
}

}  // namespace cinderscope::google_json
