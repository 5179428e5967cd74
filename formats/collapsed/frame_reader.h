// Texts of stacks read as the numbers of their functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "formats/collapsed/stack_text.h"
#include "ingest/build/profile/text_numbers.h"

namespace cinderscope::collapsed {

// Lines that follow each other share most of their stacks: the names of frames that a stack has in
// common with the one before are not looked up again. The texts stay where they are meanwhile.
class FrameReader {
 public:
  // Functions from the outermost frame to the innermost one, behind those that are in `out`. After
  // each frame that is looked up `go_on(bytes read)` is asked; once it says no, so does this.
  template <class GoOn>
  bool read(std::string_view stack, std::vector<std::uint32_t>& out, GoOn go_on) {
    keep_shared(stack);
    for (const Frame& frame : frames_) out.push_back(frame.function);
    std::size_t begin = frames_.empty() ? 0 : frames_.back().end + 1;
    while (begin <= stack.size()) {
      const std::size_t end = frame_end(stack, begin);
      const std::uint32_t function = functions_.number_of(stack.substr(begin, end - begin));
      out.push_back(function);
      frames_.push_back({end, function});
      begin = end + 1;
      if (!go_on(begin)) return false;
    }
    last_ = stack;
    return true;
  }

  const TextNumbers& functions() const { return functions_; }

 private:
  struct Frame {
    std::size_t end;  // within the stack's text
    std::uint32_t function;
  };

  void keep_shared(std::string_view stack) {
    const std::size_t same = shared_length(stack, last_);
    const auto is_shared = [&](const Frame& frame) {
      return frame.end < same ||
             (frame.end == same && (frame.end == stack.size() || stack[frame.end] == ';') &&
              (frame.end == last_.size() || last_[frame.end] == ';'));
    };
    while (!frames_.empty() && !is_shared(frames_.back())) frames_.pop_back();
  }

  TextNumbers functions_;
  std::string_view last_;      // stack that was read
  std::vector<Frame> frames_;  // of it
};

}  // namespace cinderscope::collapsed
