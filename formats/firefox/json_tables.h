// Tables of Firefox's profiles: columns of equal length, or rows with a schema.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cinderscope::firefox {

inline constexpr std::int64_t kNoValue = INT64_MIN;  // null, or nothing

// The members of an object as raw text, each read where it is wanted.
class Members {
 public:
  Members() = default;
  explicit Members(std::string_view object);

  std::string_view get(std::string_view key) const;  // empty if there is none, or null
  bool has(std::string_view key) const;
  // The first of several names that there is.
  std::string_view any(std::initializer_list<std::string_view> keys) const;
  bool cut() const { return cut_; }
  const std::vector<std::pair<std::string_view, std::string_view>>& all() const { return members_; }

 private:
  std::vector<std::pair<std::string_view, std::string_view>> members_;
  bool cut_ = false;
};

// Elements of an array, as far as it goes. `power`: whole numbers are 0, milliseconds as ns 6.
std::vector<std::int64_t> read_column(std::string_view array, int power = 0);
std::vector<std::string_view> read_values(std::string_view array);
std::int64_t read_number(std::string_view value, int power = 0);

// How many rows the columns of a table have: no more than `length` says. What some of them have
// beyond the shortest is added to `left_over`.
std::size_t row_count(const Members& table, std::initializer_list<std::size_t> sizes,
                      std::uint64_t& left_over);

// Each row of a table with a schema: its values of the named columns, empty where it has none.
// `columns` are alternatives: "stack" or "prefix|parent".
void each_row(std::string_view table, std::initializer_list<std::string_view> columns,
              const std::function<void(std::span<const std::string_view>)>& row);

}  // namespace cinderscope::firefox
