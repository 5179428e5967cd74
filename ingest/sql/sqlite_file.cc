#include "ingest/sql/sqlite_file.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <system_error>
#include <utility>
#include <variant>

#include "ingest/base/path_text.h"
#include "ingest/os/atomic_file.h"

namespace cinderscope {

namespace fs = std::filesystem;

struct SqliteFile::Handle {
  fs::path path, aside;
  sqlite3* connection = nullptr;
  sqlite3_stmt* statement = nullptr;

  ~Handle() {
    close();
    std::error_code ignored;
    if (!aside.empty()) fs::remove(aside, ignored);
  }
  void close() {
    sqlite3_finalize(std::exchange(statement, nullptr));
    sqlite3_close(std::exchange(connection, nullptr));
  }
  Error error(std::string_view what = {}) const {
    const std::string_view said =
        what.empty() ? (connection == nullptr ? "not enough memory" : sqlite3_errmsg(connection))
                     : what;
    return {ErrorCode::cannot_read,
            fmt::format("\"{}\" cannot be written: {}.", utf8_of(path), said),
            {}};
  }
  Status run(const char* sql) const {
    if (sqlite3_exec(connection, sql, nullptr, nullptr, nullptr) != SQLITE_OK) return error();
    return ok();
  }
};

SqliteFile::SqliteFile(std::unique_ptr<Handle> handle) : handle_(std::move(handle)) {}
SqliteFile::~SqliteFile() = default;

Result<std::unique_ptr<SqliteFile>> SqliteFile::create(const fs::path& path) {
  auto handle = std::make_unique<Handle>();
  handle->path = path;
  const fs::path folder = path.parent_path();
  std::error_code unknown;
  if (!folder.empty() && !fs::is_directory(folder, unknown)) {
    return Error{
        ErrorCode::cannot_read, fmt::format("There is no folder \"{}\".", utf8_of(folder)), {}};
  }
  // Takes a name that nobody has, and the rights that new files have.
  Result<AtomicFile> claimed = AtomicFile::create(path);
  if (!claimed) return claimed.error();
  handle->aside = claimed->keep_aside();
  if (sqlite3_open_v2(utf8_of(handle->aside).c_str(), &handle->connection,
                      SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr) != SQLITE_OK) {
    return handle->error();
  }
  // It is made anew or not at all: there is nothing to be rolled back.
  const Status set = handle->run(
      "PRAGMA page_size = 8192; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
      "PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -32768; BEGIN;");
  if (!set) return set.error();
  return std::unique_ptr<SqliteFile>(new SqliteFile(std::move(handle)));
}

Status SqliteFile::run(const std::string& sql) {
  return handle_->run(sql.c_str());
}

Status SqliteFile::prepare(const std::string& insert) {
  sqlite3_finalize(std::exchange(handle_->statement, nullptr));
  if (sqlite3_prepare_v2(handle_->connection, insert.c_str(), static_cast<int>(insert.size()),
                         &handle_->statement, nullptr) != SQLITE_OK) {
    return handle_->error();
  }
  return ok();
}

Status SqliteFile::insert(std::span<const QueryCell> cells) {
  sqlite3_stmt* statement = handle_->statement;
  int parameter = 0;
  for (const QueryCell& cell : cells) {
    ++parameter;
    if (const auto* number = std::get_if<std::int64_t>(&cell)) {
      sqlite3_bind_int64(statement, parameter, *number);
    } else if (const auto* real = std::get_if<double>(&cell)) {
      sqlite3_bind_double(statement, parameter, *real);
    } else if (const auto* text = std::get_if<std::string_view>(&cell)) {
      // An empty view may point nowhere, which would be NULL.
      sqlite3_bind_text64(statement, parameter, text->data() == nullptr ? "" : text->data(),
                          text->size(), SQLITE_STATIC, SQLITE_UTF8);
    } else {
      sqlite3_bind_null(statement, parameter);
    }
  }
  const int stepped = sqlite3_step(statement);
  const int reset = sqlite3_reset(statement);
  return stepped == SQLITE_DONE && reset == SQLITE_OK ? ok() : Status(handle_->error());
}

Status SqliteFile::commit() {
  sqlite3_finalize(std::exchange(handle_->statement, nullptr));
  if (Status done = handle_->run("COMMIT"); !done) return done;
  if (sqlite3_close(handle_->connection) != SQLITE_OK) return handle_->error();
  handle_->connection = nullptr;
  if (Status moved = take_place(handle_->aside, handle_->path); !moved) return moved;
  handle_->aside.clear();
  return ok();
}

}  // namespace cinderscope
