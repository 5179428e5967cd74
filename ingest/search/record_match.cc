#include "ingest/search/record_match.h"

#include <algorithm>
#include <string>
#include <vector>

#include "ingest/base/ascii.h"
#include "ingest/base/number_text.h"

namespace cinderscope {

namespace {

bool value_holds(const SearchTerm& term, std::string_view value) {
  if (!term.numbers) return term.test.holds(value);
  const std::optional<double> number = parse_number<double>(value);
  return number && term.numbers->holds(*number);
}

// `key` is the whole path or its last parts.
bool path_ends_in(std::string_view path, std::string_view key) {
  if (!path.ends_with(key)) return false;
  return path.size() == key.size() || path[path.size() - key.size() - 1] == '.';
}

// The path of each node while the tree is walked: "data.stack.url" in lower case. Places in lists
// are named only if the key names one, so that "url" is found in a list of objects, too.
class PathWalk {
 public:
  explicit PathWalk(bool names_places) : names_places_(names_places) {}

  std::string_view step(const ArgsNode& node) {
    ends_.resize(std::min<std::size_t>(ends_.size(), node.depth));
    path_.resize(ends_.empty() ? 0 : ends_.back());
    const bool is_place = node.key.starts_with('[');
    if (!is_place || names_places_) {
      if (!path_.empty() && !is_place) path_ += '.';
      path_ += ascii_lower(node.key);
    }
    while (ends_.size() <= node.depth) ends_.push_back(path_.size());
    return path_;
  }

 private:
  bool names_places_;
  std::string path_;
  std::vector<std::size_t> ends_;  // of the path of each level
};

bool is_container(const ArgsNode& node) {
  return node.kind == ArgsKind::object || node.kind == ArgsKind::array;
}

bool argument_holds(const SearchTerm& term, const RecordText& record) {
  // "key:" alone asks whether there is such an argument at all.
  const bool any_value = !term.numbers && term.text.empty() && term.test.holds({});
  PathWalk walk(term.key.find('[') != std::string::npos);
  for (const ArgsNode& node : record.args.nodes) {
    if (!path_ends_in(walk.step(node), term.key)) continue;
    if (any_value || (!is_container(node) && value_holds(term, node.value))) return true;
  }
  return std::any_of(record.facts.begin(), record.facts.end(), [&](const auto& fact) {
    return ascii_lower(fact.first) == term.key && value_holds(term, fact.second);
  });
}

bool anything_holds(const SearchTerm& term, std::string_view name, const RecordText& record) {
  if (term.test.holds(name)) return true;
  return std::any_of(record.args.nodes.begin(), record.args.nodes.end(), [&](const ArgsNode& node) {
    const bool is_place = node.key.starts_with('[');
    return (!is_place && term.test.holds(node.key)) ||
           (!is_container(node) && term.test.holds(node.value));
  });
}

bool term_holds(const SearchTerm& term, std::string_view name, const RecordText& record) {
  switch (term.field) {
    case TermField::anything:
      return anything_holds(term, name, record);
    case TermField::name:
      return term.test.holds(name);
    case TermField::category:
      return term.test.holds(record.category);
    case TermField::argument:
      return argument_holds(term, record);
    default:
      return true;  // told by the columns
  }
}

bool told_by_columns(TermField field) {
  return field != TermField::anything && field != TermField::name && field != TermField::category &&
         field != TermField::argument;
}

}  // namespace

bool record_holds(const SearchQuery& query, std::string_view name, const RecordText& record) {
  return std::all_of(query.terms.begin(), query.terms.end(), [&](const SearchTerm& term) {
    return told_by_columns(term.field) || term_holds(term, name, record) != term.negated;
  });
}

}  // namespace cinderscope
