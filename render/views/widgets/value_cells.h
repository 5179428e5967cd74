// A ValueTable as the table widget draws it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "render/tables/value_table.h"
#include "render/views/widgets/table.h"

namespace cinderscope {

std::vector<const TableColumn*> heads_of(const ValueTable& table);

// With a bar where the column has them: the number's share of the largest.
TableCell cell_of(const ValueTable& table, std::size_t column, std::uint32_t row,
                  const TimestampFormat& format);

}  // namespace cinderscope
