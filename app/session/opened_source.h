// An opened trace of which nothing is loaded yet, and what opens one.
#pragma once

#include <functional>
#include <memory>

#include "ingest/base/result.h"

namespace cinderscope {

class Format;
class LoadContext;
class MergedSource;
class TraceSource;

struct OpenedSource {
  std::shared_ptr<TraceSource> source;
  const Format* format = nullptr;        // that claimed it; null: it is made of other sources
  const MergedSource* merged = nullptr;  // the source, if it is made of several files
};

// Runs on the loader thread; may wait for a pipe. Must end soon after the context is cancelled.
using SourceOpener = std::function<Result<OpenedSource>(LoadContext&)>;

}  // namespace cinderscope
