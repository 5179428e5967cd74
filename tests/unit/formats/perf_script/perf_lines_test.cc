#include "formats/perf_script/perf_lines.h"

#include <gtest/gtest.h>

#include <string>

namespace cinderscope::perf_script {
namespace {

std::string parts(std::string_view line) {
  const auto record = record_line(line);
  if (!record) return "none";
  std::string out = std::string(record->comm) + "|" + std::string(record->pid) + "|" +
                    std::string(record->tid) + "|" + std::string(record->cpu) + "|" +
                    (record->time_ns ? std::to_string(*record->time_ns) : "-") + "|" +
                    (record->period ? std::to_string(*record->period) : "-") + "|" +
                    std::string(record->event) + "|" + std::string(record->rest);
  return record->is_other ? out + "|other" : out;
}

TEST(PerfLinesTest, TakesTheShortestNameForWhichALineFits) {
  EXPECT_EQ(parts("mix  6708  5002.254126:    1001001 cpu-clock:pppH: "),
            "mix||6708||5002254126000|1001001|cpu-clock:pppH|");
  EXPECT_EQ(parts("pool 1  8293/8337 [001] 5008.153740: sched:stat: comm=pool 1 pid=8337"),
            "pool 1|8293|8337|001|5008153740000|-|sched:stat|comm=pool 1 pid=8337");
  EXPECT_EQ(parts(":-1    -1  1.5: cycles:"), ":-1||-1||1500000000|-|cycles|");
  EXPECT_EQ(parts("a 1 [002] d..2 1.000000001: 5 cycles:"), "a||1|002|1000000001|5|cycles|");
  EXPECT_EQ(parts("Gecko\t25122 [007] 1.5:\t\t1000 task-clock:u:"),
            "Gecko||25122|007|1500000000|1000|task-clock:u|");
  EXPECT_EQ(parts("a 1/2 1.5: PERF_RECORD_COMM: a:1/2"), "a|1|2||1500000000|-|||other");
}

TEST(PerfLinesTest, TakesLinesWithoutTimes) {
  EXPECT_EQ(parts("java 19983 cycles:"), "java||19983||-|-|cycles|");
  EXPECT_EQ(parts("java 19983 250000 cycles:u: "), "java||19983||-|250000|cycles:u|");
  EXPECT_EQ(parts("  java 19983 cycles:"), "none");
  EXPECT_EQ(parts("error: 12 of 14:"), "none");
}

TEST(PerfLinesTest, TakesFramesApart) {
  const auto text = [](std::string_view frame) {
    const FrameText of = parts_of_frame(frame);
    return std::string(of.symbol) + "|" + std::string(of.module) + (of.inlined ? "|inlined" : "");
  };
  EXPECT_EQ(text("mmap64+0x13 (/usr/lib/ld.so)"), "mmap64|/usr/lib/ld.so");
  EXPECT_EQ(text("f(int, (anonymous namespace)::x) const+0x3 (/a b)"),
            "f(int, (anonymous namespace)::x) const|/a b");
  EXPECT_EQ(text("[unknown] (/tmp/x.so (deleted))"), "[unknown]|/tmp/x.so (deleted)");
  EXPECT_EQ(text("std::sort<int>+0x3e (inlined)"), "std::sort<int>||inlined");
  EXPECT_EQ(text("f"), "f|");
  EXPECT_EQ(text("f+0x1 (libc.so.6+0x98d9)"), "f|libc.so.6");
  EXPECT_EQ(text("(libc.so.6+0x98d9)"), "|libc.so.6");
}

TEST(PerfLinesTest, KnowsLinesOfSources) {
  EXPECT_EQ(source_of_line("  mix.cc:19"), "mix.cc:19");
  EXPECT_EQ(source_of_line("  stl_algo.h:4853 (inlined)"), "stl_algo.h:4853");
  EXPECT_EQ(source_of_line("  libc.so.6[98d9]"), "libc.so.6[98d9]");
  EXPECT_EQ(source_of_line("mix.cc:19"), "");
  EXPECT_EQ(source_of_line("  what is this"), "");
}

TEST(PerfLinesTest, NamesEventsOfHybridCpusAsThoseOfOthers) {
  const auto name = [](std::string_view event) {
    const EventName of = event_name(event);
    return std::string(of.name) + "|" + std::string(of.modifiers);
  };
  EXPECT_EQ(name("cpu_core/cycles/u"), "cycles|u");
  EXPECT_EQ(name("cpu_atom/cycles/"), "cycles|");
  EXPECT_EQ(name("cycles:u"), "cycles:u|");
}

TEST(PerfLinesTest, RecognisesATextByItsFirstLines) {
  EXPECT_TRUE(is_perf_text("# ========\n# captured on: today\n", true));
  EXPECT_TRUE(is_perf_text("noise\na 1 1.5: cycles:\n", true));
  EXPECT_TRUE(is_perf_text("java 19983 cycles:\nffff8103 f (/a)\n", true));
  EXPECT_FALSE(is_perf_text("java 19983 cycles:\nmore text\n", true));
  EXPECT_FALSE(is_perf_text("file  Header, 32 bytes: magic\n      be packed (or not\n", true));
  EXPECT_FALSE(is_perf_text("a;b;c 12\n", true));
  EXPECT_FALSE(is_perf_text("a 1 1.5: cycles:", false));  // may go on
  EXPECT_FALSE(is_perf_text(std::string_view("a 1 1.5: cycles:\n\0", 19), true));
}

}  // namespace
}  // namespace cinderscope::perf_script
