#include "app/recording/symbol_worker.h"

#include <cstdint>

#include "formats/thread_stream/symbols/symbol_worker.h"
#include "ingest/os/child_process.h"

namespace cinderscope {

const char* symbol_worker_name() {
  return thread_stream::kSymbolWorker;
}

void answer_as_symbol_worker(const std::function<void(std::string_view)>& write) {
  constexpr std::uint64_t kMostQuestionBytes = 1ull << 30;
  thread_stream::limit_symbol_worker();
  write(thread_stream::answer_of_symbol_worker(read_standard_input(kMostQuestionBytes)));
}

}  // namespace cinderscope
