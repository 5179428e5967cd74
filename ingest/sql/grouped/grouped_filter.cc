#include "ingest/sql/grouped/grouped_filter.h"

#include <algorithm>
#include <array>
#include <utility>

namespace cinderscope {

namespace {

using Type = GroupedConstant::Type;

NumberOperand operand_of(const GroupedConstant& constant) {
  using Kind = NumberOperand::Kind;
  const Kind kind = constant.as_number == Type::null      ? Kind::null
                    : constant.as_number == Type::integer ? Kind::integer
                    : constant.as_number == Type::real    ? Kind::real
                                                          : Kind::above_all;
  return {kind, constant.integer, constant.real};
}

NumberSet numbers_of(const GroupedTest& test, std::span<const GroupedConstant> all) {
  const NumberOperand first = operand_of(all[test.constants.front()]);
  switch (test.kind) {
    case TestKind::less:
      return numbers_up_to(first, false);
    case TestKind::less_equal:
      return numbers_up_to(first, true);
    case TestKind::greater:
      return numbers_above(first, false);
    case TestKind::greater_equal:
      return numbers_above(first, true);
    case TestKind::between: {
      const NumberOperand last = operand_of(all[test.constants.back()]);
      if (test.negated) {
        return NumberSet::any_of(
            std::array{numbers_up_to(first, false), numbers_above(last, false)});
      }
      NumberSet set = numbers_above(first, true);
      set.keep(numbers_up_to(last, true));
      return set;
    }
    default: {  // equal to one of them
      std::vector<NumberSet> sets;
      for (const std::uint32_t constant : test.constants) {
        const bool is_null = all[constant].as_number == Type::null;
        if (is_null && test.negated) return NumberSet::none();
        sets.push_back(numbers_equal(operand_of(all[constant])));
      }
      const NumberSet set = NumberSet::any_of(sets);
      return test.negated ? set.others() : set;
    }
  }
}

bool is_null(const GroupedConstant& constant) {
  return constant.as_text == Type::null;
}

// Below 0, 0 or above: as bytes; texts come before blobs.
int compare(std::string_view text, const GroupedConstant& constant) {
  return constant.as_text == Type::blob ? -1 : text.compare(constant.text);
}

bool less(std::string_view text, const GroupedConstant& than, bool or_equal) {
  const int order = compare(text, than);
  return !is_null(than) && (order < 0 || (or_equal && order == 0));
}
bool greater(std::string_view text, const GroupedConstant& than, bool or_equal) {
  return !is_null(than) && !less(text, than, !or_equal);
}

GroupedFilter::TextTest text_test(const GroupedTest& test, std::span<const GroupedConstant> all) {
  std::vector<GroupedConstant> constants;
  for (const std::uint32_t constant : test.constants) constants.push_back(all[constant]);
  return [kind = test.kind, negated = test.negated,
          constants = std::move(constants)](std::string_view text) {
    const GroupedConstant &first = constants.front(), &last = constants.back();
    switch (kind) {
      case TestKind::less:
        return less(text, first, false);
      case TestKind::less_equal:
        return less(text, first, true);
      case TestKind::greater:
        return greater(text, first, false);
      case TestKind::greater_equal:
        return greater(text, first, true);
      case TestKind::between:
        return negated ? less(text, first, false) || greater(text, last, false)
                       : greater(text, first, true) && less(text, last, true);
      default: {
        const bool has_null = std::ranges::any_of(constants, is_null);
        const bool found = std::ranges::any_of(constants, [text](const GroupedConstant& each) {
          return !is_null(each) && compare(text, each) == 0;
        });
        return negated ? !found && !has_null : found;
      }
    }
  };
}

}  // namespace

GroupedConstant GroupedConstant::of(std::int64_t integer) {
  return {Type::integer, integer, 0, Type::text, std::to_string(integer)};
}
GroupedConstant GroupedConstant::of(double real) {
  return {Type::real, 0, real, Type::text, std::to_string(real)};
}
GroupedConstant GroupedConstant::of(std::string_view text) {
  return {Type::text, 0, 0, Type::text, std::string(text)};
}

bool GroupedFilter::empty() const {
  return std::ranges::any_of(numbers, [](const NumberSet& set) { return set.empty(); });
}

bool GroupedFilter::text_holds(SliceColumn column, std::optional<std::string_view> text) const {
  return std::ranges::all_of(texts, [&](const Text& test) {
    return test.column != column || (text && test.holds(*text));
  });
}

bool GroupedFilter::tests_text(SliceColumn column) const {
  return std::ranges::any_of(texts, [&](const Text& test) { return test.column == column; });
}

std::optional<GroupedFilter> grouped_filter(std::span<const GroupedTest> tests,
                                            std::span<const GroupedConstant> constants,
                                            const MatchMaker& match) {
  GroupedFilter filter;
  for (const GroupedTest& test : tests) {
    if (!is_text(test.column)) {
      filter.numbers[static_cast<std::size_t>(test.column)].keep(numbers_of(test, constants));
      continue;
    }
    const bool matches =
        test.kind == TestKind::like || test.kind == TestKind::glob || test.kind == TestKind::regexp;
    if (!matches) {
      filter.texts.push_back({test.column, text_test(test, constants)});
      continue;
    }
    if (is_null(constants[test.constants.front()])) {
      filter.texts.push_back({test.column, [](std::string_view) { return false; }});
      continue;
    }
    GroupedFilter::TextTest holds = match(test.kind, test.constants.front());
    if (!holds) return std::nullopt;
    filter.texts.push_back(
        {test.column, [negated = test.negated, holds = std::move(holds)](std::string_view text) {
           return holds(text) != negated;
         }});
  }
  return filter;
}

}  // namespace cinderscope
