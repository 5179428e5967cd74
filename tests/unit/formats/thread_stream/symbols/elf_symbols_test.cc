#include "formats/thread_stream/symbols/elf_symbols.h"

#include <gtest/gtest.h>

#include "tests/support/source_dir.h"
#include "tests/support/temp_dir.h"

namespace cinderscope::thread_stream {
namespace {

// n::S::f(int) with n::in(int) inlined, and entry(int), which calls one and has the other inlined.
std::string file(int dwarf_version) {
  return test::source_dir() + "/tests/fuzz/elf/dwarf" + std::to_string(dwarf_version) + ".so";
}

std::vector<std::uint64_t> all_addresses() {
  std::vector<std::uint64_t> addresses;
  for (std::uint64_t address = 0x200; address < 0x400; ++address) addresses.push_back(address);
  return addresses;
}

class ElfSymbolsTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!can_read_symbols()) GTEST_SKIP() << "built without libdw";
  }
};

TEST_F(ElfSymbolsTest, InlinedCallsStandWithinTheFunctionTheyWereInlinedInto) {
  for (const int version : {4, 5}) {
    const SymbolAnswer answer =
        read_symbols({.files = {file(version)}, .addresses = all_addresses()});
    EXPECT_TRUE(answer.debug_info);
    bool in_method = false, in_entry = false;
    for (const FoundSymbol& symbol : answer.symbols) {
      const std::vector<FoundFrame>& frames = symbol.frames;
      const std::string& outer = frames.back().function;
      EXPECT_TRUE(outer == "n::S::f" || outer == "entry") << outer;
      EXPECT_TRUE(frames.back().file.ends_with("sym_tiny.cc")) << frames.back().file;
      if (frames.size() != 2) continue;
      EXPECT_EQ(frames.front().function, "n::in");
      EXPECT_EQ(frames.front().line, 1u);
      EXPECT_EQ(frames.back().line, outer == "entry" ? 3u : 2u);
      (outer == "entry" ? in_entry : in_method) = true;
    }
    EXPECT_TRUE(in_method && in_entry) << version;
  }
}

TEST_F(ElfSymbolsTest, AFileOfAnotherBuildIsNotRead) {
  const SymbolAnswer answer =
      read_symbols({.files = {file(4)}, .build_id = "00ff", .addresses = all_addresses()});
  EXPECT_TRUE(answer.symbols.empty());
  EXPECT_TRUE(answer.file.empty());
  EXPECT_EQ(answer.reason, "its file is of another build");
}

TEST_F(ElfSymbolsTest, WhatIsNoElfFileIsSaidToBeNone) {
  const TempDir dir;
  const auto text = dir.write("a.so", "no ELF file");
  EXPECT_EQ(read_symbols({.files = {text.string()}, .addresses = {1}}).reason,
            "its file is no ELF file");
  EXPECT_EQ(read_symbols({.files = {"/dev/zero", dir.path().string(), "/none"}}).reason,
            "its file is not there");
}

}  // namespace
}  // namespace cinderscope::thread_stream
