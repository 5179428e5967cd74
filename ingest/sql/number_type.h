// Whether a value of SQLite is a number or a text that reads as one.
#pragma once

#include <sqlite3.h>

namespace cinderscope {

// SQLITE_INTEGER, _FLOAT, _TEXT, _BLOB or _NULL, as sqlite3_value_numeric_type() tells, but the
// value stays what it is, and it may be a copy: of the text of a copy, which belongs to no
// connection, SQLite 3.53 cannot tell it and crashes. The number is what sqlite3_value_int64() and
// _double() give.
int number_type(sqlite3_value* value);

}  // namespace cinderscope
