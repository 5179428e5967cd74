#include "render/views/widgets/value_cells.h"

namespace cinderscope {

std::vector<const TableColumn*> heads_of(const ValueTable& table) {
  std::vector<const TableColumn*> heads;
  for (const ValueColumn& column : table.columns) heads.push_back(&column.head);
  return heads;
}

TableCell cell_of(const ValueTable& table, std::size_t column, std::uint32_t row,
                  const TimestampFormat& format) {
  const ValueColumn& of = table.columns[column];
  TableCell cell{.text = cell_text(table, of, row, format)};
  if (of.head.bar && of.largest > 0) {
    cell.bar =
        static_cast<float>(static_cast<double>(of.numbers[row]) / static_cast<double>(of.largest));
  }
  return cell;
}

}  // namespace cinderscope
