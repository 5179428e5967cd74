#include "formats/firefox/firefox_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

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
  texts_ = {};
  interned_ = {};
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
  frames_.insert(frames_.end(), frames.begin(), frames.end());
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

CallTree FirefoxCalls::take_tree() {
  strings_ = out_->strings();
  // A function whose frames tell no category has that of its first call, which is its caller's.
  for (std::uint32_t i = 0; by_category_ && i < calls_.size(); ++i) {
    std::int32_t& category = category_of_function_[calls_.function(i)];
    if (category < 0) category = category_of_call_[i];
  }
  by_category_ ? name_by_category(*strings_) : name_by_kind(*strings_);
  function_texts_ = {};
  category_of_function_ = {};
  for (std::uint32_t i = 0; i < calls_.size(); ++i) {
    function_of_call_.push_back(calls_.function(i));
    caller_of_call_.push_back(calls_.caller(i));
  }
  uses_ = paths_.take_uses();
  function_by_key_ = {};
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

std::string_view FirefoxCalls::category(std::uint32_t call) const {
  const std::int32_t number = category_of_call_[call];
  if (number < 0 || static_cast<std::size_t>(number) >= categories_.size()) return {};
  return categories_[static_cast<std::size_t>(number)].name;
}

// That finds the frames of the first category without a colour.
std::string FirefoxCalls::idle_search() const {
  const auto idle = std::ranges::find(categories_, true, &Category::idle);
  return idle == categories_.end() ? std::string() : fmt::format("cat:\"{}\"", idle->name);
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
  StringId module = function.module;
  std::map<std::int64_t, std::uint64_t> samples_of_line;
  std::vector<std::int64_t> addresses;
  bool inlined = false;
  constexpr std::size_t kDistinct = 1000;
  for (const FrameUse& use : uses_.of(call)) {
    const FrameFacts& frame = frames_[use.frame];
    if (frame.line >= 0) samples_of_line[frame.line] += use.samples;
    if (frame.address >= 0 && addresses.size() < kDistinct &&
        std::ranges::find(addresses, frame.address) == addresses.end()) {
      addresses.push_back(frame.address);
    }
    inlined = inlined || frame.inlined;
    if (module == kEmptyString) module = frame.module;
  }
  add("Module", std::string(strings_->text(module)));
  std::vector<std::pair<std::int64_t, std::uint64_t>> lines(samples_of_line.begin(),
                                                            samples_of_line.end());
  std::ranges::stable_sort(lines, std::ranges::greater(),
                           [](const auto& one) { return one.second; });
  std::string text;
  constexpr std::size_t kShownLines = 10, kShownAddresses = 3;
  for (std::size_t i = 0; i < std::min(lines.size(), kShownLines); ++i) {
    text += fmt::format("{}{} ({})", i == 0 ? "" : ", ", lines[i].first, lines[i].second);
  }
  if (lines.size() > kShownLines) text += fmt::format(", {} more", lines.size() - kShownLines);
  add("Lines (samples)", text);
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
         uses_.kept_bytes() + function_of_call_.capacity() * 3 * sizeof(std::uint32_t);
}

}  // namespace cinderscope::firefox
