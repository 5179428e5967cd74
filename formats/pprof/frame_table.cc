#include "formats/pprof/frame_table.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <tuple>

#include "ingest/build/profile/frame_kinds.h"

namespace cinderscope::pprof {
namespace {

constexpr DiagnosticKind kMissingFunction{
    "bad_index", Severity::damage, "The profile refers to a text or function that it lacks."};
constexpr DiagnosticKind kBadPattern{"bad_pattern", Severity::damage,
                                     "A pattern for frames to be left out cannot be read."};

// What decides whether two frames are of one function.
enum class FunctionBy : std::uint8_t { name, mapping, address, nothing };
using FunctionKey = std::tuple<FunctionBy, std::uint64_t, std::uint64_t, std::uint64_t>;

constexpr std::uint64_t kNotLookedAt = UINT64_MAX;  // of what is made of a text once

std::unique_ptr<re2::RE2> pattern_of(std::string_view text, Diagnostics& diagnostics) {
  if (text.empty()) return nullptr;
  re2::RE2::Options options;
  options.set_log_errors(false);
  auto pattern = std::make_unique<re2::RE2>(re2::StringPiece(text.data(), text.size()), options);
  if (pattern->ok()) return pattern;
  diagnostics.count(kBadPattern);
  return nullptr;
}

// Functions that are inlined wherever they are called, by their place in the table.
std::vector<bool> inlined_functions(const ProfileTables& tables) {
  std::vector<bool> inlined(tables.functions.size()), called(tables.functions.size());
  for (const Location& location : tables.locations) {
    for (std::uint32_t k = 0; k < location.line_count; ++k) {
      const auto place = tables.function_of.find(tables.lines[location.first_line + k].function);
      if (!place) continue;
      (k + 1 < location.line_count ? inlined : called)[*place] = true;
    }
  }
  for (std::size_t i = 0; i < called.size(); ++i) inlined[i] = inlined[i] && !called[i];
  return inlined;
}

}  // namespace

std::string_view base_name(std::string_view path) {
  const std::size_t slash = path.find_last_of("/\\");
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string address_text(std::uint64_t address) {
  return fmt::format("{:#x}", address);
}

std::string_view name_for_patterns(std::string_view name) {
  if (name.starts_with('.')) name.remove_prefix(1);
  constexpr std::array<std::string_view, 2> kNoArguments = {"(anonymous namespace)", "operator()"};
  for (std::size_t at = name.find('('); at != std::string_view::npos;) {
    std::size_t next = 0;
    if (name.substr(at).starts_with(kNoArguments[0])) next = at + kNoArguments[0].size();
    const std::size_t before = kNoArguments[1].find('(');
    if (at >= before && name.substr(at - before).starts_with(kNoArguments[1])) next = at + 2;
    if (next == 0) return name.substr(0, at);
    at = name.find('(', next);
  }
  return name;
}

FrameTable::FrameTable(const ProfileTables& tables, bool drops, TimelineBuilder& out) {
  number_functions(tables, out);
  keep_all(tables);
  if (drops) drop(tables, out);
}

void FrameTable::number_functions(const ProfileTables& tables, TimelineBuilder& out) {
  Diagnostics& diagnostics = out.diagnostics();
  std::map<FunctionKey, std::uint32_t> numbers;
  // Texts that are equal are one, even where the table has them twice. Each is looked at once:
  // thousands of functions may have the same long one.
  std::vector<std::uint64_t> ids(tables.strings.size(), kNotLookedAt);
  FrameNames coloured(*out.strings());
  const auto text_id = [&](std::uint64_t text, bool inlined = false) {
    const std::string_view name = tables.text(text, diagnostics);
    if (text >= ids.size()) return std::uint64_t{0};
    if (ids[text] == kNotLookedAt) {
      ids[text] = index(inlined ? coloured.intern(name, FrameKind::inlined) : out.intern(name));
    }
    return ids[text];
  };
  struct Named {
    std::uint64_t name = 0, system_name = 0, file = 0;
  };
  std::vector<Named> named;
  named.reserve(tables.functions.size());
  const std::vector<bool> inlined = inlined_functions(tables);
  for (const Function& function : tables.functions) {
    const std::uint64_t name = text_id(function.name, inlined[named.size()]);
    named.push_back({name, text_id(function.system_name), text_id(function.file)});
  }
  out.set_legend(coloured.legend([](FrameKind) { return std::string(); }));
  for (const Mapping& mapping : tables.mappings) tables.text(mapping.file, diagnostics);
  // Of a mapping's file, in brackets; 0: it has no name.
  std::vector<std::uint64_t> module_ids(tables.strings.size(), kNotLookedAt);
  const auto module_id = [&](std::uint64_t text) {
    if (text >= module_ids.size()) return std::uint64_t{0};
    if (module_ids[text] == kNotLookedAt) {
      const std::string_view module = base_name(tables.strings[text]);
      const bool as_it_is = module.empty() || module.starts_with('[');
      module_ids[text] =
          index(out.intern(as_it_is ? std::string(module) : fmt::format("[{}]", module)));
    }
    return module_ids[text];
  };
  const auto number_of = [&](const FunctionKey& key, const auto& name) {
    const auto [known, is_new] =
        numbers.try_emplace(key, static_cast<std::uint32_t>(names_.size()));
    if (is_new) names_.push_back(name());
    return known->second;
  };
  const auto unnamed = [&](const Location& location) {
    const auto mapping = tables.mapping_of.find(location.mapping);
    const bool known = mapping && location.mapping != 0;
    const std::uint64_t module = known ? module_id(tables.mappings[*mapping].file) : 0;
    if (module != 0) {
      return number_of({FunctionBy::mapping, *mapping, 0, 0},
                       [&] { return StringId{static_cast<std::uint32_t>(module)}; });
    }
    if (location.address != 0) {
      return number_of({FunctionBy::address, location.address, 0, 0},
                       [&] { return out.intern(address_text(location.address)); });
    }
    return number_of({FunctionBy::nothing, 0, 0, 0}, [&] { return out.intern("(unknown)"); });
  };
  first_.push_back(0);
  for (std::uint32_t i = 0; i < tables.locations.size(); ++i) {
    const Location& location = tables.locations[i];
    for (std::uint32_t k = location.line_count; k-- > 0;) {
      const Line& line = tables.lines[location.first_line + k];
      FrameOfLocation frame{.location = i,
                            .line = line.line,
                            .column = line.column,
                            .inlined = k + 1 < location.line_count};
      const auto place = tables.function_of.find(line.function);
      const bool known = place && line.function != 0;
      if (line.function != 0 && !known) diagnostics.count(kMissingFunction);
      const Named names = known ? named[*place] : Named{};
      if (known) frame.file = tables.functions[*place].file;
      if (names.name != 0 || names.system_name != 0) {
        frame.function =
            number_of({FunctionBy::name, names.name << 32 | names.system_name, names.file, 0}, [&] {
              return StringId{
                  static_cast<std::uint32_t>(names.name != 0 ? names.name : names.system_name)};
            });
      } else {
        frame.function = unnamed(location);
      }
      frames_.push_back(frame);
    }
    if (location.line_count == 0) {
      frames_.push_back({.function = unnamed(location), .location = i});
    }
    first_.push_back(static_cast<std::uint32_t>(frames_.size()));
  }
}

void FrameTable::keep_all(const ProfileTables& tables) {
  dropped_.assign(tables.locations.size(), Dropped::no);
  for (std::uint32_t i = 0; i < tables.locations.size(); ++i) {
    kept_.push_back(first_[i + 1] - first_[i]);
  }
}

// As pprof does it: of a location the innermost lines up to the last that matches, all of it if the
// outermost one does.
void FrameTable::drop(const ProfileTables& tables, TimelineBuilder& out) {
  const auto drop =
      pattern_of(tables.text(tables.drop_frames, out.diagnostics()), out.diagnostics());
  if (drop == nullptr) return;
  const auto keep =
      pattern_of(tables.text(tables.keep_frames, out.diagnostics()), out.diagnostics());
  const auto fits = [](const re2::RE2& pattern, std::string_view name) {
    return re2::RE2::FullMatch(re2::StringPiece(name.data(), name.size()), pattern);
  };
  // By text: many functions may have the same long name.
  std::vector<std::optional<bool>> text_matches(tables.strings.size());
  std::vector<bool> matches;
  for (const Function& function : tables.functions) {
    const bool there = function.name < tables.strings.size();
    if (there && !text_matches[function.name]) {
      const std::string_view name = name_for_patterns(tables.strings[function.name]);
      text_matches[function.name] =
          !name.empty() && fits(*drop, name) && (keep == nullptr || !fits(*keep, name));
    }
    matches.push_back(there && *text_matches[function.name]);
  }
  for (std::uint32_t i = 0; i < tables.locations.size(); ++i) {
    const Location& location = tables.locations[i];
    for (std::uint32_t k = location.line_count; k-- > 0;) {
      const auto function = tables.function_of.find(tables.lines[location.first_line + k].function);
      if (!function || !matches[*function]) continue;
      const std::uint32_t above = location.line_count - 1 - k;  // frames that call the one dropped
      dropped_[i] = above == 0 ? Dropped::whole : Dropped::inner;
      if (above > 0) kept_[i] = above;
      break;
    }
  }
}

}  // namespace cinderscope::pprof
