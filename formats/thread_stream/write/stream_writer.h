// The packed chunks of one stream while it is written.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "formats/thread_stream/wire.h"
#include "ingest/part/output/output_file.h"

namespace cinderscope::thread_stream {

class PackedStream {
 public:
  PackedStream(OutputFile& out, std::uint32_t number) : out_(out), number_(number) {}

  // Ticks never go back.
  void enter(std::uint64_t tick, std::uint32_t site);
  void exit(std::uint64_t tick);  // of the innermost call
  void instant(std::uint64_t tick, std::uint32_t site);
  // A record with a VALUE behind it.
  void valued(std::uint64_t tick, std::uint16_t kind, std::uint32_t site, std::uint16_t aux,
              std::uint64_t value);

  // -- attachments of the last record; at most 65 535 bytes
  void argument(std::uint32_t key, ArgType type, std::string_view bytes);
  void stack(std::string_view entries);  // ids of strings, u64 each

  void finish() { write(); }

  std::uint64_t records() const { return ordinal_ + count_; }
  std::uint64_t first_tick() const { return first_tick_; }  // of the stream
  std::uint64_t last_tick() const { return last_tick_; }

 private:
  void timed(std::uint64_t tick, unsigned form);
  void attach(std::uint64_t data, std::uint32_t site, std::uint16_t aux, std::uint16_t kind);
  void attach_bytes(std::string_view bytes, std::uint32_t site, std::uint16_t kind);
  void write();

  OutputFile& out_;
  std::uint32_t number_, sequence_ = 0, count_ = 0;
  std::uint64_t ordinal_ = 0;
  std::uint64_t first_tick_ = 0, last_tick_ = 0, chunk_first_tick_ = 0;
  bool has_tick_ = false;
  std::string payload_;
};

}  // namespace cinderscope::thread_stream
