// What `convert` does to names: leaves some out, renames them, makes them anonymous.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ingest/model/timeline.h"
#include "ingest/part/part_options.h"
#include "ingest/search/text_match.h"
#include "ingest/search/text_replace.h"

namespace cinderscope {

// Words n1, n2, ... for the parts of names between `::` and `.`; the same part, the same word.
class AnonymousWords {
 public:
  // Words by falling count of the calls in `timeline`; what is not in it gets the words behind.
  AnonymousWords(const Timeline& timeline, std::optional<TextMatch> kept);

  std::string changed(std::string_view name);
  // "n1<tab>draw" a line, in the order of the words.
  std::string list() const;

 private:
  std::string_view word_of(std::string_view part);

  std::optional<TextMatch> kept_;  // names that stay as they are
  std::unordered_map<std::string, std::string> words_;
  std::vector<std::string> parts_;  // by word
};

struct NameChanges {
  std::optional<TextMatch> only;  // others are left out
  TextReplace rename;
  std::shared_ptr<AnonymousWords> anonymous;  // may be null
};

// Null where nothing is to be changed. `of_slices`: for what `only` decides about.
std::shared_ptr<NameChanger> name_changer(const NameChanges& changes, bool of_slices);

}  // namespace cinderscope
