#include "app/script/player.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <optional>
#include <sstream>

#include "app/commands/arguments.h"
#include "app/commands/keys.h"
#include "app/script/script_target.h"
#include "ingest/base/ascii.h"
#include "ingest/base/number_text.h"
#include "ingest/base/utf8.h"
#include "ingest/model/typed_time.h"

namespace cinderscope {

namespace {

constexpr std::int64_t kLongestWaitNs = 86'400'000'000'000;  // a day

constexpr std::array<std::string_view, 13> kSteps = {
    "wait", "command", "key",  "type",       "move",  "click", "doubleclick",
    "drag", "wheel",   "find", "screenshot", "state", "quit"};

// What a pointer's step says: numbers, then for some of them keys that are held meanwhile.
struct PointerStep {
  std::vector<float> numbers;
  Modifiers held;
  bool holds_keys = false;
};

// nullopt if a word is neither a number nor a key to hold, or if a number follows a key.
std::optional<PointerStep> pointer_step(std::string_view text) {
  PointerStep step;
  std::istringstream words{std::string(text)};
  std::string word;
  while (words >> word) {
    const auto value = parse_number<float>(word);
    if (value && std::isfinite(*value) && !step.holds_keys) {
      step.numbers.push_back(*value);
      continue;
    }
    bool* const held = word == "shift"  ? &step.held.shift
                       : word == "ctrl" ? &step.held.ctrl
                       : word == "alt"  ? &step.held.alt
                                        : nullptr;
    if (held == nullptr) return std::nullopt;
    *held = true;
    step.holds_keys = true;
  }
  return step;
}

void press(InputQueue& queue, MouseButton button, Modifiers modifiers) {
  queue.push_back(ButtonChanged{button, true, modifiers});
  queue.push_back(ButtonChanged{button, false, modifiers});
}

// In steps, as a hand moves: what follows the pointer sees where it has been.
void drag(InputQueue& queue, const std::vector<float>& at, Modifiers modifiers) {
  constexpr int kMoves = 8;
  queue.push_back(PointerMoved{at[0], at[1], modifiers});
  queue.push_back(ButtonChanged{MouseButton::left, true, modifiers});
  for (int i = 1; i <= kMoves; ++i) {
    const float part = static_cast<float>(i) / kMoves;
    queue.push_back(
        PointerMoved{at[0] + (at[2] - at[0]) * part, at[1] + (at[3] - at[1]) * part, modifiers});
  }
  queue.push_back(ButtonChanged{MouseButton::left, false, modifiers});
  queue.push_back(PointerMoved{at[2], at[3], {}});  // lets the keys go
}

}  // namespace

Result<Script> parse_script(const std::string& text) {
  Script script;
  std::istringstream lines(text);
  std::string line;
  for (std::size_t number = 1; std::getline(lines, line); ++number) {
    const CommandCall call = split_call(line);
    if (call.name.empty() || call.name.front() == '#') continue;
    if (std::find(kSteps.begin(), kSteps.end(), call.name) == kSteps.end()) {
      return Error{ErrorCode::damaged,
                   fmt::format("Line {}: there is no step \"{}\".", number, call.name),
                   {}};
    }
    script.push_back({number, std::string(call.name), std::string(call.argument)});
  }
  return script;
}

Result<Script> read_script(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) return Error{ErrorCode::cannot_read, fmt::format("{} cannot be read.", path), {}};
  Result<Script> script = parse_script(text.str());
  if (script) return script;
  return Error{script.error().code, fmt::format("{}: {}", path, script.error().text), {}};
}

void Player::fail(const ScriptStep& step, const std::string& why) {
  error_ = fmt::format("Line {}: {} {}: {}", step.line, step.name, step.argument, why);
}

std::optional<double> Player::waiting_seconds() const {
  if (wait_search_ || wait_compared_ || wait_saved_ || wait_query_) return 0.01;
  if (!wait_until_) return std::nullopt;
  const std::chrono::duration<double> left = *wait_until_ - std::chrono::steady_clock::now();
  return std::max(0.0, left.count());
}

bool Player::finished_waiting(ScriptTarget& target) {
  if (wait_loaded_ && target.loading()) return false;
  if (wait_until_ && std::chrono::steady_clock::now() < *wait_until_) return false;
  if (wait_search_ && (target.loading() || target.searching())) return false;
  if (wait_compared_ && (target.loading() || target.comparing())) return false;
  if (wait_saved_ && (target.loading() || target.saving())) return false;
  if (wait_query_ && (target.loading() || target.querying())) return false;
  // Files are written in the background, so a step may only now turn out not to have been done.
  const std::string failed = next_ > 0 ? target.take_failed_save() : std::string();
  if (!failed.empty()) fail(script_[next_ - 1], failed);
  wait_loaded_ = wait_search_ = wait_compared_ = wait_saved_ = wait_query_ = false;
  wait_until_.reset();
  return true;
}

void Player::advance(ScriptTarget& target) {
  if (done() || !finished_waiting(target) || done()) return;
  const ScriptStep step = script_[next_++];
  take(step, target);
}

void Player::take(const ScriptStep& step, ScriptTarget& target) {
  InputQueue& input = target.input();
  // The pointer's steps say all that they mean or are refused: a word that is passed over would
  // make the script do something else than it says.
  PointerStep pointer;
  const std::vector<float>& at = pointer.numbers;
  const auto is_pointer_step = [&](std::size_t number_count, bool may_hold_keys) {
    const auto read = pointer_step(step.argument);
    if (read && read->numbers.size() == number_count && (may_hold_keys || !read->holds_keys)) {
      pointer = *read;
      return true;
    }
    fail(step, fmt::format("{} numbers are expected{}", number_count,
                           may_hold_keys ? ", then shift, ctrl or alt if held" : ""));
    return false;
  };
  if (step.name == "wait") {
    if (step.argument == "loaded") {
      wait_loaded_ = true;
      return;
    }
    if (step.argument == "search") {
      wait_search_ = true;
      return;
    }
    if (step.argument == "compared") {
      wait_compared_ = true;
      return;
    }
    if (step.argument == "query") {
      wait_query_ = true;
      return;
    }
    if (step.argument == "saved") {
      wait_saved_ = true;
      return;
    }
    const auto wait_ns = typed_duration(step.argument);
    // A number alone would be nanoseconds, which nobody means.
    if (!wait_ns || is_digit(step.argument.back()) || *wait_ns > kLongestWaitNs) {
      return fail(
          step,
          R"("loaded", "search", "query", "compared", "saved" or a time such as 2s is expected)");
    }
    wait_until_ = std::chrono::steady_clock::now() + std::chrono::nanoseconds(*wait_ns);
  } else if (step.name == "command") {
    const CommandCall call = split_call(step.argument);
    const Status done = target.run_command(call.name, call.argument);
    if (!done) fail(step, done.error().text);
  } else if (step.name == "key") {
    const auto chord = parse_chord(step.argument);
    if (!chord) return fail(step, "there is no such key");
    input.push_back(KeyChanged{*chord, true, false});
    input.push_back(KeyChanged{*chord, false, false});
    input.push_back(KeyChanged{});  // lets go of Ctrl and the like as well
  } else if (step.name == "type") {
    std::string_view text = step.argument;
    while (!text.empty()) {
      const Utf8Char next = first_char(text);
      input.push_back(CharacterTyped{next.code});
      text.remove_prefix(next.size);
    }
  } else if (step.name == "move" || step.name == "click" || step.name == "doubleclick") {
    if (!is_pointer_step(2, false)) return;
    input.push_back(PointerMoved{at[0], at[1], {}});
    const int presses = step.name == "click" ? 1 : step.name == "doubleclick" ? 2 : 0;
    for (int i = 0; i < presses; ++i) press(input, MouseButton::left, {});
  } else if (step.name == "drag") {
    if (is_pointer_step(4, true)) drag(input, at, pointer.held);
  } else if (step.name == "wheel") {
    if (!is_pointer_step(3, true)) return;
    input.push_back(PointerMoved{at[1], at[2], pointer.held});
    input.push_back(WheelTurned{0, at[0], pointer.held});
    if (pointer.holds_keys) input.push_back(PointerMoved{at[1], at[2], {}});  // lets them go
  } else if (step.name == "find") {
    if (!target.find(step.argument)) fail(step, "no slice has this name");
  } else if (step.name == "screenshot") {
    // The picture is taken by a later frame: what can go wrong is told now.
    if (!std::ofstream(step.argument, std::ios::app)) return fail(step, "cannot be written");
    target.save_screenshot(step.argument);
  } else if (step.name == "state") {
    const Status status = target.save_state(step.argument);
    if (!status) fail(step, status.error().text);
  } else {
    target.quit();
  }
}

}  // namespace cinderscope
