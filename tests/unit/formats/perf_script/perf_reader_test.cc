#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "formats/all_formats.h"
#include "tests/support/dump.h"
#include "tests/support/load.h"

namespace cinderscope {
namespace {

std::string dumped(const std::string& text) {
  const LoadedTrace trace =
      load_trace(*format_named("perf_script"), Input::from_memory("unknown", bytes_of(text)));
  return dump(trace.timeline, trace.source.get());
}

// Stacks are compared with the one before up to a blank line; one with a blank in it ends a record
// as well, but nothing is compared.
std::string records(std::uint32_t seed, const std::string& between) {
  std::mt19937 random(seed);
  const std::string lines[] = {"\t  %x outer+0x1 (/lib/a.so)\n",
                               "\t  %x in (b) c (/lib/b.so)\n",
                               "\t  %x [unknown] (/lib/b.so)\n",
                               "\t  %x small (inlined)\n",
                               "\t  %x read+0x2 ([kernel.kallsyms])\n  file.c:12\n",
                               "\t  what is this\n",
                               "# comment: 7\n",
                               "other words\n"};
  std::string out, stack;
  for (int i = 0; i < 60; ++i) {
    const unsigned kinds = random() % 8 == 0 ? 8 : 5;  // mostly what is a frame
    std::string inner;
    for (unsigned k = random() % 4; k > 0; --k) {
      std::string line = lines[random() % kinds];
      if (const std::size_t at = line.find("%x"); at != std::string::npos) {
        line.replace(at, 2, std::to_string(10 + random() % 3));
      }
      inner += line;
    }
    // Some of the outermost lines stay.
    std::size_t keep = stack.find('\n', random() % (stack.size() + 1));
    stack = inner + (keep == std::string::npos ? "" : stack.substr(keep + 1));
    out += fmt::format("prog {}/{} {}.{:06}: 1000 cycles: \n{}", 7, 7 + random() % 3, 1, 10 * i,
                       stack);
    out += random() % 16 == 0 ? "" : between;  // a record may follow at once
  }
  return out;
}

TEST(PerfReaderTest, ReadsStacksThatResembleTheOneBeforeAsAnyOther) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    ASSERT_EQ(dumped(records(seed, "\n\n")), dumped(records(seed, " \n"))) << seed;
  }
}

TEST(PerfReaderTest, CountsEachLineThatItDoesNotKnow) {
  const std::string text =
      "prog 7 1.000001: cycles: \n\t  10 f (/a)\n\t  words\n\t  20 main (/a)\n\n"
      "prog 7 1.000002: cycles: \n\t  11 g (/a)\n\t  words\n\t  20 main (/a)\n\n";
  const LoadedTrace trace =
      load_trace(*format_named("perf_script"), Input::from_memory("unknown", bytes_of(text)));
  EXPECT_EQ(trace.timeline.diagnostics.by_code().at("unknown_line").count, 2u);
}

}  // namespace
}  // namespace cinderscope
