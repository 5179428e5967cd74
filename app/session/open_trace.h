// Finds, recognises and loads traces by path without a window: for the sub-commands.
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

// The input at `path`: a file, "-" for standard input, or a folder.
Result<Input> input_named(const std::string& path);

// Waits until enough of a pipe has come to recognise its format; false once the load is cancelled.
// Input::head() waits as well but cannot be cancelled. Loader thread.
bool await_head(const Input& input, const LoadContext& control);

// A trace whose format is known; nothing is loaded yet.
struct RecognisedTrace {
  const Format* format = nullptr;
  std::unique_ptr<TraceSource> source;
};
Result<RecognisedTrace> recognise(Input input);

// The paths of all traces that `path` stands for: `path` itself, or, for a folder that is no trace,
// the files in it that some format claims; if there are none, those of the folders below, within
// `limits` and without following links. If a limit left some out, `left_out` says so. An Error if
// there is no trace.
struct FolderLimits {
  std::size_t levels = 6, folders = 20'000, traces = 1'000;
};
Result<std::vector<std::string>> traces_of(const std::string& path, std::string* left_out = nullptr,
                                           const FolderLimits& limits = {});

// True if all paths are folders: parts of one recording rather than separate traces.
bool are_folders(const std::vector<std::string>& paths);

// The trace at `path`; nothing is loaded yet.
Result<RecognisedTrace> recognise_path(const std::string& path);

// Loads a recognised trace; blocks.
Result<OpenedTrace> load_recognised(const std::string& path, RecognisedTrace recognised,
                                    LoadOptions options);

// Opens and loads one trace; blocks.
Result<OpenedTrace> open_trace(const std::string& path, LoadOptions options);

// "FILE: what is wrong (byte 12). What was expected." for standard error.
std::string message_of(const std::string& path, const Error& error);

}  // namespace cinderscope
