#include "formats/thread_stream/symbols/elf_symbols.h"

#include <string_view>

#ifdef CINDERSCOPE_LIBDW
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>

#include "ingest/model/demangle.h"
#include "ingest/os/file.h"
#endif

namespace cinderscope::thread_stream {

#ifdef CINDERSCOPE_LIBDW

bool can_read_symbols() {
  return true;
}

namespace {

constexpr std::size_t kMostFrames = 256;         // of an address
constexpr std::size_t kMostTextBytes = 16'384;   // of a name
constexpr std::size_t kMostLevels = 512;         // of scopes within each other
constexpr std::uint64_t kMostDies = 1ull << 30;  // a chain of them may lead back to itself

// The file is given; others are not to be looked for, which may mean to ask servers.
int find_no_elf(Dwfl_Module*, void**, const char*, Dwarf_Addr, char**, Elf**) {
  return -1;
}

std::string text_of(const char* text) {
  return text == nullptr ? std::string()
                         : std::string(std::string_view(text).substr(0, kMostTextBytes));
}

std::string readable(const char* symbol) {
  std::string text = text_of(symbol);
  if (auto name = demangled(text)) return std::move(*name);
  return text;
}

// Rust's newer mangling is not read here; the plain name is better.
bool has_plain_name_only(const char* linkage) {
  return linkage == nullptr || std::string_view(linkage).starts_with("_R");
}

std::string linkage_name(Dwarf_Die* die) {
  Dwarf_Attribute attribute;
  for (const unsigned which : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name}) {
    const char* linkage = dwarf_formstring(dwarf_attr_integrate(die, which, &attribute));
    if (!has_plain_name_only(linkage)) return readable(linkage);
  }
  return {};
}

// A unit of compilation: its functions by address, read when the first address in it is asked for.
class Unit {
 public:
  explicit Unit(const Dwarf_Die& die) : die_(die), tree_(die) {
    Dwarf_Die split{};
    std::uint8_t type = 0;
    if (dwarf_cu_info(die_.cu, nullptr, &type, nullptr, &split, nullptr, nullptr, nullptr) == 0 &&
        type == DW_UT_skeleton && dwarf_tag(&split) != DW_TAG_invalid) {
      tree_ = split;
    }
  }

  std::vector<FoundFrame> frames(Dwarf_Addr pc, std::uint64_t& dies_left) {
    if (!std::exchange(known_, true)) find_functions(dies_left);
    const auto after = std::ranges::upper_bound(functions_, pc, {}, &Function::begin);
    for (auto at = after; at != functions_.begin() && after - at < kMostOverlaps;) {
      --at;
      if (pc < at->end) return frames_in(at->die, pc, dies_left);
    }
    return {};
  }

 private:
  struct Function {
    Dwarf_Addr begin, end;
    Dwarf_Die die;
  };
  using Scope = std::shared_ptr<const std::string>;  // "a::B::"; null: none
  struct Level {
    Dwarf_Die die;
    Scope scope;  // that it lies in
  };
  static constexpr std::ptrdiff_t kMostOverlaps = 16;

  static bool may_hold_functions(int tag) {
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

  void find_functions(std::uint64_t& dies_left) {
    walk(dies_left);
    std::ranges::stable_sort(functions_, {}, &Function::begin);
  }

  void walk(std::uint64_t& dies_left) {
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

  // Of what lies in it.
  static Scope scope_of(Level& at, int tag) {
    if (tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block) return at.scope;
    std::string name = text_of(dwarf_diename(&at.die));
    if (name.empty()) name = tag == DW_TAG_namespace ? "(anonymous namespace)" : "(anonymous)";
    const std::string outer = at.scope ? *at.scope : std::string();
    if (outer.size() + name.size() > kMostTextBytes) return at.scope;
    return std::make_shared<const std::string>(outer + name + "::");
  }

  // Compilers give no linkage name to what was always inlined: its scope says where it belongs.
  std::string function_name(Dwarf_Die die) const {
    if (std::string name = linkage_name(&die); !name.empty()) return name;
    const std::string name = text_of(dwarf_diename(&die));
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

  void add(Dwarf_Die& die) {
    Dwarf_Addr base = 0, begin = 0, end = 0;
    std::ptrdiff_t at = 0;
    while ((at = dwarf_ranges(&die, at, &base, &begin, &end)) > 0) {
      if (begin < end) functions_.push_back({begin, end, die});
    }
  }

  std::vector<FoundFrame> frames_in(Dwarf_Die scope, Dwarf_Addr pc, std::uint64_t& dies_left) {
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

  static std::optional<Dwarf_Die> scope_around(Dwarf_Die& scope, Dwarf_Addr pc,
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

  FoundFrame line_at(Dwarf_Addr pc) {
    FoundFrame place;
    Dwarf_Line* line = dwarf_getsrc_die(&die_, pc);
    int number = 0;
    if (line == nullptr || dwarf_lineno(line, &number) != 0) return place;
    place.file = text_of(dwarf_linesrc(line, nullptr, nullptr));
    place.line = number > 0 ? static_cast<std::uint32_t>(number) : 0;
    return place;
  }

  FoundFrame called_from(Dwarf_Die& inlined) {
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
      place.file = text_of(dwarf_filesrc(files, file, nullptr, nullptr));
    }
    return place;
  }

  Dwarf_Die die_;   // with the lines
  Dwarf_Die tree_;  // with the functions; another one if they are in a file of their own
  bool known_ = false;
  std::vector<Function> functions_;
  std::unordered_map<Dwarf_Off, Scope> scopes_;  // of functions, declared ones, too
};

class ElfFile {
 public:
  ElfFile(const std::string& path, const SymbolQuestion& question) : path_(path) {
    debug_path_ = ":.debug:/usr/lib/debug";
    for (const std::string& folder : question.debug_folders) debug_path_ += ":" + folder;
    debug_path_pointer_ = debug_path_.data();
    callbacks_.find_elf = find_no_elf;
    callbacks_.find_debuginfo = dwfl_standard_find_debuginfo;
    callbacks_.section_address = dwfl_offline_section_address;
    callbacks_.debuginfo_path = &debug_path_pointer_;
    dwfl_.reset(dwfl_begin(&callbacks_));
    if (!dwfl_) return;
    dwfl_report_begin(dwfl_.get());
    // At 0, so that addresses are the file's own.
    module_ = dwfl_report_elf(dwfl_.get(), path_.c_str(), path_.c_str(), -1, 0, false);
    dwfl_report_end(dwfl_.get(), nullptr, nullptr);
  }

  bool is_elf() const { return module_ != nullptr; }

  std::string build_id() const {
    const unsigned char* bits = nullptr;
    GElf_Addr at = 0;
    std::string hex;
    const int size = dwfl_module_build_id(module_, &bits, &at);
    for (int i = 0; i < size; ++i) hex += fmt::format("{:02x}", bits[i]);
    return hex;
  }

  void read(const std::vector<std::uint64_t>& addresses, SymbolAnswer& out) {
    Dwarf* dwarf = dwfl_module_getdwarf(module_, &bias_);
    out.debug_info = dwarf != nullptr;
    if (out.debug_info) find_units();
    for (const std::uint64_t address : addresses) {
      FoundSymbol found{.address = address, .frames = by_debug_info(address)};
      if (found.frames.empty() || found.frames.back().function.empty()) {
        add_symbol(address, found.frames);
      }
      if (!found.frames.empty()) out.symbols.push_back(std::move(found));
    }
    if (out.symbols.size() == addresses.size()) return;
    const bool has_symbols = dwfl_module_getsymtab(module_) > 1;
    out.reason = out.debug_info ? "no function is known there"
                 : has_symbols  ? "it has no debug information, and no symbols there"
                                : "it has neither debug information nor symbols";
  }

 private:
  struct End {
    void operator()(Dwfl* dwfl) const { dwfl_end(dwfl); }
  };
  struct Range {
    Dwarf_Addr begin, end;
    std::size_t unit;
  };

  // By what the units say of themselves: the table of addresses is missing in many files.
  void find_units() {
    Dwarf_Die* next = nullptr;
    Dwarf_Addr bias = 0;
    while ((next = dwfl_module_nextcu(module_, next, &bias)) != nullptr && dies_left_-- > 0) {
      Dwarf_Addr base = 0, begin = 0, end = 0;
      std::ptrdiff_t at = 0;
      const std::size_t unit = units_.size();
      const std::size_t before = ranges_.size();
      while ((at = dwarf_ranges(next, at, &base, &begin, &end)) > 0) {
        if (begin < end) ranges_.push_back({begin, end, unit});
      }
      if (ranges_.size() != before) units_.emplace_back(*next);
    }
    std::ranges::stable_sort(ranges_, {}, &Range::begin);
  }

  std::vector<FoundFrame> by_debug_info(std::uint64_t address) {
    const Dwarf_Addr pc = address - bias_;
    const auto after = std::ranges::upper_bound(ranges_, pc, {}, &Range::begin);
    if (after == ranges_.begin() || pc >= std::prev(after)->end) return {};
    return units_[std::prev(after)->unit].frames(pc, dies_left_);
  }

  void add_symbol(std::uint64_t address, std::vector<FoundFrame>& frames) {
    GElf_Sym symbol{};
    GElf_Off offset = 0;
    GElf_Word section = 0;
    Elf* elf = nullptr;
    const char* name =
        dwfl_module_addrinfo(module_, address, &offset, &symbol, &section, &elf, nullptr);
    if (name == nullptr || *name == '\0' || !is_code(symbol, elf, section)) return;
    if (frames.empty()) frames.emplace_back();
    frames.back().function = readable(name);
  }

  // What assemblers wrote has no type; nor has what marks a place in data.
  static bool is_code(const GElf_Sym& symbol, Elf* elf, GElf_Word section) {
    const int type = GELF_ST_TYPE(symbol.st_info);
    if (type == STT_FUNC || type == STT_GNU_IFUNC) return true;
    GElf_Shdr header;
    return type == STT_NOTYPE && elf != nullptr &&
           gelf_getshdr(elf_getscn(elf, section), &header) != nullptr &&
           (header.sh_flags & SHF_EXECINSTR) != 0;
  }

  std::string path_, debug_path_;
  char* debug_path_pointer_ = nullptr;
  Dwfl_Callbacks callbacks_{};
  std::unique_ptr<Dwfl, End> dwfl_;
  Dwfl_Module* module_ = nullptr;
  Dwarf_Addr bias_ = 0;
  std::vector<Unit> units_;
  std::vector<Range> ranges_;
  std::uint64_t dies_left_ = kMostDies;
};

}  // namespace

SymbolAnswer read_symbols(const SymbolQuestion& question) {
  SymbolAnswer answer;
  answer.reason = "its file is not there";
  for (const std::string& path : question.files) {
    const auto status = file_status(path);
    if (!status || status->kind != FileKind::regular) continue;
    ElfFile file(path, question);
    if (!file.is_elf()) {
      answer.reason = "its file is no ELF file";
      continue;
    }
    if (!question.build_id.empty() && file.build_id() != question.build_id) {
      answer.reason = "its file is of another build";
      continue;
    }
    answer.file = path;
    answer.reason.clear();
    file.read(question.addresses, answer);
    break;
  }
  return answer;
}

#else

bool can_read_symbols() {
  return false;
}

SymbolAnswer read_symbols(const SymbolQuestion&) {
  return {.reason = "this program was built without libdw"};
}

#endif

}  // namespace cinderscope::thread_stream
