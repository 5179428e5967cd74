// Any bytes as an ELF file whose functions are looked up. libdw reads them, so a finding may be its
// own: the program reads such files in another process for that reason.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "formats/thread_stream/symbols/elf_symbols.h"
#include "tests/support/temp_dir.h"

// The name is libFuzzer's. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cinderscope;
  const TempDir folder;
  const auto path = folder.write("a.so", std::as_bytes(std::span(data, size)));
  thread_stream::SymbolQuestion question{.files = {path.string()}};
  for (std::uint64_t address = 0x100; address < 0x2000; address += 13) {
    question.addresses.push_back(address);
  }
  const thread_stream::SymbolAnswer answer = thread_stream::read_symbols(question);
  if (answer.symbols.size() > question.addresses.size()) std::abort();
  for (const thread_stream::FoundSymbol& symbol : answer.symbols) {
    if (symbol.frames.empty()) std::abort();
  }
  return 0;
}
