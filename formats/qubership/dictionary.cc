#include "formats/qubership/dictionary.h"

#include <fmt/format.h>

#include <algorithm>

#include "formats/qubership/text/wire_text.h"

namespace cinderscope::qubership {

void Dictionary::add(const StreamStore& store, const StreamFile& file, Diagnostics& problems) {
  const bool has_ids = file.stream != Stream::dictionary;
  const auto number = static_cast<std::uint32_t>(&file - store.files().data());
  WireCursor in(store.bytes(file));
  while (!in.at_end()) {
    const std::uint64_t begin = in.at();
    const std::uint32_t id = has_ids ? in.varint32() : next_id_;
    const std::uint64_t at = in.at();
    static_cast<void>(in.text());
    if (in.cut()) {
      report(problems, diagnostic::kTruncated, file, begin,
             "the file ends in the middle of a word.");
      break;
    }
    words_.push_back({id, number, at});
    if (!has_ids) ++next_id_;
  }
}

void Dictionary::finish() {
  std::ranges::stable_sort(words_, {}, &Word::id);
  std::vector<Word> last;  // of each id
  for (const Word& word : words_) {
    if (!last.empty() && last.back().id == word.id) last.pop_back();
    last.push_back(word);
  }
  words_ = std::move(last);
  words_.shrink_to_fit();
}

std::optional<WireText> Dictionary::text_of(const StreamStore& store, const Word& word) const {
  WireCursor in(store.bytes(store.files()[word.file]), word.at);
  const WireText text = in.text();
  return in.cut() ? std::nullopt : std::optional(text);
}

std::optional<WireText> Dictionary::word(const StreamStore& store, std::uint32_t id) const {
  if (id < words_.size() && words_[id].id == id) return text_of(store, words_[id]);
  const auto found = std::ranges::lower_bound(words_, id, {}, &Word::id);
  if (found == words_.end() || found->id != id) return std::nullopt;
  return text_of(store, *found);
}

std::string Dictionary::text(const StreamStore& store, std::uint32_t id) const {
  constexpr std::uint64_t kMostUnits = 16'384;
  const std::optional<WireText> found = word(store, id);
  if (!found) return fmt::format("#{}", id);
  if (found->units.empty()) return "(empty)";
  return utf8_of(*found, kMostUnits);
}

std::optional<std::uint32_t> Dictionary::find(const StreamStore& store,
                                              std::string_view ascii) const {
  for (const Word& word : words_) {
    const std::optional<WireText> text = text_of(store, word);
    if (text && equals(*text, ascii)) return word.id;
  }
  return std::nullopt;
}

}  // namespace cinderscope::qubership
