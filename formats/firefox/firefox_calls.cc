#include "formats/firefox/firefox_calls.h"

#include <fmt/format.h>

#include <algorithm>

namespace cinderscope::firefox {
namespace {

constexpr DiagnosticKind kBadStackIndex{
    "bad_index", Severity::damage,
    "Stacks name frames or functions that are not there; these were left out."};
constexpr DiagnosticKind kCallerBehind{
    "stack_cycle", Severity::odd,
    "Stacks name callers that come behind them; they were taken as outermost."};

}  // namespace

std::uint32_t FirefoxCalls::function(const FunctionFacts& facts) {
  const std::string key =
      fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}", facts.name, facts.is_js, facts.flags,
                  facts.resource, facts.module, facts.file, facts.line, facts.column);
  const auto [at, fresh] =
      function_by_key_.try_emplace(key, static_cast<std::uint32_t>(functions_.size()));
  if (fresh) {
    function_names_.push_back(out_->intern(facts.name));
    functions_.push_back({out_->intern(facts.module), out_->intern(facts.file), facts.line,
                          facts.column, facts.is_js});
  }
  return at->second;
}

std::vector<std::uint32_t> FirefoxCalls::calls_of(const StackRows& stacks,
                                                  const std::vector<FrameFacts>& frames) {
  const std::size_t rows = std::min(stacks.prefix.size(), stacks.frame.size());
  const std::uint64_t first_frame = frames_.size();
  frames_.insert(frames_.end(), frames.begin(), frames.end());
  std::vector<std::uint32_t> calls(rows, kNoCall);
  std::uint64_t bad = 0, behind = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    std::uint32_t caller = kNoCall;
    const std::int64_t prefix = stacks.prefix[i];
    if (prefix != INT64_MIN && prefix != -1) {
      if (prefix >= 0 && prefix < static_cast<std::int64_t>(i)) {
        caller = calls[static_cast<std::size_t>(prefix)];
      } else {
        ++behind;
      }
    }
    const std::int64_t frame = stacks.frame[i];
    const bool there = frame >= 0 && frame < static_cast<std::int64_t>(frames.size()) &&
                       frames[static_cast<std::size_t>(frame)].function != kNoFunction;
    if (!there) {
      ++bad;
      calls[i] = caller;
      continue;
    }
    const FrameFacts& facts = frames[static_cast<std::size_t>(frame)];
    calls[i] = calls_.call(caller, facts.function);
    if (calls[i] == category_of_call_.size()) {
      // Without one of its own a frame has its caller's.
      const bool own = facts.category >= 0 && facts.category < INT32_MAX;
      category_of_call_.push_back(own                 ? static_cast<std::int32_t>(facts.category)
                                  : caller == kNoCall ? -1
                                                      : category_of_call_[caller]);
    }
    uses_.push_back(std::uint64_t{calls[i]} << 32 |
                    (first_frame + static_cast<std::uint64_t>(frame)));
  }
  out_->diagnostics().count(kBadStackIndex, kNoOffset, {}, bad);
  out_->diagnostics().count(kCallerBehind, kNoOffset, {}, behind);
  return calls;
}

CallTree FirefoxCalls::take_tree() {
  strings_ = out_->strings();
  for (std::uint32_t i = 0; i < calls_.size(); ++i) {
    function_of_call_.push_back(calls_.function(i));
    caller_of_call_.push_back(calls_.caller(i));
  }
  std::ranges::sort(uses_);
  uses_.erase(std::unique(uses_.begin(), uses_.end()), uses_.end());
  function_by_key_ = {};
  return std::move(calls_).tree(function_names_);
}

std::string_view FirefoxCalls::category(std::uint32_t call) const {
  const std::int32_t number = category_of_call_[call];
  if (number < 0 || static_cast<std::size_t>(number) >= categories_.size()) return {};
  return categories_[static_cast<std::size_t>(number)];
}

void FirefoxCalls::describe(std::uint32_t call, RecordText& out) const {
  const KeptFunction& function = functions_[function_of_call_[call]];
  const auto add = [&](const char* key, std::string value) {
    if (!value.empty()) out.facts.emplace_back(key, std::move(value));
  };
  std::string source(strings_->text(function.file));
  if (!source.empty() && function.line > 0) {
    source += fmt::format(":{}", function.line);
    if (function.column > 0) source += fmt::format(":{}", function.column);
  }
  add("Source", source);
  add("Module", std::string(strings_->text(function.module)));
  std::vector<std::int64_t> lines, addresses;
  bool inlined = false;
  const auto note = [](std::vector<std::int64_t>& list, std::int64_t value) {
    constexpr std::size_t kDistinct = 1000;
    if (value < 0 || list.size() >= kDistinct) return;
    if (std::ranges::find(list, value) == list.end()) list.push_back(value);
  };
  for (auto at = std::ranges::lower_bound(uses_, std::uint64_t{call} << 32);
       at != uses_.end() && *at >> 32 == call; ++at) {
    const FrameFacts& frame = frames_[*at & 0xffffffffu];
    note(lines, frame.line);
    note(addresses, frame.address);
    inlined = inlined || frame.inlined;
  }
  std::ranges::sort(lines);
  std::string text;
  constexpr std::size_t kShownLines = 10, kShownAddresses = 3;
  for (std::size_t i = 0; i < std::min(lines.size(), kShownLines); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ", ", lines[i]);
  }
  if (lines.size() > kShownLines) text += fmt::format(", {} more", lines.size() - kShownLines);
  add("Lines", text);
  text.clear();
  if (addresses.size() > 1) text = fmt::format("{} different: ", addresses.size());
  for (std::size_t i = 0; i < std::min(addresses.size(), kShownAddresses); ++i) {
    text += fmt::format("{}{:#x}", i == 0 ? "" : ", ", addresses[i]);
  }
  add(addresses.size() > 1 ? "Addresses" : "Address", text);
  if (inlined) add("Inlined", "yes");
  out.category = category(call);
}

std::vector<std::string> FirefoxCalls::stack_of(std::uint32_t call) const {
  constexpr std::size_t kShownCalls = 1000;
  std::vector<std::string> names;
  for (; call != kNoCall && names.size() < kShownCalls; call = caller_of_call_[call]) {
    names.emplace_back(strings_->text(function_names_[function_of_call_[call]]));
  }
  std::ranges::reverse(names);
  return names;
}

std::uint64_t FirefoxCalls::kept_bytes() const {
  return functions_.capacity() * sizeof(KeptFunction) + frames_.capacity() * sizeof(FrameFacts) +
         uses_.capacity() * sizeof(std::uint64_t) +
         function_of_call_.capacity() * 3 * sizeof(std::uint32_t);
}

}  // namespace cinderscope::firefox
