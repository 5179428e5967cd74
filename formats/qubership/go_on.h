// Asks now and then, by how far a file was read, whether to go on.
#pragma once

#include <cstdint>
#include <functional>

namespace cinderscope::qubership {

using GoOn = std::function<bool()>;

// A long file neither outlasts a cancel nor fills the memory unseen.
class AskOnTheWay {
 public:
  explicit AskOnTheWay(const GoOn& go_on) : go_on_(go_on) {}

  // False once the answer was no.
  bool at(std::uint64_t at) {
    if (at < next_) return goes_on_;
    next_ = at + kEachBytes;
    return goes_on_ = goes_on_ && go_on_();
  }

 private:
  static constexpr std::uint64_t kEachBytes = 1u << 20;
  const GoOn& go_on_;
  std::uint64_t next_ = kEachBytes;
  bool goes_on_ = true;
};

}  // namespace cinderscope::qubership
