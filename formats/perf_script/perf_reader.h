// Reads a text of `perf script` line by line: records with their frames.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "formats/perf_script/frame_table.h"
#include "formats/perf_script/perf_lines.h"
#include "formats/perf_script/perf_samples.h"
#include "ingest/build/timeline_builder.h"

namespace cinderscope::perf_script {

class PerfReader {
 public:
  // `text` outlives what is made of it. Instants are recorded at `first_line` and where their line
  // begins.
  PerfReader(std::string_view text, RecordOffset first_line, FrameTable& frames,
             TimelineBuilder& out)
      : text_(text), first_line_(first_line), frames_(&frames), out_(&out) {}

  std::uint64_t offset() const { return at_; }
  bool at_end() const { return at_ >= text_.size(); }
  // Up to the line that begins at `offset` or behind it.
  void read_to(std::uint64_t offset);
  void finish();

  PerfSamples& samples() { return samples_; }
  std::uint64_t instant_count() const { return instant_count_; }
  std::unordered_map<std::uint32_t, std::uint64_t> take_payloads() { return std::move(payloads_); }

 private:
  struct OpenRecord {
    RecordLine line;
    std::uint64_t offset = 0;
    bool has_payload = false;
  };
  struct Line {
    std::string_view text;
    std::uint64_t begin = 0, end = 0;
    bool whole = false;  // it has an end
  };

  // The frames of a stack that ended with a blank line, each as many bytes before that as its line
  // begins; outermost first.
  struct ReadStack {
    struct Frame {
      std::uint64_t before_end = 0;
      std::uint32_t path = kNoCall;
    };
    std::uint64_t end = 0;
    std::vector<Frame> frames;
  };
  // Frames of the open record that are not read again: they stood in the stack before.
  struct SharedFrames {
    ReadStack* stack = nullptr;  // whose frames are these; null: nothing is known of the record
    std::uint64_t begin = 0, end = 0;
    bool taken = false;
  };

  Line line_at(std::uint64_t offset) const;
  void find_shared_frames(std::string_view tid);
  std::uint32_t path_of_stack(std::uint64_t end);
  void read_line(const Line& line);
  void read_comment(std::string_view line);
  void begin_record(const RecordLine& record, std::uint64_t offset);
  void read_frame(const FrameLine& frame, const Line& line);
  // Its lines end at `end`.
  void end_record(std::uint64_t end);
  ThreadId thread_of(const RecordLine& record);

  std::string_view text_;
  RecordOffset first_line_;
  FrameTable* frames_;
  TimelineBuilder* out_;
  PerfSamples samples_;
  std::uint64_t at_ = 0;
  std::optional<OpenRecord> open_;
  struct StackLine {
    std::uint32_t frame = 0;
    std::uint64_t begin = 0;
  };
  std::vector<StackLine> stack_;  // of the open record, innermost first
  static constexpr std::size_t kKnownStacks = 16;
  std::array<ReadStack, kKnownStacks> last_stacks_;  // by thread: each mostly goes on as it was
  SharedFrames shared_;
  std::uint64_t next_blank_line_ = 0;  // from at_ on, as far as it was looked for
  std::unordered_map<std::string, ThreadId> threads_;
  std::string thread_key_, last_thread_key_;
  ThreadId last_thread_ = kNoThread;
  std::unordered_map<std::uint32_t, std::uint64_t> payloads_;
  std::uint64_t instant_count_ = 0, untimed_instants_ = 0, comment_count_ = 0;
};

}  // namespace cinderscope::perf_script
