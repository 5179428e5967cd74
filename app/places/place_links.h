// Places within notes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cinderscope {

struct PlaceLink {
  std::string label;  // the call that it names, else its file
  std::string place;
};

// Those in a text, in their order; a dozen at most.
std::vector<PlaceLink> places_in(std::string_view text);

// The text with their labels in their place.
std::string with_labels(std::string_view text);

}  // namespace cinderscope
