#include "app/cli/options/common_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "app/desktop/user_folders.h"
#include "ingest/base/ascii.h"
#include "ingest/base/number_text.h"

namespace cinderscope {

CLI::Option* add_read(CLI::App& command, const std::string& name, const std::string& help,
                      const std::string& type,
                      const std::function<Status(const std::string& text)>& read) {
  return command
      .add_option_function<std::vector<std::string>>(
          name,
          [name, read](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) {
              if (const Status taken = read(text); !taken) {
                throw CLI::ValidationError(name, taken.error().text);
              }
            }
          },
          help)
      ->type_name(type)
      ->allow_extra_args(false);
}

std::optional<std::uint64_t> bytes_of_size(std::string_view text) {
  const std::size_t digits = text.find_first_not_of("0123456789.");
  const auto number = parse_number<double>(text.substr(0, digits));
  if (!number || !(*number > 0)) return std::nullopt;
  const std::string unit = digits == std::string_view::npos ? "" : ascii_lower(text.substr(digits));
  static const std::map<std::string, double> units = {
      {"", 1},    {"b", 1},   {"kb", 1e3},      {"mb", 1e6},      {"gb", 1e9},     {"k", 1e3},
      {"m", 1e6}, {"g", 1e9}, {"kib", 1 << 10}, {"mib", 1 << 20}, {"gib", 1 << 30}};
  const auto known = units.find(unit);
  if (known == units.end() || *number * known->second > 1e18) return std::nullopt;
  return static_cast<std::uint64_t>(std::max(1.0, *number * known->second));
}

void add_time(CLI::App& command, const std::string& name, std::optional<TypedTime>& time,
              const std::string& help) {
  command
      .add_option_function<std::string>(
          name,
          [&time, name](const std::string& text) {
            Result<TypedTime> read = typed_time(text);
            if (!read) throw CLI::ValidationError(name, read.error().text);
            time = std::move(*read);
          },
          help)
      ->type_name("TIME");
}

void add_threads(CLI::App& command, std::vector<TypedThread>& threads, const std::string& help) {
  command
      .add_option_function<std::vector<std::string>>(
          "--thread",
          [&threads](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) {
              Result<TypedThread> read = typed_thread(text);
              if (!read) throw CLI::ValidationError("--thread", read.error().text);
              threads.push_back(std::move(*read));
            }
          },
          help)
      ->type_name("THREAD")
      ->allow_extra_args(false);
}

namespace {

// What is loaded is decided before anything is known of the trace.
void add_absolute_time(CLI::App& command, const std::string& name, std::int64_t& time,
                       const std::string& help) {
  command
      .add_option_function<std::string>(
          name,
          [&time, name](const std::string& text) {
            const Result<std::int64_t> read = absolute_time(text);
            if (!read) throw CLI::ValidationError(name, read.error().text);
            time = *read;
          },
          help)
      ->type_name("TIME");
}

}  // namespace

void add_show_options(CLI::App& command, std::vector<ShowWord>& show) {
  const auto offer = [&](const std::string& name, const std::string& type,
                         const std::string& help) {
    const auto values = static_cast<int>(values_of_show_option(name));
    command
        .add_option_function<std::vector<std::string>>(
            name,
            [&show, name, values](const std::vector<std::string>& given) {
              for (std::size_t i = 0; i < given.size(); i += static_cast<std::size_t>(values)) {
                const auto first = given.begin() + static_cast<std::ptrdiff_t>(i);
                show.push_back({name, {first, first + values}});
              }
              if (const auto read = show_options(show); !read) {
                throw CLI::ValidationError(name, read.error().text);
              }
            },
            help)
        ->type_size(values)
        ->expected(name == "--pin" || name == "--only" ? -1 : 1)
        ->allow_extra_args(false)
        ->type_name(type);
  };
  offer("--view", "TIME TIME", "show this part of the first file");
  offer("--range", "TIME TIME", "select this range of it");
  offer("--select", "CALL", "select a call: [THREAD/]NAME[@TIME|#K|#longest|#median|#last]");
  offer("--search", "TEXT", "search for this");
  offer("--pin", "THREAD", "pin a thread; may be repeated");
  offer("--only", "THREAD", "show only this thread; may be repeated");
  offer("--panel", "PANEL", "show this panel");
  offer("--sql", "NAME", "run a saved query");
  offer("--layout", "FILE", "threads, search and panel as in this session's first tab");
}

void add_load_options(CLI::App& command, LoadOptions& load) {
  command.add_option("--jobs", load.jobs, "threads to load with (default: one per core)")
      ->check(CLI::Range(1u, 1024u));
  command
      .add_option("--lazy-above", load.lazy_above_bytes,
                  "bytes of data above which inner calls stay on disk, where a format can")
      ->capture_default_str();
  command.add_option("--ids", load.names.mapping_path,
                     "file with the names of a trace that has them in a file of its own "
                     "(default: the one beside it)");
  command.add_option("--weight", load.weight,
                     "what calls are weighed by: time or calls, or what the profile has (its "
                     "samples, bytes, ...), by name or number from 0");
  command.add_flag("--dropped-frames", load.dropped_frames,
                   "show the frames, too, that a profile leaves out by patterns of its own");
  add_absolute_time(command, "--keep-from", load.keep.from,
                    "load only what ends after this time, as in the file: 1500, 12.5ms");
  add_absolute_time(command, "--keep-to", load.keep.to, "load only what begins before this time");
  command.add_option("--keep-thread", load.keep.threads,
                     "load only the slices of this thread, TID or PID/TID; may be repeated");
  add_read(command, "--memory-limit",
           "own memory above which columns go to disk while a trace is loaded: 500MB, 2GB", "SIZE",
           [&load](const std::string& text) -> Status {
             const std::optional<std::uint64_t> bytes = bytes_of_size(text);
             if (!bytes) return refused("A size such as 500MB or 2GB is expected.");
             load.memory_limit_bytes = *bytes;
             return ok();
           });
  load.prepared_folder = prepared_folder(false);
  command
      .add_option_function<std::string>(
          "--prepared",
          [&load](const std::string& word) {
            if (word == "no") load.prepared_folder.clear();
          },
          "yes or no: whether a prepared copy is used, where there is one (see prepare)")
      ->check(CLI::IsMember({"yes", "no"}))
      ->default_str("yes");
  command.add_flag("--beyond-memory", load.beyond_memory,
                   "load a trace although it will probably not fit into memory");
}

}  // namespace cinderscope
