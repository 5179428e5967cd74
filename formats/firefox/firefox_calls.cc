#include "formats/firefox/firefox_calls.h"

#include <fmt/format.h>

#include <algorithm>

#include "ingest/build/passing_memory.h"

namespace cinderscope::firefox {
namespace {

constexpr DiagnosticKind kBadStackIndex{
    "bad_index", Severity::damage,
    "Stacks name frames or functions that are not there; these were left out."};
constexpr DiagnosticKind kCallerBehind{
    "stack_cycle", Severity::odd,
    "Stacks name callers that come behind them; they were taken as outermost."};

}  // namespace

StringId FirefoxCalls::interned(TextNumber text) {
  if (text >= interned_.size()) interned_.resize(texts_.size(), kNoName);
  if (interned_[text] == kNoName) interned_[text] = out_->intern(texts_.text(text));
  return interned_[text];
}

void FirefoxCalls::forget_texts() {
  release(texts_);
  release(interned_);
}

std::uint32_t FirefoxCalls::function(const FunctionFacts& facts) {
  const std::string key =
      fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}", facts.name, facts.is_js, facts.flags,
                  facts.resource, facts.module, facts.file, facts.line, facts.column);
  const auto [at, fresh] =
      function_by_key_.try_emplace(key, static_cast<std::uint32_t>(functions_.size()));
  if (fresh) {
    function_texts_.push_back(facts.name);
    category_of_function_.push_back(-1);
    functions_.push_back(
        {interned(facts.module), interned(facts.file), facts.line, facts.column, facts.is_js});
  }
  return at->second;
}

StackCalls FirefoxCalls::calls_of(const StackRows& stacks, const std::vector<FrameFacts>& frames) {
  const std::size_t rows = std::min(stacks.prefix.size(), stacks.frame.size());
  const auto first_frame = static_cast<std::uint32_t>(frames_.size());
  for (const FrameFacts& frame : frames) {
    frames_.push_back({frame.line, frame.address, frame.inlined, frame.module});
  }
  StackCalls out;
  out.path.assign(rows, kNoCall);
  std::vector<std::uint32_t>& paths = out.path;
  std::uint64_t bad = 0, behind = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    std::uint32_t caller = kNoCall;
    const std::int64_t prefix = stacks.prefix[i];
    if (prefix != INT64_MIN && prefix != -1) {
      if (prefix >= 0 && prefix < static_cast<std::int64_t>(i)) {
        caller = paths[static_cast<std::size_t>(prefix)];
      } else {
        ++behind;
      }
    }
    const std::int64_t frame = stacks.frame[i];
    const bool there = frame >= 0 && frame < static_cast<std::int64_t>(frames.size()) &&
                       frames[static_cast<std::size_t>(frame)].function != kNoFunction;
    if (!there) {
      ++bad;
      paths[i] = caller;
      continue;
    }
    const FrameFacts& facts = frames[static_cast<std::size_t>(frame)];
    paths[i] = paths_.path(caller, first_frame + static_cast<std::uint32_t>(frame), facts.function);
    note_category(paths_.call(paths[i]), paths_.call(caller), facts);
  }
  out_->diagnostics().count(kBadStackIndex, kNoOffset, {}, bad);
  out_->diagnostics().count(kCallerBehind, kNoOffset, {}, behind);
  out.call.reserve(rows);
  for (const std::uint32_t path : paths) out.call.push_back(paths_.call(path));
  return out;
}

// That of the frame that a call was met with first; one without has its caller's.
void FirefoxCalls::note_category(std::uint32_t call, std::uint32_t caller,
                                 const FrameFacts& frame) {
  const bool own = frame.category >= 0 && frame.category < INT32_MAX;
  const std::int32_t category = own ? static_cast<std::int32_t>(frame.category) : -1;
  if (call == category_of_call_.size()) {
    category_of_call_.push_back(own                 ? category
                                : caller == kNoCall ? -1
                                                    : category_of_call_[caller]);
  }
  std::int32_t& of_function = category_of_function_[frame.function];
  if (of_function < 0) of_function = category;
}

CallTree FirefoxCalls::take_tree(KeptCalls& kept) {
  StringPool& strings = *out_->strings();
  // A function whose frames tell no category has that of its first call, which is its caller's.
  for (std::uint32_t i = 0; by_category_ && i < calls_.size(); ++i) {
    std::int32_t& category = category_of_function_[calls_.function(i)];
    if (category < 0) category = category_of_call_[i];
  }
  by_category_ ? name_by_category(strings) : name_by_kind(strings);
  release(function_texts_);
  release(category_of_function_);
  release(function_by_key_);
  kept.functions = std::move(functions_);
  kept.function_names = function_names_;
  kept.frames = std::move(frames_);
  kept.uses = paths_.take_uses();
  kept.category_of_call = std::move(category_of_call_);
  kept.strings = out_->strings();
  for (const Category& category : categories_) kept.categories.push_back(category.name);
  for (std::uint32_t i = 0; i < calls_.size(); ++i) {
    kept.function_of_call.push_back(calls_.function(i));
    kept.caller_of_call.push_back(calls_.caller(i));
  }
  return std::move(calls_).tree(function_names_);
}

// `intern` gives a name to a text that a function with a category (or -1) has first.
template <class Intern>
void FirefoxCalls::name_functions(Intern intern) {
  std::vector<StringId> names(texts_.size(), kNoName);
  for (std::size_t i = 0; i < function_texts_.size(); ++i) {
    StringId& name = names[function_texts_[i]];
    const auto category = static_cast<std::size_t>(category_of_function_[i]);
    if (name == kNoName) name = intern(texts_.text(function_texts_[i]), category);
    function_names_.push_back(name);
  }
}

void FirefoxCalls::name_by_kind(StringPool& strings) {
  FrameNames names(strings);
  name_functions([&](std::string_view name, std::size_t category) {
    const bool idle = category < categories_.size() && categories_[category].idle;
    return names.intern(name, idle ? FrameKind::idle : FrameKind::usual);
  });
  legend_ = names.legend([&](FrameKind) { return idle_search(); });
}

// The legend has the categories that functions were met with.
void FirefoxCalls::name_by_category(StringPool& strings) {
  std::vector<bool> met(categories_.size());
  ReadableNames readable;
  name_functions([&](std::string_view name, std::size_t category) {
    if (category >= categories_.size()) return strings.intern(name);
    met[category] = true;
    return strings.intern(name, readable.of(name), categories_[category].colour);
  });
  for (std::size_t i = 0; i < categories_.size(); ++i) {
    const Category& category = categories_[i];
    if (!met[i]) continue;
    legend_.push_back({category.name, category.colour, fmt::format("cat:\"{}\"", category.name)});
  }
}

// That finds the frames of the first category without a colour.
std::string FirefoxCalls::idle_search() const {
  const auto idle = std::ranges::find(categories_, true, &Category::idle);
  return idle == categories_.end() ? std::string() : fmt::format("cat:\"{}\"", idle->name);
}

}  // namespace cinderscope::firefox
