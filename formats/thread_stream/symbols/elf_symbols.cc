#include "formats/thread_stream/symbols/elf_symbols.h"

#include <string_view>

#ifdef CINDERSCOPE_LIBDW
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "formats/thread_stream/symbols/dwarf_unit.h"
#include "ingest/os/file.h"
#endif

namespace cinderscope::thread_stream {

#ifdef CINDERSCOPE_LIBDW

bool can_read_symbols() {
  return true;
}

namespace {

constexpr std::uint64_t kMostDies = 1ull << 30;  // a chain of them may lead back to itself

// The file is given; others are not to be looked for, which may mean to ask servers.
int find_no_elf(Dwfl_Module*, void**, const char*, Dwarf_Addr, char**, Elf**) {
  return -1;
}

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
    frames.back().function = readable_symbol(name);
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
  std::vector<DwarfUnit> units_;
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
