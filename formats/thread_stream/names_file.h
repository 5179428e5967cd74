// The file with names that belongs to a trace: ".tsdnames", beside it or given by the user.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "formats/thread_stream/oddities.h"
#include "formats/thread_stream/tables.h"
#include "ingest/base/result.h"
#include "ingest/format/load_options.h"
#include "ingest/input/input.h"

namespace cinderscope::thread_stream {

inline constexpr std::string_view kNamesEnding = ".tsdnames";

struct NamesFile {
  std::string path;
  bool readable = false;  // false: it is no such file
  Tables tables;
  bool symbols_fit = false;  // it is of the same recording
  OddityCounts odd;          // also that it is of another build or recording
};

// What such files beside the trace are called; the first that exists is taken.
std::vector<std::string> names_beside(const Input& trace);
bool has_names_beside(const Input& trace);

// nullopt: there is none. An Error if the one that the user gave cannot be opened.
Result<std::optional<NamesFile>> read_names_file(const Input& trace, const Tables& of_trace,
                                                 const SymbolOptions& wanted);

// Reads all tables of a file; false once `go_on` says no.
bool read_tables(const Input& input, const WalkedChunks& walked, Tables& tables, OddityCounts& odd,
                 const std::function<bool(std::uint64_t)>& go_on);

}  // namespace cinderscope::thread_stream
