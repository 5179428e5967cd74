#ifdef CINDERSCOPE_LIBDW
#include "formats/thread_stream/symbols/dwarf_unit.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "ingest/model/demangle.h"

namespace cinderscope::thread_stream {

namespace {

constexpr std::size_t kMostFrames = 256;        // of an address
constexpr std::size_t kMostNameBytes = 16'384;  // of a name
constexpr std::size_t kMostLevels = 512;        // of scopes within each other
constexpr std::ptrdiff_t kMostOverlaps = 16;    // of functions that begin before an address

// Rust's newer mangling is not read here; the plain name is better.
bool has_plain_name_only(const char* linkage) {
  return linkage == nullptr || std::string_view(linkage).starts_with("_R");
}

std::string linkage_name(Dwarf_Die* die) {
  Dwarf_Attribute attribute;
  for (const unsigned which : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name}) {
    const char* linkage = dwarf_formstring(dwarf_attr_integrate(die, which, &attribute));
    if (!has_plain_name_only(linkage)) return readable_symbol(linkage);
  }
  return {};
}

bool may_hold_functions(int tag) {
  switch (tag) {
    case DW_TAG_subprogram:
    case DW_TAG_lexical_block:
    case DW_TAG_namespace:
    case DW_TAG_module:
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type:
    case DW_TAG_interface_type:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::string dwarf_text(const char* text) {
  return text == nullptr ? std::string()
                         : std::string(std::string_view(text).substr(0, kMostNameBytes));
}

std::string readable_symbol(const char* symbol) {
  std::string text = dwarf_text(symbol);
  if (auto name = demangled(text)) return std::move(*name);
  return text;
}

DwarfUnit::DwarfUnit(const Dwarf_Die& die) : die_(die), tree_(die) {
  Dwarf_Die split{};
  std::uint8_t type = 0;
  if (dwarf_cu_info(die_.cu, nullptr, &type, nullptr, &split, nullptr, nullptr, nullptr) == 0 &&
      type == DW_UT_skeleton && dwarf_tag(&split) != DW_TAG_invalid) {
    tree_ = split;
  }
}

std::vector<FoundFrame> DwarfUnit::frames(Dwarf_Addr pc, std::uint64_t& dies_left) {
  if (!std::exchange(known_, true)) find_functions(dies_left);
  const auto after = std::ranges::upper_bound(functions_, pc, {}, &Function::begin);
  for (auto at = after; at != functions_.begin() && after - at < kMostOverlaps;) {
    --at;
    if (pc < at->end) return frames_in(at->die, pc, dies_left);
  }
  return {};
}

void DwarfUnit::find_functions(std::uint64_t& dies_left) {
  walk(dies_left);
  std::ranges::stable_sort(functions_, {}, &Function::begin);
}

void DwarfUnit::walk(std::uint64_t& dies_left) {
  std::vector<Level> above;
  Level at;
  if (dwarf_child(&tree_, &at.die) != 0) return;
  for (; dies_left > 0; --dies_left) {
    const int tag = dwarf_tag(&at.die);
    if (tag == DW_TAG_subprogram) {
      add(at.die);
      if (at.scope) scopes_.emplace(dwarf_dieoffset(&at.die), at.scope);
    }
    Dwarf_Die child;
    if (may_hold_functions(tag) && above.size() < kMostLevels &&
        dwarf_child(&at.die, &child) == 0) {
      above.push_back(at);
      at = {child, scope_of(at, tag)};
      continue;
    }
    while (dwarf_siblingof(&at.die, &at.die) != 0) {
      if (above.empty()) return;
      at = std::move(above.back());
      above.pop_back();
    }
  }
}

DwarfUnit::Scope DwarfUnit::scope_of(Level& at, int tag) {
  if (tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block) return at.scope;
  std::string name = dwarf_text(dwarf_diename(&at.die));
  if (name.empty()) name = tag == DW_TAG_namespace ? "(anonymous namespace)" : "(anonymous)";
  const std::string outer = at.scope ? *at.scope : std::string();
  if (outer.size() + name.size() > kMostNameBytes) return at.scope;
  return std::make_shared<const std::string>(outer + name + "::");
}

std::string DwarfUnit::function_name(Dwarf_Die die) const {
  if (std::string name = linkage_name(&die); !name.empty()) return name;
  std::string name = dwarf_text(dwarf_diename(&die));
  constexpr int kMostOrigins = 16;
  for (int i = 0; i < kMostOrigins && !name.empty(); ++i) {
    const auto scope = scopes_.find(dwarf_dieoffset(&die));
    if (scope != scopes_.end()) return *scope->second + name;
    Dwarf_Attribute attribute;
    const bool has_origin = dwarf_attr(&die, DW_AT_abstract_origin, &attribute) != nullptr ||
                            dwarf_attr(&die, DW_AT_specification, &attribute) != nullptr;
    Dwarf_Die origin;
    if (!has_origin || dwarf_formref_die(&attribute, &origin) == nullptr) break;
    die = origin;
  }
  return name;
}

void DwarfUnit::add(Dwarf_Die& die) {
  Dwarf_Addr base = 0, begin = 0, end = 0;
  std::ptrdiff_t at = 0;
  while ((at = dwarf_ranges(&die, at, &base, &begin, &end)) > 0) {
    if (begin < end) functions_.push_back({begin, end, die});
  }
}

std::vector<FoundFrame> DwarfUnit::frames_in(Dwarf_Die scope, Dwarf_Addr pc,
                                             std::uint64_t& dies_left) {
  std::vector<Dwarf_Die> chain{scope};  // outermost first
  for (std::size_t level = 0; level < kMostLevels && chain.size() < kMostFrames; ++level) {
    const std::optional<Dwarf_Die> inner = scope_around(scope, pc, dies_left);
    if (!inner) break;
    scope = *inner;
    if (dwarf_tag(&scope) == DW_TAG_inlined_subroutine) chain.push_back(scope);
  }
  std::vector<FoundFrame> frames;
  FoundFrame place = line_at(pc);
  for (std::size_t i = chain.size(); i-- > 0;) {
    place.function = function_name(chain[i]);
    frames.push_back(place);
    place = called_from(chain[i]);
  }
  return frames;
}

std::optional<Dwarf_Die> DwarfUnit::scope_around(Dwarf_Die& scope, Dwarf_Addr pc,
                                                 std::uint64_t& dies_left) {
  Dwarf_Die die;
  if (dwarf_child(&scope, &die) != 0) return std::nullopt;
  do {
    if (dies_left == 0) return std::nullopt;
    --dies_left;
    const int tag = dwarf_tag(&die);
    const bool is_scope = tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block ||
                          tag == DW_TAG_try_block || tag == DW_TAG_catch_block;
    if (is_scope && dwarf_haspc(&die, pc) > 0) return die;
  } while (dwarf_siblingof(&die, &die) == 0);
  return std::nullopt;
}

FoundFrame DwarfUnit::line_at(Dwarf_Addr pc) {
  FoundFrame place;
  Dwarf_Line* line = dwarf_getsrc_die(&die_, pc);
  int number = 0;
  if (line == nullptr || dwarf_lineno(line, &number) != 0) return place;
  place.file = dwarf_text(dwarf_linesrc(line, nullptr, nullptr));
  place.line = number > 0 ? static_cast<std::uint32_t>(number) : 0;
  return place;
}

FoundFrame DwarfUnit::called_from(Dwarf_Die& inlined) {
  FoundFrame place;
  Dwarf_Attribute attribute;
  Dwarf_Word file = 0, line = 0;
  if (dwarf_formudata(dwarf_attr(&inlined, DW_AT_call_line, &attribute), &line) == 0) {
    place.line = static_cast<std::uint32_t>(std::min<Dwarf_Word>(line, UINT32_MAX));
  }
  Dwarf_Files* files = nullptr;
  std::size_t count = 0;
  if (dwarf_formudata(dwarf_attr(&inlined, DW_AT_call_file, &attribute), &file) == 0 &&
      dwarf_getsrcfiles(&tree_, &files, &count) == 0 && file < count) {
    place.file = dwarf_text(dwarf_filesrc(files, file, nullptr, nullptr));
  }
  return place;
}

}  // namespace cinderscope::thread_stream
#endif
