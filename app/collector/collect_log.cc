#include "app/collector/collect_log.h"

#include <fmt/format.h>

#include <algorithm>

namespace cinderscope {
namespace {

constexpr unsigned kMostLinesASecond = 50;

}  // namespace

void CollectLog::add(const std::string& line) {
  const auto now = std::chrono::steady_clock::now();
  if (now - second_ >= std::chrono::seconds(1)) {
    say_left_out();
    second_ = now;
    lines_ = left_out_ = 0;
  }
  if (lines_ >= kMostLinesASecond) {
    ++left_out_;
    return;
  }
  ++lines_;
  say(line);
}

void CollectLog::say_left_out() {
  if (left_out_ > 0) say(fmt::format("{} more lines", left_out_));
}

// Agents choose the names in a line: control characters must not reach the terminal.
void CollectLog::say(std::string line) const {
  std::ranges::replace_if(
      line, [](char ch) { return static_cast<unsigned char>(ch) < ' ' || ch == '\x7f'; }, '?');
  if (out_) out_(line);
}

}  // namespace cinderscope
