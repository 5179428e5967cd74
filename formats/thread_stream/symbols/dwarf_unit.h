// The functions of a unit of compilation by address, from its debug information.
#pragma once

#include <dwarf.h>
#include <elfutils/libdwfl.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "formats/thread_stream/symbols/elf_symbols.h"

namespace cinderscope::thread_stream {

// What a file says is cut: a name to so many bytes.
std::string dwarf_text(const char* text);
// Demangled where it is mangled.
std::string readable_symbol(const char* symbol);

// A unit of compilation: its functions by address, read when the first address in it is asked for.
class DwarfUnit {
 public:
  explicit DwarfUnit(const Dwarf_Die& die);

  // What runs at an address of the file, the innermost inlined function first; nothing where no
  // function is. Takes what it reads off `dies_left`, and ends at 0.
  std::vector<FoundFrame> frames(Dwarf_Addr pc, std::uint64_t& dies_left);

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

  void find_functions(std::uint64_t& dies_left);
  void walk(std::uint64_t& dies_left);
  // Of what lies in it.
  static Scope scope_of(Level& at, int tag);
  // Compilers give no linkage name to what was always inlined: its scope says where it belongs.
  std::string function_name(Dwarf_Die die) const;
  void add(Dwarf_Die& die);
  std::vector<FoundFrame> frames_in(Dwarf_Die scope, Dwarf_Addr pc, std::uint64_t& dies_left);
  static std::optional<Dwarf_Die> scope_around(Dwarf_Die& scope, Dwarf_Addr pc,
                                               std::uint64_t& dies_left);
  FoundFrame line_at(Dwarf_Addr pc);
  FoundFrame called_from(Dwarf_Die& inlined);

  Dwarf_Die die_;   // with the lines
  Dwarf_Die tree_;  // with the functions; another one if they are in a file of their own
  bool known_ = false;
  std::vector<Function> functions_;
  std::unordered_map<Dwarf_Off, Scope> scopes_;  // of functions, declared ones, too
};

}  // namespace cinderscope::thread_stream
