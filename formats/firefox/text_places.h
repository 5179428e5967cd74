// Where parts of a profile's texts lie, so that a prepared copy of it need not have them.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <string>
#include <string_view>

#include "ingest/base/fields.h"

namespace cinderscope::firefox {

// What stood in a profile as a JSON string and is read as JSON: the profile of another process.
struct InnerText {
  std::string_view raw;  // as it stands there, or in another inner text before it
  std::string text;
};

class TextPlaces {
 public:
  TextPlaces(std::string_view profile, const std::deque<InnerText>& inner);

  // A part of one of the texts, or nothing.
  void save(FieldWriter& out, std::string_view part) const;
  std::string_view take(FieldReader& in) const;
  void add(std::string_view text);

 private:
  struct Place {
    std::size_t number = 0;  // 0: the profile
    std::string_view text;
  };

  std::map<const char*, Place> by_begin_;
  std::deque<std::string_view> texts_;
};

// The inner texts by where they stand, for save() and the same texts again.
void save_inner_texts(FieldWriter& out, std::string_view profile,
                      const std::deque<InnerText>& inner);
std::deque<InnerText> take_inner_texts(FieldReader& in, std::string_view profile);

}  // namespace cinderscope::firefox
