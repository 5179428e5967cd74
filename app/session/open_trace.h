// Opening and loading a trace in one go, for what needs no window.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "app/session/opened_source.h"
#include "ingest/format/format.h"

namespace cinderscope {

struct PrecomputedTotals;

struct OpenedTrace {
  std::string path;
  const Format* format = nullptr;
  std::shared_ptr<TraceSource> source;
  Timeline timeline;
  bool prepared = false;  // it was not read, but taken from a prepared copy
  std::shared_ptr<const PrecomputedTotals> totals = {};  // of all its slices, as the copy has them
  double seconds = 0;                                    // wall clock from open to finish
  std::uint64_t peak_bytes = 0;                          // of the process' own memory while loading
  unsigned jobs = 1;
};

// Both block until all is loaded.
Result<OpenedTrace> open_trace(const std::string& path, LoadOptions options);
Result<OpenedTrace> load_opened(const std::string& path, OpenedSource opened, LoadContext& context);

// The trace can be weighed so; empty: as it is. An Error names what it can be weighed by.
Status check_weight(const Timeline& timeline, std::string_view weight);

// "FILE: what is wrong (byte 12). What was expected." for standard error.
std::string message_of(const std::string& path, const Error& error);

}  // namespace cinderscope
