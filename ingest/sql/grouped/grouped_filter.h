// What the conditions of a grouping leave, once its constants are known.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/sql/grouped/grouped_query.h"
#include "ingest/sql/number_set.h"

namespace cinderscope {

// A value of SQLite as columns are compared with it.
struct GroupedConstant {
  enum class Type : std::uint8_t { null, integer, real, text, blob };
  // Beside a column of numbers: a text that reads as a number is one.
  Type as_number = Type::null;
  std::int64_t integer = 0;
  double real = 0;
  // Beside a column of texts: numbers are texts.
  Type as_text = Type::null;
  std::string text;

  static GroupedConstant of(std::int64_t integer);
  static GroupedConstant of(double real);
  static GroupedConstant of(std::string_view text);  // that is no number
};

struct GroupedFilter {
  using TextTest = std::function<bool(std::string_view text)>;
  struct Text {
    SliceColumn column{};
    TextTest holds;
  };
  std::array<NumberSet, kSliceColumns> numbers;  // by column
  std::vector<Text> texts;                       // all of them hold; a NULL fails each

  const NumberSet& of(SliceColumn column) const {
    return numbers[static_cast<std::size_t>(column)];
  }
  bool empty() const;  // nothing is left
  bool text_holds(SliceColumn column, std::optional<std::string_view> text) const;
  bool tests_text(SliceColumn column) const;
};

// Makes the test of a LIKE, GLOB or REGEXP with a constant; none if that is no pattern.
using MatchMaker = std::function<GroupedFilter::TextTest(TestKind kind, std::uint32_t constant)>;

// nullopt: a pattern is none.
std::optional<GroupedFilter> grouped_filter(std::span<const GroupedTest> tests,
                                            std::span<const GroupedConstant> constants,
                                            const MatchMaker& match);

}  // namespace cinderscope
