// What a record says, as arguments and a stack behind it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "formats/thread_stream/write/stream_sink.h"
#include "ingest/model/record_text.h"
#include "ingest/part/part_records.h"

namespace cinderscope::thread_stream {

class ArgumentWriter {
 public:
  // Behind the record of `to` that was written last. `has_id`: the record tells its id itself.
  void write(const RecordText& text, RecordOffset record, bool has_id, StreamSink& to);
  void cut_mark(const PartSlice& slice, std::int64_t shift_ns, StreamSink& to);

 private:
  void node(const ArgsTree& args, std::size_t at, std::string_view key, StreamSink& to);
  void number(std::string_view key, const std::string& text, StreamSink& to);
  void text(std::string_view key, std::string_view value, StreamSink& to);
  void word(std::string_view key, ArgType type, std::uint64_t value, StreamSink& to);

  bool cut_ = false;  // something of the record's was
};

}  // namespace cinderscope::thread_stream
