#include "ingest/os/self_trace_file.h"

#include "ingest/base/path_text.h"
#include "ingest/base/self_trace.h"
#include "ingest/os/atomic_file.h"

namespace cinderscope {

Result<SelfTraceFile> SelfTraceFile::start(std::string path) {
  if (path.empty()) return SelfTraceFile({});
  if (Status written = replace_file(path_of(path), self_trace::unfinished_json()); !written) {
    return written.error();
  }
  self_trace::start();
  return SelfTraceFile(std::move(path));
}

Status SelfTraceFile::finish() {
  const std::string path = std::exchange(path_, {});
  if (path.empty()) return ok();
  self_trace::stop();
  auto file = AtomicFile::create(path_of(path));
  if (!file) return file.error();
  self_trace::write_json([&file](std::string_view text) { file->append(text); });
  return file->commit();
}

SelfTraceFile::~SelfTraceFile() {
  const Status ignored = finish();
  static_cast<void>(ignored);
}

}  // namespace cinderscope
