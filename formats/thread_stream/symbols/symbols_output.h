// Where names of functions go: a file that appears once it is whole, or what the caller has.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "formats/thread_stream/symbols/write_symbols.h"
#include "ingest/base/path_text.h"
#include "ingest/base/utf8.h"
#include "ingest/os/atomic_file.h"

namespace cinderscope::thread_stream {

class SymbolsOutput {
 public:
  static Result<SymbolsOutput> open(const SymbolRequest& request, const std::filesystem::path& path,
                                    bool replace) {
    if (request.sink) return SymbolsOutput(request.sink, std::nullopt);
    if (path.empty()) {
      return refused("A trace that is no file has nothing beside it; -o says where names go.");
    }
    std::error_code unknown;
    if (!replace && std::filesystem::exists(path, unknown)) {
      return refused(fmt::format("\"{}\" exists already; --force replaces it.", utf8_of(path)));
    }
    Result<AtomicFile> file = AtomicFile::create(path);
    if (!file) return file.error();
    return SymbolsOutput({}, std::move(*file));
  }

  bool write(std::span<const std::byte> bytes) {
    if (!file_) return sink_(text_of_bytes(bytes));
    file_->append(bytes);
    return file_->ok();
  }
  Result<std::string> finish() {
    if (!file_) return std::string("-");
    if (Status done = file_->commit(); !done) return done.error();
    return utf8_of(file_->path());
  }

 private:
  SymbolsOutput(std::function<bool(std::string_view)> sink, std::optional<AtomicFile> file)
      : sink_(std::move(sink)), file_(std::move(file)) {}

  std::function<bool(std::string_view)> sink_;
  std::optional<AtomicFile> file_;
};

}  // namespace cinderscope::thread_stream
