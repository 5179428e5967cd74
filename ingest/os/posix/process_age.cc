#include "ingest/os/process_age.h"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <fstream>
#include <optional>
#include <string>

#include "ingest/base/number_text.h"

namespace cinderscope {
namespace {

using Clock = std::chrono::steady_clock;

// proc(5), /proc/PID/stat: field 22 is the start in ticks after the machine's, field 2 the
// program's name in parentheses, which may hold blanks and parentheses itself.
std::optional<std::chrono::duration<double>> age_from_proc() {
  std::ifstream file("/proc/self/stat");
  std::string text;
  std::getline(file, text);
  const std::size_t name_end = text.rfind(") ");
  if (name_end == std::string::npos) return std::nullopt;
  std::size_t at = name_end + 1;  // the blank before field 3
  for (int field = 3; field < 22; ++field) {
    at = text.find(' ', at + 1);
    if (at == std::string::npos) return std::nullopt;
  }
  const std::string word = text.substr(at + 1, text.find(' ', at + 1) - at - 1);
  const auto ticks = parse_number<std::uint64_t>(word);
  const auto per_second = sysconf(_SC_CLK_TCK);
  timespec now{};
  if (!ticks || per_second <= 0 || clock_gettime(CLOCK_BOOTTIME, &now) != 0) return std::nullopt;
  const double now_s = static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
  const double age_s = now_s - static_cast<double>(*ticks) / static_cast<double>(per_second);
  return std::chrono::duration<double>(std::max(0.0, age_s));
}

}  // namespace

Clock::time_point process_start() {
  static const Clock::time_point start = [] {
    const Clock::time_point now = Clock::now();
    const auto age = age_from_proc();
    return age ? now - std::chrono::duration_cast<Clock::duration>(*age) : now;
  }();
  return start;
}

}  // namespace cinderscope
