#include "formats/thread_stream/write/stream_sink.h"

#include "formats/thread_stream/write/bytes.h"

namespace cinderscope::thread_stream {

void DirectSink::argument(std::uint32_t key, ArgType type, std::string_view bytes) {
  if (key >> kArgKeyBits != 0) {  // more texts than keys may have
    cut_ = true;
    return;
  }
  to_.argument(key, type, bytes);
}

void DirectSink::stack(std::span<const std::string> innermost_first) {
  std::string entries;
  for (const std::string& frame : innermost_first) {
    append_value(entries, std::uint64_t{tables_.string(frame)});
  }
  to_.stack(entries);
}

}  // namespace cinderscope::thread_stream
