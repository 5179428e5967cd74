// What is told of one stream of a file, in its order: written at once, or recorded to be written in
// its turn.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "formats/thread_stream/write/stream_writer.h"
#include "formats/thread_stream/write/table_writer.h"
#include "ingest/part/loss_report.h"

namespace cinderscope::thread_stream {

class StreamSink {
 public:
  virtual ~StreamSink() = default;

  // Ticks never go back; equal ids are equal names.
  virtual void enter(std::uint64_t tick, StringId name_id, std::string_view name,
                     std::string_view category) = 0;
  virtual void exit(std::uint64_t tick) = 0;  // of the innermost call
  virtual void instant(std::uint64_t tick, StringId name_id, std::string_view name,
                       std::string_view category) = 0;
  virtual void flow_point(std::uint64_t tick, std::string_view name, std::uint16_t place,
                          std::uint64_t flow) = 0;

  // -- attachments of the last record: arguments of its text between these two, others behind.
  virtual void begin_arguments() = 0;
  virtual void argument(std::string_view key, ArgType type, std::string_view bytes) = 0;
  virtual void stack(std::span<const std::string> innermost_first) = 0;
  // `cut`: something of them was; so it is where there are more keys than have numbers.
  virtual void end_arguments(bool cut, RecordOffset record) = 0;

  virtual void end_record() = 0;
};

class DirectSink final : public StreamSink {
 public:
  DirectSink(FileTables& tables, PackedStream& to, LossReport& losses)
      : tables_(tables), to_(to), losses_(losses) {}

  void enter(std::uint64_t tick, StringId name_id, std::string_view name,
             std::string_view category) override {
    to_.enter(tick, tables_.site(name_id, name, category));
  }
  void exit(std::uint64_t tick) override { to_.exit(tick); }
  void instant(std::uint64_t tick, StringId name_id, std::string_view name,
               std::string_view category) override {
    to_.instant(tick, tables_.site(name_id, name, category));
  }
  void flow_point(std::uint64_t tick, std::string_view name, std::uint16_t place,
                  std::uint64_t flow) override {
    to_.valued(tick, kind::kFlow, tables_.site(name, {}), place, flow);
  }
  void begin_arguments() override { cut_ = false; }
  void argument(std::string_view key, ArgType type, std::string_view bytes) override {
    argument(tables_.string(key), type, bytes);
  }
  void argument(std::uint32_t key, ArgType type, std::string_view bytes);
  void stack(std::span<const std::string> innermost_first) override;
  void end_arguments(bool cut, RecordOffset record) override {
    if (cut || cut_) losses_.count(loss::kCutArguments, 1, record);
  }
  void end_record() override { tables_.write_much(); }

  FileTables& tables() { return tables_; }
  PackedStream& stream() { return to_; }

 private:
  FileTables& tables_;
  PackedStream& to_;
  LossReport& losses_;
  bool cut_ = false;
};

}  // namespace cinderscope::thread_stream
