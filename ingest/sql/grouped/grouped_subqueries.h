// Statements of which a part groups slices: sub-queries behind FROM and JOIN, bodies of WITH.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/sql/grouped/grouped_statement.h"

namespace cinderscope {

// What stands between the parentheses of a sub-query, which has the form that grouped_statement()
// reads.
struct GroupedSubquery {
  std::size_t begin = 0, end = 0;  // bytes of the text
  GroupedStatement statement;
};

// Of the first statement of the text, if that is a query; in order.
std::vector<GroupedSubquery> grouped_subqueries(std::string_view sql);

// The text with these parts written anew; they are numbered from `first`.
std::string with_subqueries(std::string_view sql, std::span<const GroupedSubquery> parts,
                            std::string_view function, std::size_t first);

}  // namespace cinderscope
