// Names of addresses in one ELF file, by its debug information or its symbols. Needs libdw.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cinderscope::thread_stream {

struct SymbolQuestion {
  std::vector<std::string> files;          // the first that is of the build is taken
  std::string build_id;                    // of the module, hexadecimal; empty: unknown
  std::vector<std::string> debug_folders;  // where separate debug files may be
  bool debuginfod = false;                 // servers may be asked for these, too
  std::vector<std::uint64_t> addresses;    // those of the ELF file
};

struct FoundFrame {
  std::string function, file;
  std::uint32_t line = 0;
};

struct FoundSymbol {
  std::uint64_t address = 0;
  // Innermost first: calls that were inlined, and the function that they were inlined into.
  std::vector<FoundFrame> frames;
};

struct SymbolAnswer {
  std::string file;         // that was read; empty: none
  bool debug_info = false;  // it has some, or there is a separate debug file
  std::string reason;       // why an address has no name
  std::vector<FoundSymbol> symbols;
};

bool can_read_symbols();  // false: this program was built without libdw

// What files hold may be hostile, and libdw is not made for that: in a process of its own.
SymbolAnswer read_symbols(const SymbolQuestion& question);

}  // namespace cinderscope::thread_stream
