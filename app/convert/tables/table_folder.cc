#include "app/convert/tables/table_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "app/convert/tables/folder_scripts.h"
#include "app/convert/tables/table_texts.h"
#include "app/places/trace_identity.h"
#include "app/session/merge_offset.h"
#include "ingest/base/ascii.h"
#include "ingest/base/number_text.h"
#include "ingest/base/parallel.h"
#include "ingest/base/path_text.h"
#include "ingest/input/input.h"
#include "ingest/os/atomic_file.h"
#include "ingest/os/folder.h"

namespace cinderscope {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSchemaName = "schema.json";
constexpr std::string_view kPartition = "trace=";

Error cannot(const fs::path& path, const std::error_code& error) {
  return {ErrorCode::cannot_read,
          fmt::format("\"{}\" cannot be written: {}.", utf8_of(path), error.message()),
          {}};
}

std::string file_name(std::string_view table, const TableRequest& request) {
  return fmt::format("{}.{}{}", table, request.text == TableText::json_lines ? "jsonl" : "csv",
                     request.packing == OutputPacking::gzip   ? ".gz"
                     : request.packing == OutputPacking::zstd ? ".zst"
                                                              : "");
}

// "page before.json.gz" as "page_before": without what formats and packings add.
std::string partition_name(const std::string& path) {
  std::string name = shown_file_name(path);
  for (bool cut = true; cut;) {
    cut = false;
    const std::string lower = ascii_lower(name);
    for (const std::string_view ending :
         {".gz", ".zst", ".lz4", ".json", ".spall", ".tsd", ".trace", ".packedtrace", ".jsonl",
          ".flow", ".zip", ".pftrace", ".perfetto-trace", ".cpuprofile", ".pprof", ".pb", ".txt",
          ".folded", ".data"}) {
      if (!lower.ends_with(ending) || name.size() == ending.size()) continue;
      name.resize(name.size() - ending.size());
      cut = true;
      break;
    }
  }
  constexpr std::size_t kMostBytes = 200;
  if (name.size() > kMostBytes) name.resize(kMostBytes);
  for (char& c : name) {
    const bool stays = is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       c == '.' || c == '-' || c == '_';
    if (!stays) c = '_';
  }
  return name.empty() ? "trace" : name;
}

// In the folder itself, where a rename costs nothing; what a kill leaves there no reader looks at.
class Aside {
 public:
  explicit Aside(const fs::path& folder) {
    for (std::size_t number = 1; number < 100'000; ++number) {
      const fs::path path = folder / path_of(fmt::format(".writing-{}", number));
      std::error_code failed;
      if (fs::create_directory(path, failed)) {
        path_ = path;
        return;
      }
      // Somebody has it, or has just removed it.
      if (failed == std::errc::permission_denied || failed == std::errc::no_space_on_device ||
          failed == std::errc::read_only_file_system) {
        return;
      }
    }
  }
  ~Aside() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  Aside(const Aside&) = delete;
  Aside& operator=(const Aside&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// The trace_id in a partition of the table `trace`; nothing if there is no such file.
std::optional<std::int64_t> trace_id_in(const fs::path& partition) {
  constexpr std::uint64_t kMostBytes = 1u << 20;
  std::error_code error;
  for (fs::directory_iterator each(partition, error), end; !error && each != end;
       each.increment(error)) {
    const std::string name = utf8_of(each->path().filename());
    if (!name.starts_with("trace.")) continue;
    const Result<Input> input = Input::from_path(each->path());
    const Result<Pin> pin = input ? input->pin(0, kMostBytes) : Result<Pin>(Pin());
    if (!input || !pin) continue;
    std::string_view text = pin->text();
    constexpr std::string_view kMember = "{\"trace_id\":", kHead = "trace_id,";
    if (text.starts_with(kHead)) {
      text.remove_prefix(std::min(text.size(), text.find('\n')));
      text.remove_prefix(text.empty() ? 0 : 1);
    } else if (text.starts_with(kMember)) {
      text.remove_prefix(kMember.size());
    } else {
      continue;
    }
    return parse_number<std::int64_t>(text.substr(0, text.find(',')));
  }
  return std::nullopt;
}

// The partition of this trace: the one that it has already, or a name that nobody has.
Result<std::string> claimed_name(const fs::path& folder, const std::string& wanted,
                                 std::int64_t trace_id) {
  constexpr std::size_t kMost = 100'000;
  for (std::size_t number = 1; number < kMost; ++number) {
    const std::string name = number == 1 ? wanted : fmt::format("{}-{}", wanted, number);
    const fs::path place = folder / "trace" / path_of(std::string(kPartition) + name);
    std::error_code failed;
    if (fs::create_directory(place, failed)) return name;
    if (failed) return cannot(place, failed);
    if (trace_id_in(place) == trace_id) return name;
  }
  return refused(fmt::format("There are too many traces called {} in this folder.", wanted));
}

std::string content_of(const fs::path& path) {
  const Result<Input> input = Input::from_path(path);
  const Result<Pin> pin = input ? input->pin_all() : Result<Pin>(Pin());
  return pin ? std::string(pin->text()) : std::string();
}

// An Error if the folder holds tables of another form.
Result<FolderSchema> schema_of_folder(const fs::path& folder, TableText text) {
  std::error_code unknown;
  const fs::path path = folder / path_of(kSchemaName);
  if (!fs::exists(path, unknown)) return FolderSchema{.text = text, .tables = {}};
  const auto schema = FolderSchema::from(content_of(path));
  if (!schema) return refused(fmt::format("{} is not of this program.", utf8_of(path)));
  if (schema->text != text) {
    return refused(fmt::format("{} holds {}; give --format.", utf8_of(folder),
                               schema->text == TableText::csv ? "CSV" : "JSON lines"));
  }
  return *schema;
}

Status write_schema(const fs::path& folder, TableText text,
                    const std::vector<SchemaTable>& tables) {
  Result<FolderSchema> schema = schema_of_folder(folder, text);
  if (!schema) return schema.error();
  const bool is_new = schema->add(tables);
  const std::string json = schema->json();
  std::error_code unknown;
  if (!is_new && fs::exists(folder / "duckdb.sql", unknown)) return ok();
  for (const FolderScript& script : folder_scripts(*schema)) {
    if (Status done = replace_file(folder / path_of(script.name), script.text); !done) return done;
  }
  return replace_file(folder / path_of(kSchemaName), json);
}

// All files of a trace take their places.
Status move_in(const fs::path& aside, const fs::path& folder, const std::string& name,
               const std::vector<SchemaTable>& tables, const TableRequest& request) {
  for (const SchemaTable& table : tables) {
    const fs::path place = folder / path_of(table.name) / path_of(std::string(kPartition) + name);
    const std::string file = file_name(table.name, request);
    std::error_code failed;
    fs::create_directories(place, failed);
    if (!failed) fs::rename(aside / path_of(file), place / path_of(file), failed);
    if (failed) return cannot(place / path_of(file), failed);
    // Packed in another way before: readers would take both.
    for (fs::directory_iterator each(place, failed), end; !failed && each != end;
         each.increment(failed)) {
      const std::string other = utf8_of(each->path().filename());
      std::error_code ignored;
      if (other != file && other.starts_with(table.name + ".")) fs::remove(each->path(), ignored);
    }
  }
  return ok();
}

}  // namespace

Result<std::int64_t> lasting_trace_id(const std::string& path) {
  const auto identity = path == "-" ? std::nullopt : trace_identity(path);
  if (!identity) {
    return refused(path == "-" ? "Standard input has no lasting number; save it to a file first."
                               : fmt::format("{} cannot be read again.", shown_file_name(path)));
  }
  const std::string text =
      fmt::format("{}\n{}\n{}\n", identity->size_bytes, identity->head, identity->tail);
  const std::string digest = sha256_hex(std::as_bytes(std::span(text)));
  std::uint64_t number = 0;
  for (const char c : digest.substr(0, 16)) {
    number = number << 4 | static_cast<std::uint64_t>(is_digit(c) ? c - '0' : c - 'a' + 10);
  }
  return static_cast<std::int64_t>(number & INT64_MAX);
}

Result<WrittenTables> add_to_folder(const OpenedTrace& trace, const TableRequest& request,
                                    unsigned jobs, const std::atomic<bool>& cancelled) {
  const fs::path folder = path_of(request.out);
  std::error_code failed;
  fs::create_directory(folder, failed);
  if (!fs::is_directory(folder, failed)) {
    return refused(fmt::format("There is no folder \"{}\".", utf8_of(folder.parent_path())));
  }
  if (const auto known = schema_of_folder(folder, request.text); !known) return known.error();
  const Result<std::int64_t> trace_id = lasting_trace_id(trace.path);
  if (!trace_id) return trace_id.error();

  const QueryInput input = query_input(trace);
  TableRequest wanted = request;
  // Tells whose partition it is.
  if (!wanted.tables.empty()) wanted.tables.emplace_back("trace");
  std::vector<std::unique_ptr<QueryDatabase>> databases;
  const auto add_database = [&] {
    databases.push_back(
        std::make_unique<QueryDatabase>(std::vector{input}, QuerySettings{.jobs = 1}));
    databases.back()->allow_long_values();
  };
  add_database();
  const Result<std::vector<SchemaTable>> tables =
      tables_to_write(databases.front()->schema(), wanted);
  if (!tables) return tables.error();
  const Aside aside(folder);
  if (aside.path().empty()) return cannot(folder, std::make_error_code(std::errc::io_error));

  // Tables beside each other, each thread with a connection of its own; the long ones first.
  std::vector<std::size_t> order(tables->size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t i) {
    return (*tables)[i].name == "arg" ? UINT64_MAX
           : (*tables)[i].rows_known  ? (*tables)[i].rows
                                      : 0;
  });
  std::mutex mutex;
  std::size_t next = 0;
  WrittenTables written;
  std::optional<Error> error;
  const std::size_t workers = std::min<std::size_t>(std::max(jobs, 1u), order.size());
  while (databases.size() < workers) add_database();
  parallel_for(workers, static_cast<unsigned>(workers), [&](std::size_t worker) {
    while (true) {
      std::size_t place = 0;
      {
        const std::lock_guard lock(mutex);
        if (error || next == order.size()) return;
        place = order[next++];
      }
      const SchemaTable& table = (*tables)[place];
      Output out(aside.path() / path_of(file_name(table.name, request)), request.packing);
      const auto write = [&]() -> Result<std::uint64_t> {
        const Result<OutputFile*> file = out.file();
        if (!file) return file.error();
        auto rows = write_table(*databases[worker], table,
                                {.text = request.text, .trace_id = *trace_id}, **file, cancelled);
        if (!rows) return rows;
        // What is lost by a crash can be made again.
        if (const Status done = out.commit(false); !done) return done.error();
        return rows;
      };
      const Result<std::uint64_t> rows = write();
      const std::lock_guard lock(mutex);
      if (!rows && !error) error = rows.error();
      if (rows) written.rows[table.name] = *rows;
      if (rows && table.name == "slice") written.slices = *rows;
    }
  });
  if (error) return *error;

  const FolderLock lock(folder);
  fs::create_directory(folder / "trace", failed);
  const Result<std::string> name = claimed_name(folder, partition_name(trace.path), *trace_id);
  if (!name) return name.error();
  if (const Status moved = move_in(aside.path(), folder, *name, *tables, request); !moved) {
    return moved.error();
  }
  if (const Status told = write_schema(folder, request.text, *tables); !told) return told.error();
  return written;
}

}  // namespace cinderscope
