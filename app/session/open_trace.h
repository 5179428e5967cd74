// From what the user names to loaded traces, without a window: for the sub-commands.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "ingest/format/format.h"

namespace cinderscope {

struct OpenedTrace {
  std::string path;
  const Format* format = nullptr;
  std::unique_ptr<TraceSource> source;
  Timeline timeline;
  double seconds = 0;
  std::uint64_t peak_bytes = 0;  // of the process' own memory while loading
  unsigned jobs = 1;
};

// A file, "-" for standard input, or a folder.
Result<Input> input_named(const std::string& path);

// Waits until enough of a pipe has come to tell its format; false once the load is cancelled.
// Input::head() waits as well, but nobody can end that. Loader thread.
bool await_head(const Input& input, const LoadContext& control);

// What a format makes of `input`: its source, nothing loaded yet.
struct RecognisedTrace {
  const Format* format = nullptr;
  std::unique_ptr<TraceSource> source;
};
Result<RecognisedTrace> recognise(Input input);

// The paths of all traces that `path` stands for: itself, or, for a folder that is no trace of its
// own, the files in it that some format claims; if there is none, the same of the folders below.
// Those are followed as far as the limits say, links not at all; where a limit has left some out,
// `left_out` says so. An Error if there is none.
struct FolderLimits {
  std::size_t levels = 6, folders = 20'000, traces = 1'000;
};
Result<std::vector<std::string>> traces_of(const std::string& path, std::string* left_out = nullptr,
                                           const FolderLimits& limits = {});

// All of them are folders: parts of one recording rather than traces that lie beside each other.
bool are_folders(const std::vector<std::string>& paths);

// The trace of that name, nothing loaded yet.
Result<RecognisedTrace> recognise_path(const std::string& path);

// Loads it; blocks.
Result<OpenedTrace> load_recognised(const std::string& path, RecognisedTrace recognised,
                                    LoadOptions options);

// Opens and loads one trace; blocks.
Result<OpenedTrace> open_trace(const std::string& path, LoadOptions options);

// "FILE: what is wrong (byte 12). What was expected." for standard error.
std::string message_of(const std::string& path, const Error& error);

}  // namespace cinderscope
