// The begin records of slices, one by one, or of many side by side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/spall/plain_args.h"
#include "ingest/part/loss_report.h"
#include "ingest/part/part_reader.h"

namespace cinderscope::spall {

inline constexpr LossKind kClampedTimes{"clamped_times", "time", "times", "{} were clamped"};

// A tick is a nanosecond, counted from the first slice; what is beyond is clamped, as readers do,
// so it is the same when it is written again.
struct TickTime {
  std::int64_t first_time = 0;
  // True: it was clamped.
  bool to_tick(std::int64_t time, std::uint64_t& tick) const;
};

// Bytes that come in small pieces.
class RecordBytes {
 public:
  // Where that many can be written, which then are there.
  char* add(std::size_t bytes) {
    if (bytes > bytes_.size() - size_) grow(bytes);
    return bytes_.data() + std::exchange(size_, size_ + bytes);
  }
  std::size_t size() const { return size_; }
  std::string_view view() const { return {bytes_.data(), size_}; }
  void clear() { size_ = 0; }

 private:
  void grow(std::size_t bytes);

  std::vector<char> bytes_;
  std::size_t size_ = 0;
};

struct WrittenRecords {
  RecordBytes bytes;
  LossReport losses;
  std::vector<std::pair<StringId, RecordOffset>> cut_names;
};

struct BeginRecords : WrittenRecords {
  std::vector<std::size_t> ends;  // of the records, in `bytes`

  std::string_view record(std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : ends[i - 1];
    return bytes.view().substr(begin, ends[i] - begin);
  }
  void clear() {
    bytes.clear();
    ends.clear();
    losses = {};
    cut_names.clear();
  }
};

// One thread.
class BeginWriter {
 public:
  BeginWriter(const PartReader& part, TickTime clock) : part_(part), clock_(clock) {}

  void append(const PartSlice& slice, std::string_view args, WrittenRecords& out);

 private:
  std::string_view with_mark(const PartSlice& slice, std::string_view args);

  const PartReader& part_;
  TickTime clock_;
  std::string args_;  // with the mark
};

// Any thread.
void make_begin_records(const PartReader& part, TickTime clock, std::span<const PartSlice> slices,
                        BeginRecords& records);

// How records can be made one by one; none: looking at many records at once costs less.
class ArgsOneByOne {
 public:
  static std::optional<ArgsOneByOne> of(const PartReader& part);

  // Until the next call. What is lost of them is counted.
  std::string_view args(const PartSlice& slice, LossReport& losses);
  // What was read is what the file had; asked now and then. False: nothing more is read.
  bool is_same();

 private:
  explicit ArgsOneByOne(const TraceSource* source) : source_(source) {}

  const TraceSource* source_;  // null: there are none to be read
  std::optional<PlainArgs> plain_;
  std::string text_;
};

}  // namespace cinderscope::spall
