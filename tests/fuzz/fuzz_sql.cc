// Any bytes as SQL over a small trace: every statement ends, nothing but an answer or a message
// comes out, and the traces can be asked afterwards as before.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "ingest/base/utf8.h"
#include "ingest/build/timeline_builder.h"
#include "ingest/sql/query_run.h"
#include "ingest/sql/sql_tokens.h"
#include "ingest/sql/statements.h"

namespace {

using namespace cinderscope;

QueryInput small_input() {
  TimelineBuilder builder;
  const ProcessId process = builder.process("1");
  for (const char* tid : {"1", "2"}) {
    const ThreadId thread = builder.thread(process, tid);
    TrackWriter& writer = builder.slices(thread);
    for (int i = 0; i < 50; ++i) {
      writer.complete(i * 5, i % 11, builder.intern("n" + std::to_string(i % 7)),
                      static_cast<RecordOffset>(i));
    }
    builder.instant(thread, 17, builder.intern("mark"), 60);
  }
  builder.counter_value(builder.counter(process, builder.intern("c")), kEmptyString, 3, 1.5);
  QueryInput input{.name = "a", .path = "a", .format = "fuzz"};
  input.timeline = std::make_shared<const Timeline>(builder.finish());
  return input;
}

class CheckingSink final : public QuerySink {
 public:
  void begin(std::size_t, std::span<const QueryColumn> columns) override {
    columns_ = columns.size();
    rows_ = 0;
  }
  bool row(std::span<const QueryCell> cells) override {
    if (cells.size() != columns_) std::abort();
    for (const QueryCell& cell : cells) {
      const auto* text = std::get_if<std::string_view>(&cell);
      if (text != nullptr && text->size() < 4096 && valid_utf8(*text) != *text) std::abort();
    }
    return ++rows_ < 1000;
  }

 private:
  std::size_t columns_ = 0, rows_ = 0;
};

}  // namespace

// The name is libFuzzer's. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::size_t last = 0;
  for (const StatementRange& each : statements_of(text)) {
    if (each.begin < last || each.end <= each.begin || each.end > text.size()) std::abort();
    last = each.end;
  }
  static_cast<void>(statement_at(text, size / 2));
  last = 0;
  for (const SqlToken& token : sql_tokens(text)) {
    if (token.begin < last || token.end <= token.begin || token.end > text.size()) std::abort();
    last = token.end;
  }
  const std::atomic<bool> cancelled = false;
  CheckingSink sink;
  QueryDatabase database({small_input()});
  const QueryRequest request{.text = std::string(text),
                             .parameters = {{"a", "1"}, {"name", "n1"}},
                             .limits = {.time_ms = 200, .sort_memory_bytes = 16 << 20}};
  const QueryOutcome outcome = database.run(request, cancelled, sink);
  if (!outcome.ok() && outcome.message.empty()) std::abort();
  if (outcome.offset > text.size()) std::abort();
  static_cast<void>(database.estimate(request));
  const QueryRequest after{.text = "SELECT count(*) FROM main.slice"};
  if (!database.run(after, cancelled, sink).ok()) std::abort();
  return 0;
}
