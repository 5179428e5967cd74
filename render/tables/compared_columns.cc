// The columns of a comparison: their keys, titles and widths.
#include <algorithm>
#include <array>

#include "render/tables/compared_table.h"

namespace cinderscope {

namespace {

using Field = ComparedField;

constexpr std::array<std::string_view, kComparedFields> kKeys = {
    "name",    "calls",  "a",      "b",        "difference", "change", "interval",
    "verdict", "mean_a", "mean_b", "median_a", "median_b",   "p90_a",  "p90_b",
    "p99_a",   "p99_b",  "min_a",  "min_b",    "max_a",      "max_b",  "total_a",
    "total_b", "p",      "chance", "merged"};

std::string measure_title(Measure measure) {
  std::string word(word_of(measure));
  if (measure == Measure::count) word = "calls";
  if (word.starts_with('p')) return word;  // a percentile
  word.front() = static_cast<char>(word.front() - 'a' + 'A');
  return word;
}

}  // namespace

std::string_view key_of(ComparedField field) {
  return kKeys.at(static_cast<std::size_t>(field));
}

std::optional<ComparedField> compared_field(std::string_view key) {
  const auto found = std::ranges::find(kKeys, key);
  if (found == kKeys.end()) return std::nullopt;
  return static_cast<Field>(found - kKeys.begin());
}

TableColumn compared_column(ComparedField field, const Comparison& comparison) {
  const std::string measure = measure_title(comparison.options.measure);
  TableColumn head{.title = {}, .key = std::string(key_of(field)), .kind = CellKind::duration};
  head.width_px = 84;
  const auto as = [&](std::string title, float width_px, std::string help, int importance) {
    head.title = std::move(title);
    head.width_px = width_px;
    head.help = std::move(help);
    head.importance = importance;
  };
  switch (field) {
    case Field::name:
      as("Name", 150, "As compared: what the rules made of it", 0);
      head.kind = CellKind::text;
      head.grows = head.names = true;
      break;
    case Field::calls:
      as("Calls", 86, "How many; both where they differ", 4);
      break;
    case Field::a:
      as(measure + " A", 80, "The old side", 0);
      break;
    case Field::b:
      as(measure + " B", 80, "The new side", 0);
      break;
    case Field::difference:
      as("Difference", 166, "B minus A: + means that B takes more", 0);
      break;
    case Field::change:
      as("Change", 74, "Of B to A", 5);
      break;
    case Field::interval:
      as(comparison.tested == Tested::runs ? "95 % interval" : "Spread", 134,
         comparison.tested == Tested::runs
             ? "Where the change lies, with 95 % certainty"
             : "How steady the difference is within these recordings; it says nothing of others",
         3);
      break;
    case Field::verdict:
      as("Verdict", 78, "A question mark: not tested, since there are too few runs", 0);
      break;
    case Field::p:
      as("p", 72, "Of the test, before all that was looked at is taken into account", 1);
      break;
    case Field::chance:
      as("Chance", 72, "In how many pairs of a call of each side that of B takes longer", 1);
      break;
    case Field::merged:
      as("Names", 72, "How many names of both sides became this one", 1);
      break;
    default: {
      std::string title(key_of(field));
      std::ranges::replace(title, '_', ' ');
      title.back() = static_cast<char>(title.back() - 'a' + 'A');
      if (!title.starts_with('p')) title.front() = static_cast<char>(title.front() - 'a' + 'A');
      as(title, 84, "", 2);
    }
  }
  return head;
}

}  // namespace cinderscope
