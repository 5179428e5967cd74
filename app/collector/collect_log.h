// What a collector says of its agents, line by line.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <utility>

namespace cinderscope {

// A flood of connections does not become a flood of lines: beyond some in a second they are
// counted.
class CollectLog {
 public:
  explicit CollectLog(std::function<void(const std::string& line)> out) : out_(std::move(out)) {}

  void add(const std::string& line);
  void say_left_out();

 private:
  void say(std::string line) const;

  std::function<void(const std::string& line)> out_;  // may be empty
  std::chrono::steady_clock::time_point second_;
  unsigned lines_ = 0, left_out_ = 0;
};

}  // namespace cinderscope
