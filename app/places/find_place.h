// Finds the file of a place among those that are known.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/places/place.h"

namespace cinderscope {

struct PlaceSearch {
  PlacedTrace trace;
  std::vector<std::string> open, others;  // absolute paths; those of open tabs go before
};

struct FoundPlace {
  std::string path;
  bool is_another = false;  // of that name, but of another content
};

// The first with that identity, else the first of that name. Of files that are not open only those
// of that name are looked at. Reads the disk.
std::optional<FoundPlace> find_place(const PlaceSearch& search);

}  // namespace cinderscope
