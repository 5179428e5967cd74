#include "formats/thread_stream/write/call_stream.h"

#include <optional>

#include "ingest/format/trace_source.h"

namespace cinderscope::thread_stream {
namespace {

constexpr LossKind kFlowPoints{"flow_points", "point of a flow", "points of flows"};

}  // namespace

void CallStream::begin(const PartSlice& slice, const RecordText& text) {
  sink_.enter(file_.tick(slice.begin_ns), slice.name_id, slice.name, text.category);
  if (file_.part.options().args) arguments_.write(text, slice.record, false, sink_);
  arguments_.cut_mark(slice, file_.part.shift_ns(), sink_);
  losses_.count_written_slice(slice.is_cut());
  sink_.end_record();
}

void CallStream::instant(const PartInstant& instant) {
  const TraceSource* source = file_.part.source();
  RecordText text;
  if (source != nullptr && source->has_args() && instant.record != kNoRecord) {
    text = source->describe(instant.record, kNoRecord);
  }
  sink_.instant(file_.tick(instant.time_ns), instant.name_id, instant.name, text.category);
  if (file_.part.options().args) arguments_.write(text, instant.record, false, sink_);
  losses_.count_written(loss::kInstants);
  sink_.end_record();
}

void CallStream::flow_point(const PartFlowPoint& point) {
  using Place = PartFlowPoint::Place;
  const std::uint16_t place = point.place == Place::start ? kFlowBegin
                              : point.place == Place::end ? kFlowEnd
                                                          : std::uint16_t{1};
  sink_.flow_point(file_.tick(point.time_ns), point.name, place, point.flow);
  losses_.count_written(kFlowPoints);
  sink_.end_record();
}

std::uint64_t CallStream::finish() {
  const std::optional<std::int64_t> end = nested_.finish();
  return end ? file_.tick(*end) : 0;
}

CallOrder::CallOrder(const StreamFile& file, StreamSink& sink, LossReport& losses, unsigned jobs,
                     std::size_t most)
    : calls_(file, sink, losses),
      texts_(
          file.part, jobs,
          [this](const PartSlice& slice, const RecordText& text) {
            calls_.nested().add(slice, text);
            write_waiting();
          },
          most) {}

void CallOrder::instant(const PartInstant& instant) {
  flush();
  calls_.nested().close_before(instant.time_ns);
  calls_.instant(instant);
}

// A point belongs to the innermost call that is open.
void CallOrder::flow_point(const PartFlowPoint& point) {
  flush();
  if (point.to_next) {
    waiting_.push_back(point);
  } else {
    calls_.nested().close_ended(point.time_ns);
    calls_.flow_point(point);
  }
}

void CallOrder::write_waiting() {
  if (before_waiting_) before_waiting_();
  for (const PartFlowPoint& point : waiting_) calls_.flow_point(point);
  waiting_.clear();
}

}  // namespace cinderscope::thread_stream
