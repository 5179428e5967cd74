// What a record says, as arguments and a stack behind it.
#pragma once

#include <cstdint>

#include "formats/thread_stream/write/stream_writer.h"
#include "formats/thread_stream/write/table_writer.h"
#include "ingest/model/record_text.h"
#include "ingest/part/loss_report.h"
#include "ingest/part/part_records.h"

namespace cinderscope::thread_stream {

class ArgumentWriter {
 public:
  ArgumentWriter(FileTables& tables, LossReport& losses) : tables_(tables), losses_(losses) {}

  // Behind the record of `to` that was written last. `has_id`: the record tells its id itself.
  void write(const RecordText& text, RecordOffset record, bool has_id, PackedStream& to);
  void cut_mark(const PartSlice& slice, std::int64_t shift_ns, PackedStream& to);

 private:
  void node(const ArgsTree& args, std::size_t at, std::string_view key, PackedStream& to);
  void number(std::string_view key, const std::string& text, PackedStream& to);
  void text(std::string_view key, std::string_view value, PackedStream& to);
  void word(std::string_view key, ArgType type, std::uint64_t value, PackedStream& to);

  FileTables& tables_;
  LossReport& losses_;
  bool cut_ = false;  // something of the record's was
};

}  // namespace cinderscope::thread_stream
