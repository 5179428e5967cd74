// Files that people have beside traces and that no format here reads: named, so that nobody has to
// guess why.
#pragma once

#include <string>
#include <string_view>

namespace cinderscope {

// To follow "is ": "a heap snapshot of V8". Empty: nothing that is known. `head` as head_text().
std::string neighbour_kind(std::string_view head);

}  // namespace cinderscope
