// Plays a --play script: one step at a time, each once what the one before caused has been drawn.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "ingest/base/result.h"

namespace cinderscope {

class ScriptTarget;

struct ScriptStep {
  std::size_t line = 0;  // in the file, from 1
  std::string name;      // "wait", "command", "key", ...
  std::string argument;  // the rest of the line
};
using Script = std::vector<ScriptStep>;

// Blank lines and lines that begin with # are left out. An Error names the line that is no step.
Result<Script> read_script(const std::string& path);
Result<Script> parse_script(const std::string& text);

class Player {
 public:
  explicit Player(Script script) : script_(std::move(script)) {}

  // Takes the next step if the last one is done. Called between two frames, when nothing moves.
  void advance(ScriptTarget& target);
  bool done() const { return next_ >= script_.size() || !error_.empty(); }
  const std::string& error() const { return error_; }  // of a step that could not be done
  // How long the step that runs may wait without looking again; nullopt: not waiting for time.
  std::optional<double> waiting_seconds() const;

 private:
  bool finished_waiting(ScriptTarget& target);
  void take(const ScriptStep& step, ScriptTarget& target);
  void fail(const ScriptStep& step, const std::string& why);

  Script script_;
  std::size_t next_ = 0;
  bool wait_loaded_ = false, wait_search_ = false, wait_compared_ = false, wait_saved_ = false;
  bool wait_query_ = false;
  std::optional<std::chrono::steady_clock::time_point> wait_until_;
  std::string error_;
};

}  // namespace cinderscope
