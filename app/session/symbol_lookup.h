// Looks up the names of a trace's native functions, while the trace is shown.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>

#include "ingest/format/capabilities.h"
#include "ingest/format/trace_source.h"

namespace cinderscope {

// UI thread only. The destructor cancels, and waits some milliseconds for that.
class SymbolLookUp {
 public:
  // `source` knows native functions; `names` are those that it has now. `wake` is called on
  // another thread when the result is there.
  SymbolLookUp(std::shared_ptr<const TraceSource> source, const SymbolOptions& names,
               const std::function<void()>& wake);
  ~SymbolLookUp();
  SymbolLookUp(const SymbolLookUp&) = delete;
  SymbolLookUp& operator=(const SymbolLookUp&) = delete;

  void cancel() { context_.cancel(); }
  // Once it is there; then this is of no use any more.
  std::optional<Result<SymbolReport>> take_result();
  std::string progress_text() const;

 private:
  LoadContext context_;
  std::atomic<std::size_t> done_{0}, modules_{0};
  std::future<Result<SymbolReport>> result_;  // last: it uses the others
};

}  // namespace cinderscope
