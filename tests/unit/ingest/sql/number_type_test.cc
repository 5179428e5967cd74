#include "ingest/sql/number_type.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>

namespace cinderscope {
namespace {

struct Types {
  int ours = 0, of_copy = 0, of_sqlite = 0;
};

void tell_types(sqlite3_context* context, int, sqlite3_value** values) {
  auto* types = static_cast<Types*>(sqlite3_user_data(context));
  types->ours = number_type(values[0]);
  sqlite3_value* copy = sqlite3_value_dup(values[0]);
  types->of_copy = number_type(copy);
  sqlite3_value_free(copy);
  types->of_sqlite = sqlite3_value_numeric_type(values[0]);
}

TEST(NumberTypeTest, IsThatOfSqliteAndOfACopyToo) {
  sqlite3* connection = nullptr;
  ASSERT_EQ(sqlite3_open(":memory:", &connection), SQLITE_OK);
  Types types;
  ASSERT_EQ(sqlite3_create_function(connection, "tell", 1, SQLITE_UTF8, &types, &tell_types,
                                    nullptr, nullptr),
            SQLITE_OK);
  sqlite3_stmt* statement = nullptr;
  ASSERT_EQ(sqlite3_prepare_v2(connection, "SELECT tell(?)", -1, &statement, nullptr), SQLITE_OK);
  constexpr std::string_view kPieces[] = {"0",
                                          "7",
                                          "12",
                                          ".",
                                          "e",
                                          "E",
                                          "+",
                                          "-",
                                          " ",
                                          "\n",
                                          "x",
                                          "0x1",
                                          "9223372036854775807",
                                          "9223372036854775808",
                                          "inf",
                                          "nan",
                                          "_"};
  std::mt19937 random(5);
  int numbers = 0;
  for (int i = 0; i < 100'000; ++i) {
    std::string text;
    for (auto left = random() % 6; left > 0; --left) text += kPieces[random() % std::size(kPieces)];
    sqlite3_bind_text(statement, 1, text.data(), static_cast<int>(text.size()), SQLITE_STATIC);
    ASSERT_EQ(sqlite3_step(statement), SQLITE_ROW);
    sqlite3_reset(statement);
    ASSERT_EQ(types.ours, types.of_sqlite) << '"' << text << '"';
    ASSERT_EQ(types.of_copy, types.of_sqlite) << '"' << text << '"';
    numbers += types.ours == SQLITE_TEXT ? 0 : 1;
  }
  EXPECT_GT(numbers, 10'000);
  sqlite3_bind_blob(statement, 1, "5", 1, SQLITE_STATIC);
  ASSERT_EQ(sqlite3_step(statement), SQLITE_ROW);
  EXPECT_EQ(types.of_copy, SQLITE_BLOB);
  sqlite3_finalize(statement);
  sqlite3_close(connection);
}

}  // namespace
}  // namespace cinderscope
