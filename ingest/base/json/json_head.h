// What the first bytes of a JSON object tell of it: for probes.
#pragma once

#include <string_view>
#include <vector>

namespace cinderscope::json {

struct JsonHead {
  bool is_object = false;
  std::string_view text;
  std::vector<std::string_view> keys;  // of the object itself, raw, as far as the head goes

  explicit JsonHead(std::string_view head);

  bool has_key(std::string_view key) const;
  // `name` occurs in quotes, anywhere: a key or a text.
  bool has(std::string_view name) const;
};

}  // namespace cinderscope::json
