// The buffers of one thread of a .spall file, filled record by record.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/base/result.h"
#include "ingest/part/output/output_file.h"
#include "ingest/part/output/spill.h"

namespace cinderscope::spall {

inline constexpr std::size_t kMostTextBytes = 255;
inline constexpr std::size_t kMostBufferBytes = 1 << 20;

// Begins and ends have to nest, and to come in time order.
class ThreadBuffers {
 public:
  ThreadBuffers(std::uint32_t pid, std::uint32_t tid) : pid_(pid), tid_(tid) {}

  void name_process(std::string_view name);  // before all events, at most 255 bytes
  void name_thread(std::string_view name);
  void begin(std::uint64_t time, std::string_view record);
  void end(std::uint64_t time);
  // Begins and ends as bytes, with where some of them end.
  void add(std::string_view records, std::span<const std::size_t> ends);

  bool empty() const { return pending_.empty() && full_.empty(); }
  std::size_t pending_bytes() const { return pending_.size(); }
  // Full buffers go out at once; without this they wait.
  void write_through(OutputFile* out) { out_ = out; }
  // Moves what is pending out of memory.
  Status spill(Spill& spill);
  // Writes all that is left.
  void finish(OutputFile& out, const Spill& spill);

 private:
  struct Buffer {
    std::uint64_t first_time = 0;
    std::size_t bytes = 0;
  };
  void make_room(std::size_t bytes, std::uint64_t time);
  void close_buffer();
  void note_first_time(std::string_view records);
  void write_head(OutputFile& out, const Buffer& buffer) const;

  std::uint32_t pid_, tid_;
  OutputFile* out_ = nullptr;
  std::string pending_;  // of full buffers and the one that is being filled
  std::vector<Spill::Piece> spilled_;
  std::vector<Buffer> full_;
  Buffer open_;
  bool wrote_ = false;  // a buffer is out or full
};

}  // namespace cinderscope::spall
