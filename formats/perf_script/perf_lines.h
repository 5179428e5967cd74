// The lines of a text of `perf script`: which kind each is, and its parts as they stand there.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace cinderscope::perf_script {

// "comm pid/tid [cpu] flags time: period event: rest"; all but comm, id and event may be missing.
struct RecordLine {
  std::string_view comm, pid, tid, cpu;  // pid: empty if the line has none
  std::optional<std::int64_t> time_ns;
  std::optional<std::uint64_t> period;
  std::string_view event;  // without the colon at its end
  std::string_view rest;
  bool is_other = false;  // "PERF_RECORD_...": not an event
};

// Lines without their ends. The thread's name is the shortest one for which the line fits, since it
// may hold blanks and digits.
std::optional<RecordLine> record_line(std::string_view line);

struct FrameLine {
  std::string_view address, text;
};
// `unindented`: a line without blanks before it is one if it ends in a bracket.
std::optional<FrameLine> frame_line(std::string_view line, bool unindented);
// What stands behind the event of a line: the only frame of a sample without call graph.
std::optional<FrameLine> frame_of_rest(std::string_view rest);
// A frame whose line ends within its address.
bool is_begun_frame(std::string_view line);

// "file.c:12" or "libc.so[5af]" of the frame above; empty if the line is another.
std::string_view source_of_line(std::string_view line);

struct FrameText {
  std::string_view symbol, module;  // module: empty if there is none
  bool inlined = false;
};
FrameText parts_of_frame(std::string_view text);

// Names of hybrid CPUs' events, "cpu_core/cycles/u", are those of others, "cycles:u"; in two parts.
struct EventName {
  std::string_view name, modifiers;
};
EventName event_name(std::string_view event);

bool is_kernel_module(std::string_view module);
bool is_jit_module(std::string_view module);

// Whether the head of a file looks like such a text; `whole`: there is nothing behind it.
bool is_perf_text(std::string_view head, bool whole);

}  // namespace cinderscope::perf_script
