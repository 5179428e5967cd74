#include "ingest/search/name_mask.h"

#include <algorithm>

#include "ingest/base/parallel.h"

namespace cinderscope {

namespace {

constexpr std::uint32_t kBatchNames = 4096;
constexpr std::size_t kNarrowValues = std::size_t{1} << 16;

bool asks_names(const SearchTerm& term) {
  return term.field == TermField::anything || term.field == TermField::name;
}

std::vector<const SearchTerm*> name_terms(const SearchQuery& query) {
  std::vector<const SearchTerm*> terms;
  for (const SearchTerm& term : query.terms) {
    if (asks_names(term)) terms.push_back(&term);
  }
  return terms;
}

bool all_hold(const std::vector<const SearchTerm*>& terms, const StringPool& names, StringId name) {
  const std::string_view text = names.text(name), label = names.label(name);
  const bool has_label = label.data() != text.data();
  return std::all_of(terms.begin(), terms.end(), [&](const SearchTerm* term) {
    const bool held = term->test.holds(text) || (has_label && term->test.holds(label));
    return held != term->negated;
  });
}

}  // namespace

bool asks_names(const SearchQuery& query) {
  return !name_terms(query).empty();
}

bool name_holds(const SearchQuery& query, const StringPool& names, StringId name) {
  return all_hold(name_terms(query), names, name);
}

NameMask::NameMask(std::vector<std::uint8_t> holds)
    : count_(holds.size()), holds_(std::move(holds)) {
  for (std::uint32_t id = 0; id < count_; ++id) {
    if (holds_[id] != 0) matching_.push_back(id);
  }
  holds_.resize(count_ + kNarrowValues);
}

std::span<const std::uint32_t> NameMask::within(std::uint64_t base, std::size_t bytes) const {
  const auto first = std::lower_bound(matching_.begin(), matching_.end(), base);
  const auto last =
      bytes > 2 ? matching_.end()
                : std::lower_bound(first, matching_.end(), base + (std::uint64_t{1} << 8 * bytes));
  return {first, last};
}

std::span<const std::uint8_t> NameMask::table(std::uint64_t base, std::size_t bytes) const {
  // Names that came after the question match nothing.
  if (base > count_) return std::span(holds_).subspan(count_);
  const std::span<const std::uint8_t> from = std::span(holds_).subspan(base);
  return bytes > 2 ? from : from.first(std::size_t{1} << 8 * bytes);
}

std::optional<NameMask> name_mask(const SearchQuery& query, const StringPool& names, unsigned jobs,
                                  const std::atomic<bool>& cancelled) {
  const std::vector<const SearchTerm*> terms = name_terms(query);
  const std::uint32_t count = names.size();
  std::vector<std::uint8_t> holds(count, terms.empty() ? 1 : 0);
  if (terms.empty()) return NameMask(std::move(holds));
  // An exact name has one id at most.
  if (const std::string* exact = terms.front()->test.exact();
      exact != nullptr && terms.size() == 1 && !terms.front()->negated) {
    if (const auto id = names.find(*exact); id && index(*id) < count) holds[index(*id)] = 1;
    return NameMask(std::move(holds));
  }
  parallel_for((count + kBatchNames - 1) / kBatchNames, jobs, [&](std::size_t batch) {
    const auto first = static_cast<std::uint32_t>(batch * kBatchNames);
    for (std::uint32_t id = first; id < std::min(count, first + kBatchNames); ++id) {
      if (cancelled.load(std::memory_order_relaxed)) return;
      holds[id] = all_hold(terms, names, StringId{id}) ? 1 : 0;
    }
  });
  if (cancelled) return std::nullopt;
  return NameMask(std::move(holds));
}

}  // namespace cinderscope
