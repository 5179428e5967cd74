#include "app/places/place_links.h"

#include <algorithm>
#include <optional>

#include "app/places/place.h"

namespace cinderscope {
namespace {

constexpr std::size_t kMostLinks = 12, kMostTried = 100;

struct FoundLink {
  PlaceLink link;
  std::size_t begin = 0, end = 0;  // of its text
};

std::vector<FoundLink> links_in(std::string_view text) {
  std::vector<FoundLink> links;
  std::size_t begin = 0, tried = 0;
  while (links.size() < kMostLinks && tried++ < kMostTried &&
         (begin = text.find(kPlaceScheme, begin)) != text.npos) {
    const std::size_t end = std::min(text.find_first_of(" \t\r\n\"'`<>()", begin), text.size());
    const std::string_view token = text.substr(begin, end - begin);
    if (const Result<Place> place = place_from(token)) {
      links.push_back(
          {{place->slice && !place->slice->name.empty() ? place->slice->name : place->trace.name,
            std::string(token)},
           begin,
           end});
    }
    begin = end;
  }
  return links;
}

}  // namespace

std::vector<PlaceLink> places_in(std::string_view text) {
  std::vector<PlaceLink> links;
  for (FoundLink& found : links_in(text)) links.push_back(std::move(found.link));
  return links;
}

std::string with_labels(std::string_view text) {
  std::string out;
  std::size_t at = 0;
  for (const FoundLink& found : links_in(text)) {
    out += text.substr(at, found.begin - at);
    out += found.link.label;
    at = found.end;
  }
  return out += text.substr(at);
}

}  // namespace cinderscope
