// Options that several sub-commands have.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/places/show_options.h"
#include "ingest/base/result.h"
#include "ingest/format/load_options.h"
#include "ingest/model/typed_time.h"
#include "ingest/search/typed_thread.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace cinderscope {

inline constexpr const char* kTimes =
    "TIME: 1500, 12.5ms, 1h2m as in the file; +12.5ms from the trace's begin; end-2s before its\n"
    "end; 09:30:01.25 on its first day, in the zone of --zone (else UTC).";

// An option that may be repeated and whose text is read by `read`: what that refuses is wrong
// usage.
CLI::Option* add_read(CLI::App& command, const std::string& name, const std::string& help,
                      const std::string& type,
                      const std::function<Status(const std::string& text)>& read);
// "100MB", "1.5GiB", "20000000".
std::optional<std::uint64_t> bytes_of_size(std::string_view text);
void add_time(CLI::App& command, const std::string& name, std::optional<TypedTime>& time,
              const std::string& help);
// --thread THREAD, any number of times.
void add_threads(CLI::App& command, std::vector<TypedThread>& threads, const std::string& help);
// What the window shows of the first file.
void add_show_options(CLI::App& command, std::vector<ShowWord>& show);
void add_load_options(CLI::App& command, LoadOptions& load);

}  // namespace cinderscope
