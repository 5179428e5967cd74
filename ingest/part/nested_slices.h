// Begins and ends of slices that nest, for formats in which an end closes the innermost slice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "ingest/model/record_text.h"
#include "ingest/part/kinds_lost.h"
#include "ingest/part/loss_report.h"
#include "ingest/part/part_records.h"

namespace cinderscope {

// Slices of one row of overlaps, as they are read, each with what is to be written of it. Only the
// outermost ones can stay without an end; other unfinished ones get an end, which is counted as
// lost. Calls `sink.begin(slice, text)` and `sink.end(time)`.
template <class Sink, class Text = RecordText, class KeptText = Text>
class NestedSlices {
 public:
  NestedSlices(Sink& sink, LossReport& losses) : sink_(sink), losses_(losses) {}

  void add(const PartSlice& slice, const Text& text) {
    // It may be the last of its thread, which ended with both open, though neither contains the
    // other.
    const bool at_the_end = slice.unfinished && slice.end_ns == slice.begin_ns;
    while (at_the_end && !open_.empty() && ends_before(open_.back(), slice.begin_ns)) close_last();
    if (at_the_end && !open_.empty() && open_.back().end == slice.begin_ns) {
      waiting_.emplace_back(slice, text);
      return;
    }
    begin_waiting();
    close_before(slice.begin_ns);
    begin(slice, text);
  }

  // Of a piece: begun in an earlier one.
  void reopen(const PartSlice& slice) {
    open_.push_back({slice.nested_end_ns, slice.unfinished, slice.record});
  }

  // Ends what ends until then.
  void close_before(std::int64_t time) {
    begin_waiting();
    while (!open_.empty() && open_.back().end <= time) close_last();
  }
  // The same, but what ends right then stays open, for what belongs to it.
  void close_ended(std::int64_t time) {
    if (!waiting_.empty() && waiting_.front().first.begin_ns < time) begin_waiting();
    while (!open_.empty() && open_.back().end < time) close_last();
  }
  // Nothing follows. The end of what stays open.
  std::optional<std::int64_t> finish() {
    std::size_t stay = 0;
    while (stay < open_.size() && open_[stay].unfinished) ++stay;
    if (stay < open_.size()) begin_waiting();
    stay = 0;
    while (stay < open_.size() && open_[stay].unfinished) ++stay;
    while (open_.size() > stay) close_last();
    for (const auto& [slice, text] : waiting_) begin(slice, text);
    waiting_.clear();
    return open_.empty() ? std::nullopt : std::optional(open_.front().end);
  }

 private:
  struct Open {
    std::int64_t end = 0;
    bool unfinished = false;
    RecordOffset record = kNoRecord;
  };
  static bool ends_before(const Open& open, std::int64_t time) {
    return open.end < time || (open.end == time && !open.unfinished);
  }
  void begin(const PartSlice& slice, const Text& text) {
    sink_.begin(slice, text);
    open_.push_back({slice.nested_end_ns, slice.unfinished, slice.record});
  }
  void begin_waiting() {
    if (waiting_.empty()) [[likely]]
      return;
    const auto waiting = std::exchange(waiting_, {});
    for (const auto& [slice, text] : waiting) {
      while (!open_.empty() && open_.back().end <= slice.begin_ns) close_last();
      begin(slice, text);
    }
  }
  void close_last() {
    const Open& last = open_.back();
    if (last.unfinished) losses_.count(loss::kUnfinished, 1, last.record);
    sink_.end(last.end);
    open_.pop_back();
  }

  Sink& sink_;
  LossReport& losses_;
  std::vector<Open> open_;  // outermost first
  std::vector<std::pair<PartSlice, KeptText>> waiting_;
};

}  // namespace cinderscope
