#include "formats/firefox/profile_texts.h"

#include "ingest/base/json/raw_json.h"

namespace cinderscope::firefox {

TextNumber ProfileTexts::number_of(std::string_view text) {
  if (const auto known = numbers_.find(text); known != numbers_.end()) return known->second;
  const auto number = static_cast<TextNumber>(texts_.size());
  numbers_.emplace(texts_.emplace_back(text), number);
  return number;
}

TextNumber ProfileTexts::number_of_raw(std::string_view raw) {
  if (raw.empty()) return kEmptyText;
  const auto [at, fresh] = by_place_.try_emplace(raw.data(), kEmptyText);
  if (fresh) at->second = number_of(json::text_of(raw));
  return at->second;
}

}  // namespace cinderscope::firefox
