// A thread's calls that nest, its instants and points of flows, as records of one stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "formats/thread_stream/write/argument_writer.h"
#include "formats/thread_stream/write/process_writer.h"
#include "formats/thread_stream/write/slice_texts.h"
#include "ingest/part/nested_slices.h"

namespace cinderscope::thread_stream {

class CallStream {
 public:
  // Of the file only what does not change is used, so any thread may.
  CallStream(const StreamFile& file, StreamSink& sink, LossReport& losses)
      : file_(file), sink_(sink), losses_(losses), nested_(*this, losses) {}

  void begin(const PartSlice& slice, const RecordText& text);
  void end(std::int64_t time) { sink_.exit(file_.tick(time)); }
  void instant(const PartInstant& instant);
  void flow_point(const PartFlowPoint& point);

  // Ends the calls; the tick to which the last ones are open.
  std::uint64_t finish();
  NestedSlices<CallStream>& nested() { return nested_; }

 private:
  const StreamFile& file_;
  StreamSink& sink_;
  LossReport& losses_;
  ArgumentWriter arguments_;
  NestedSlices<CallStream> nested_;
};

// What is read of a thread, in order: slices of one row of overlaps.
class CallOrder {
 public:
  // Texts are read on so many threads, at most `most` at once.
  CallOrder(const StreamFile& file, StreamSink& sink, LossReport& losses, unsigned jobs,
            std::size_t most = SliceTexts::kMost);

  void slice(const PartSlice& slice) { texts_.add(slice); }
  void instant(const PartInstant& instant);
  void flow_point(const PartFlowPoint& point);
  // All that was read is told, but for points that wait for a call that begins.
  void flush() { texts_.flush(); }
  void write_waiting();

  CallStream& calls() { return calls_; }
  std::vector<PartFlowPoint>& waiting() { return waiting_; }
  // Is called before each call that begins is followed by what waited for it.
  void before_waiting(std::function<void()> call) { before_waiting_ = std::move(call); }

 private:
  CallStream calls_;
  SliceTexts texts_;
  std::vector<PartFlowPoint> waiting_;  // for the call that begins next
  std::function<void()> before_waiting_;
};

}  // namespace cinderscope::thread_stream
