#include "formats/firefox/text_places.h"

#include <cstdint>
#include <iterator>

#include "ingest/base/json/raw_json.h"

namespace cinderscope::firefox {

TextPlaces::TextPlaces(std::string_view profile, const std::deque<InnerText>& inner) {
  add(profile);
  for (const InnerText& one : inner) add(one.text);
}

void TextPlaces::add(std::string_view text) {
  by_begin_[text.data()] = {texts_.size(), text};
  texts_.push_back(text);
}

void TextPlaces::save(FieldWriter& out, std::string_view part) const {
  auto at = part.empty() ? by_begin_.begin() : by_begin_.upper_bound(part.data());
  if (at != by_begin_.begin()) --at;
  const Place& place = at->second;
  out.add(static_cast<std::uint32_t>(place.number));
  out.add(part.empty() ? std::uint64_t{0}
                       : static_cast<std::uint64_t>(part.data() - place.text.data()));
  out.add(std::uint64_t{part.size()});
}

std::string_view TextPlaces::take(FieldReader& in) const {
  const auto number = in.take<std::uint32_t>();
  const auto begin = in.take<std::uint64_t>(), size = in.take<std::uint64_t>();
  if (number >= texts_.size()) in.fail();
  if (!in.ok()) return {};
  const std::string_view text = texts_[number];
  if (begin > text.size() || size > text.size() - begin) in.fail();
  return in.ok() ? text.substr(begin, size) : std::string_view();
}

void save_inner_texts(FieldWriter& out, std::string_view profile,
                      const std::deque<InnerText>& inner) {
  const TextPlaces places(profile, inner);
  out.add(std::uint64_t{inner.size()});
  for (const InnerText& one : inner) places.save(out, one.raw);
}

std::deque<InnerText> take_inner_texts(FieldReader& in, std::string_view profile) {
  constexpr std::size_t kPlaceBytes = 20;
  std::deque<InnerText> inner;
  TextPlaces places(profile, inner);
  // Those within one text lie side by side, so all of one depth take no more than the profile.
  std::map<const char*, std::size_t> left_of;
  left_of[profile.data()] = profile.size();
  for (std::size_t left = in.take_count(kPlaceBytes); left > 0; --left) {
    const std::string_view raw = places.take(in);
    if (raw.empty()) in.fail();
    if (!in.ok()) return {};
    std::size_t& left_bytes = std::prev(left_of.upper_bound(raw.data()))->second;
    if (raw.size() > left_bytes) {
      in.fail();
      return {};
    }
    left_bytes -= raw.size();
    inner.push_back({raw, json::text_of(raw)});
    const std::string& text = inner.back().text;
    places.add(text);
    left_of[text.data()] = text.size();
  }
  return inner;
}

}  // namespace cinderscope::firefox
