#include "app/convert/name_changers.h"

#include <fmt/format.h>

#include <algorithm>

namespace cinderscope {
namespace {

// Calls `visit(part, is_separator)` for the parts of a name.
template <class Visit>
void for_parts(std::string_view name, Visit visit) {
  std::size_t begin = 0;
  for (std::size_t i = 0; i < name.size();) {
    const std::size_t length = name.substr(i).starts_with("::") ? 2 : name[i] == '.' ? 1 : 0;
    if (length == 0) {
      ++i;
      continue;
    }
    if (i > begin) visit(name.substr(begin, i - begin), false);
    visit(name.substr(i, length), true);
    i += length;
    begin = i;
  }
  if (begin < name.size()) visit(name.substr(begin), false);
}

class Changer final : public NameChanger {
 public:
  Changer(NameChanges changes, bool of_slices)
      : changes_(std::move(changes)), of_slices_(of_slices) {}

  bool keeps(std::string_view name) override {
    if (!of_slices_ || !changes_.only) return true;
    return entry(name).kept;
  }
  std::string_view changed(std::string_view name) override { return entry(name).text; }

 private:
  struct Entry {
    std::string text;
    bool kept = true;
  };
  const Entry& entry(std::string_view name) {
    const auto found = known_.find(name);
    if (found != known_.end()) return found->second;
    Entry made;
    made.kept = !changes_.only || changes_.only->holds(name);
    made.text = changes_.rename.changed(name);
    if (changes_.anonymous != nullptr) made.text = changes_.anonymous->changed(made.text);
    // Names of the trace's own pool stay, so these keys may be views of it.
    return known_.emplace(name, std::move(made)).first->second;
  }

  NameChanges changes_;
  bool of_slices_;
  std::unordered_map<std::string_view, Entry> known_;
};

// How many slices and instants have each name.
std::vector<std::uint64_t> counts_of(const Timeline& timeline) {
  std::vector<std::uint64_t> counts(timeline.strings->size());
  const auto add = [&counts](const SliceRow& row) {
    for (const auto& chunk : row.chunks) {
      for (std::uint32_t i = 0; i < chunk->count(); ++i) {
        const std::uint32_t name = index(chunk->name(i));
        if (name < counts.size()) ++counts[name];
      }
    }
  };
  for (const Track& track : timeline.tracks) {
    add(track.instants);
    for (const auto& block : track.blocks) {
      if (block == nullptr) continue;
      std::ranges::for_each(block->rows, add);
      std::ranges::for_each(block->nested_instants, add);
    }
  }
  return counts;
}

}  // namespace

AnonymousWords::AnonymousWords(const Timeline& timeline, std::optional<TextMatch> kept)
    : kept_(std::move(kept)) {
  struct Counted {
    std::string_view part;
    std::uint64_t count;
  };
  std::unordered_map<std::string_view, std::size_t> places;
  std::vector<Counted> parts;
  const std::vector<std::uint64_t> counts = counts_of(timeline);
  for (std::uint32_t id = 0; id < counts.size(); ++id) {
    if (counts[id] == 0) continue;
    const std::string_view name = timeline.text(StringId{id});
    if (kept_ && kept_->holds(name)) continue;
    for_parts(name, [&](std::string_view part, bool is_separator) {
      if (is_separator) return;
      const auto [found, is_new] = places.try_emplace(part, parts.size());
      if (is_new) parts.push_back({part, 0});
      parts[found->second].count += counts[id];
    });
  }
  std::ranges::stable_sort(parts, std::ranges::greater{}, &Counted::count);
  for (const Counted& part : parts) word_of(part.part);
}

std::string_view AnonymousWords::word_of(std::string_view part) {
  const auto [found, is_new] = words_.try_emplace(std::string(part));
  if (is_new) {
    parts_.emplace_back(part);
    found->second = fmt::format("n{}", parts_.size());
  }
  return found->second;
}

std::string AnonymousWords::changed(std::string_view name) {
  if (kept_ && kept_->holds(name)) return std::string(name);
  std::string out;
  for_parts(name, [&](std::string_view part, bool is_separator) {
    out += is_separator ? part : word_of(part);
  });
  return out;
}

std::string AnonymousWords::list() const {
  std::string out;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    std::string part = parts_[i];
    std::ranges::replace_if(
        part, [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
    out += fmt::format("n{}\t{}\n", i + 1, part);
  }
  return out;
}

std::shared_ptr<NameChanger> name_changer(const NameChanges& changes, bool of_slices) {
  const bool changes_any = !changes.rename.empty() || changes.anonymous != nullptr;
  if (!changes_any && !(of_slices && changes.only)) return nullptr;
  return std::make_shared<Changer>(changes, of_slices);
}

}  // namespace cinderscope
