#include "app/session/symbol_lookup.h"

#include <fmt/format.h>

#include <chrono>
#include <exception>

#include "ingest/base/parallel.h"
#include "ingest/base/ui_priority.h"

namespace cinderscope {

SymbolLookUp::SymbolLookUp(std::shared_ptr<const TraceSource> source, const SymbolOptions& names,
                           const std::function<void()>& wake)
    : context_({.names = names}) {
  SymbolRequest request;
  request.progress = [this](std::size_t done, std::size_t modules) {
    modules_ = modules;
    done_ = done;
  };
  result_ = in_background([this, source = std::move(source), request, wake] {
    lower_this_thread();
    Result<SymbolReport> report = Error{ErrorCode::no_memory, "There is not enough memory.", {}};
    try {
      report = source->native_symbols()->write(request, context_);
    } catch (const std::bad_alloc&) {  // the error says so
    }
    wake();
    return report;
  });
}

SymbolLookUp::~SymbolLookUp() {
  cancel();
}

std::optional<Result<SymbolReport>> SymbolLookUp::take_result() {
  if (!result_.valid() || result_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) {
    return std::nullopt;
  }
  return result_.get();
}

std::string SymbolLookUp::progress_text() const {
  const std::size_t modules = modules_;
  if (modules == 0) return "looking for native functions";
  return fmt::format("looking up names, {} of {} files", done_.load(), modules);
}

}  // namespace cinderscope
