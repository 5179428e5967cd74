#include "formats/qubership/text/statement_totals.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "formats/qubership/stored_value.h"
#include "formats/qubership/text/sql_text.h"
#include "formats/qubership/text/wire_text.h"
#include "formats/qubership/trace_load.h"
#include "formats/qubership/trace_reader.h"
#include "ingest/base/saturating.h"

namespace cinderscope::qubership {
namespace {

constexpr std::uint64_t kMostUnits = 16 << 10;  // of a statement; its shape tells enough
constexpr std::size_t kMostStatements = 100'000;
constexpr std::string_view kOthers = "(other statements)", kMissingStatement = "(missing)";

class Totals {
 public:
  explicit Totals(const Recording& recording) : recording_(recording) {}

  void block(const TraceBlock& block, std::uint32_t number, std::uint32_t sql) {
    const StreamFile* file = recording_.store.file_at(block.begin);
    if (file == nullptr) return;
    if (block.thread >= threads_.size()) threads_.resize(block.thread + 1);
    Thread& thread = threads_[block.thread];
    if (thread.next != number) lose(thread);  // events are missing before this one
    thread.next = block.next;
    const auto bytes = recording_.store.bytes(*file);
    BlockReader events(bytes, WireCursor(bytes).i64(), block.begin - file->begin);
    TraceEvent event;
    while (events.next(event)) take(thread, event, sql);
    if (events.damaged() || events.cut()) lose(thread);
  }

  std::vector<StatementTotal> finish() {
    for (Thread& thread : threads_) lose(thread);
    std::erase_if(totals_, [](const StatementTotal& total) { return total.count == 0; });
    return std::move(totals_);
  }

 private:
  struct Call {
    std::int64_t begin_ms = 0;
    std::size_t first = 0;  // of its statements
  };
  struct Thread {
    std::vector<Call> open;  // outermost first
    std::vector<std::uint32_t> statements;
    std::int64_t last_ms = INT64_MIN;
    std::uint32_t next = kNoBlock;
  };

  void take(Thread& thread, const TraceEvent& event, std::uint32_t sql) {
    // As the timeline draws it: an event noted late lies where the one before it does.
    thread.last_ms = std::max(thread.last_ms, event.time_ms);
    switch (event.kind) {
      case EventKind::enter:
        thread.open.push_back({thread.last_ms, thread.statements.size()});
        break;
      case EventKind::exit:
        if (!thread.open.empty()) close(thread);
        break;
      case EventKind::tag:
        // Only the innermost call gets tags, so that its statements stand together.
        if (event.id == sql && !thread.open.empty()) {
          thread.statements.push_back(statement(event));
        }
        break;
      case EventKind::end_of_block:
        break;
    }
  }

  // A call that runs a statement again and again has its time once for it.
  void close(Thread& thread) {
    const Call call = thread.open.back();
    thread.open.pop_back();
    const auto first = thread.statements.begin() + static_cast<std::ptrdiff_t>(call.first);
    const std::int64_t time_ns = ns_of_ms(saturating_difference(thread.last_ms, call.begin_ms));
    std::sort(first, thread.statements.end());
    for (auto one = first; one != thread.statements.end(); ++one) {
      StatementTotal& total = totals_[*one];
      ++total.count;
      if (one != first && *one == *std::prev(one)) continue;
      total.total_ns = saturating_sum(total.total_ns, time_ns);
    }
    thread.statements.erase(first, thread.statements.end());
  }

  void lose(Thread& thread) {
    while (!thread.open.empty()) close(thread);
  }

  std::uint32_t statement(const TraceEvent& tag) {
    if (!tag.refers()) return of_shape(sql_shape(utf8_of(tag.text, kMostUnits)));
    // Equal statements are stored once for many calls: read once as well.
    const std::uint64_t key = std::uint64_t{tag.file} << 32 | tag.offset;
    auto& known = known_[tag.value_kind == ValueKind::shared ? 0 : 1];
    const auto [found, added] = known.try_emplace(key, 0);
    if (added) {
      const auto text = stored_value(recording_.store, tag.value_kind, tag.file, tag.offset);
      found->second =
          of_shape(text ? sql_shape(utf8_of(*text, kMostUnits)) : std::string(kMissingStatement));
    }
    return found->second;
  }

  std::uint32_t of_shape(std::string shape) {
    const auto there = by_shape_.find(shape);
    if (there != by_shape_.end()) return there->second;
    if (totals_.size() >= kMostStatements && shape != kOthers) {
      return of_shape(std::string(kOthers));
    }
    const auto number = static_cast<std::uint32_t>(totals_.size());
    totals_.push_back({.text = shape});
    by_shape_.emplace(std::move(shape), number);
    return number;
  }

  const Recording& recording_;
  std::vector<Thread> threads_;
  std::vector<StatementTotal> totals_;
  std::unordered_map<std::string, std::uint32_t> by_shape_;
  std::unordered_map<std::uint64_t, std::uint32_t> known_[2];  // by reference, of each stream
};

}  // namespace

std::vector<StatementTotal> statement_totals(const Recording& recording,
                                             const std::atomic<bool>& cancelled) {
  if (!recording.sql) return {};
  Totals totals(recording);
  for (std::uint32_t i = 0; i < recording.blocks.size(); ++i) {
    if (cancelled) return {};
    totals.block(recording.blocks[i], i, *recording.sql);
  }
  return totals.finish();
}

}  // namespace cinderscope::qubership
