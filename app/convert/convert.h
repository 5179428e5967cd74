// Writes a part of an opened trace to a file: `cinderscope convert` and "Save this part".
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/convert/name_changers.h"
#include "ingest/format/trace_source.h"
#include "ingest/model/typed_time.h"
#include "ingest/part/trace_writer.h"
#include "ingest/search/typed_thread.h"

namespace cinderscope {

struct ConvertRequest {
  std::string out;  // "-": standard output
  const TraceWriter* writer = nullptr;
  OutputPacking packing = OutputPacking::none;

  std::optional<TypedTime> from, to;
  std::vector<TypedThread> threads;
  std::vector<TrackId> tracks;  // beside these; ascending
  RangeEdges edges = RangeEdges::cut;
  std::int64_t min_duration = 0;
  std::uint32_t depth = 0;
  bool zero = false, args = true, rewrite = false;
  std::optional<TextMatch> only_names;
  TextReplace rename;
  bool anonymous = false, list_names = true;
  std::optional<TextMatch> keep_names;  // of anonymous

  std::uint64_t split_bytes = 0;  // 0: one file
  bool strict = false;            // nothing is written if anything would be lost
  bool force = false;             // replaces files that exist
};

// The trace that is written, opened and loaded.
struct ConvertInput {
  const Timeline& timeline;
  TraceSource* source = nullptr;
  std::string format;              // its name, for a note in the output
  std::vector<std::string> paths;  // that must not be written to
};

struct Converted {
  LossReport losses;
  std::vector<std::filesystem::path> files;  // that were written
  std::uint64_t bytes = 0;                   // before packing
  bool refused = false;                      // by `strict`: nothing was written
  std::string wrong_form;  // why the output cannot have the form asked for: nothing was written
};

// The writer and packing that a file's name asks for; `format` and `packing` (of options) win.
Status choose_writer(ConvertRequest& request, const std::string& format,
                     std::optional<OutputPacking> packing);

// An Error if `path` exists and may not be replaced, or is one of the inputs.
Status check_output(const std::filesystem::path& path, bool force,
                    const std::vector<std::string>& inputs);

// An Error if the disk that `out` goes to has less room.
Status expect_room(const std::filesystem::path& out, std::uint64_t bytes);

// What of the trace is meant; an Error where times or threads mean nothing in it.
Result<PartOptions> part_options(const ConvertInput& input, const ConvertRequest& request);

Error nothing_inside(const Timeline& timeline);  // says how long the trace is

// Blocks; ends soon after the context was cancelled.
Result<Converted> convert(const ConvertInput& input, const ConvertRequest& request,
                          LoadContext& context);

}  // namespace cinderscope
