// A database file that is written: tables go in row by row, and it appears once it is whole.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "ingest/base/result.h"
#include "ingest/sql/query_run.h"

namespace cinderscope {

// One thread. Without commit() nothing is left.
class SqliteFile {
 public:
  // Written aside; an older file stays until commit().
  static Result<std::unique_ptr<SqliteFile>> create(const std::filesystem::path& path);
  ~SqliteFile();
  SqliteFile(const SqliteFile&) = delete;
  SqliteFile& operator=(const SqliteFile&) = delete;

  // Statements without results.
  Status run(const std::string& sql);
  // The statement that rows are given to from now on, with a parameter for each cell.
  Status prepare(const std::string& insert);
  Status insert(std::span<const QueryCell> cells);
  Status commit();

 private:
  struct Handle;
  explicit SqliteFile(std::unique_ptr<Handle> handle);
  std::unique_ptr<Handle> handle_;
};

}  // namespace cinderscope
