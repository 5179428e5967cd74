#include "formats/firefox/kept_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "ingest/base/fields.h"

namespace cinderscope::firefox {

std::string_view KeptCalls::category(std::uint32_t call) const {
  const std::int32_t number = category_of_call[call];
  if (number < 0 || static_cast<std::size_t>(number) >= categories.size()) return {};
  return categories[static_cast<std::size_t>(number)];
}

void KeptCalls::describe(std::uint32_t call, RecordText& out) const {
  const KeptFunction& function = functions[function_of_call[call]];
  const auto add = [&](const char* key, std::string value) {
    if (!value.empty()) out.facts.emplace_back(key, std::move(value));
  };
  std::string source(strings->text(function.file));
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
  for (const FrameUse& use : uses.of(call)) {
    const KeptFrame& frame = frames[use.frame];
    if (frame.line >= 0) samples_of_line[frame.line] += use.samples;
    if (frame.address >= 0 && addresses.size() < kDistinct &&
        std::ranges::find(addresses, frame.address) == addresses.end()) {
      addresses.push_back(frame.address);
    }
    inlined = inlined || frame.inlined;
    if (module == kEmptyString) module = frame.module;
  }
  add("Module", std::string(strings->text(module)));
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

std::vector<std::string> KeptCalls::stack_of(std::uint32_t call) const {
  constexpr std::size_t kShownCalls = 1000;
  std::vector<std::string> names;
  for (; call != kNoCall && names.size() < kShownCalls; call = caller_of_call[call]) {
    names.emplace_back(strings->text(function_names[function_of_call[call]]));
  }
  std::ranges::reverse(names);
  return names;
}

std::uint64_t KeptCalls::kept_bytes() const {
  return functions.capacity() * sizeof(KeptFunction) + frames.capacity() * sizeof(KeptFrame) +
         uses.kept_bytes() + function_of_call.capacity() * 3 * sizeof(std::uint32_t);
}

void KeptCalls::save(FieldWriter& out) const {
  out.add(std::uint64_t{functions.size()});
  for (std::size_t i = 0; i < functions.size(); ++i) {
    const KeptFunction& function = functions[i];
    out.add(function_names[i]);
    out.add(function.module);
    out.add(function.file);
    out.add(function.line);
    out.add(function.column);
    out.add(function.is_js);
  }
  out.add(std::uint64_t{frames.size()});
  for (const KeptFrame& frame : frames) {
    out.add(frame.line);
    out.add(frame.address);
    out.add(frame.inlined);
    out.add(frame.module);
  }
  uses.save(out);
  out.add(std::uint64_t{categories.size()});
  for (const std::string& name : categories) out.add_text(name);
  out.add_values(category_of_call);
  out.add_values(function_of_call);
  out.add_values(caller_of_call);
}

void KeptCalls::restore(FieldReader& in, std::shared_ptr<const StringPool> names) {
  constexpr std::size_t kFunctionBytes = 29, kFrameBytes = 21;
  strings = std::move(names);
  const auto take_name = [&] {
    const auto name = in.take<StringId>();
    if (index(name) >= strings->size()) in.fail();
    return name;
  };
  functions.resize(in.take_count(kFunctionBytes));
  function_names.resize(functions.size());
  for (std::size_t i = 0; i < functions.size(); ++i) {
    KeptFunction& function = functions[i];
    function_names[i] = take_name();
    function.module = take_name();
    function.file = take_name();
    function.line = in.take<std::int64_t>();
    function.column = in.take<std::int64_t>();
    function.is_js = in.take<bool>();
  }
  frames.resize(in.take_count(kFrameBytes));
  for (KeptFrame& frame : frames) {
    frame.line = in.take<std::int64_t>();
    frame.address = in.take<std::int64_t>();
    frame.inlined = in.take<bool>();
    frame.module = take_name();
  }
  uses.restore(in, frames.size());
  categories.resize(in.take_count(sizeof(std::uint64_t)));
  for (std::string& name : categories) name = in.take_text();
  category_of_call = in.take_values<std::int32_t>();
  function_of_call = in.take_values<std::uint32_t>();
  caller_of_call = in.take_values<std::uint32_t>();
  const std::size_t calls = uses.calls();
  if (category_of_call.size() != calls || function_of_call.size() != calls ||
      caller_of_call.size() != calls) {
    return in.fail();
  }
  for (std::size_t i = 0; i < calls; ++i) {
    const bool has_caller = caller_of_call[i] != kNoCall;
    if (function_of_call[i] >= functions.size() || (has_caller && caller_of_call[i] >= i)) {
      in.fail();
    }
  }
}

}  // namespace cinderscope::firefox
