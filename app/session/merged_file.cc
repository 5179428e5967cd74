#include "app/session/merged_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ingest/base/saturating.h"
#include "ingest/base/time_zone.h"
#include "render/text/time_text.h"

namespace cinderscope {
namespace {

std::string signed_text(std::int64_t ns, TimeAxis axis) {
  return (ns < 0 ? "" : "+") + exact_length_text(ns, axis);
}

std::string gap_text(std::int64_t ns, TimeAxis axis) {
  constexpr std::int64_t kDayNs = 86'400'000'000'000;
  if (axis == TimeAxis::events || ns < 2 * kDayNs) return length_text(ns, axis);
  const std::int64_t days = ns / kDayNs;
  return days < 730 ? fmt::format("{} days", days) : fmt::format("{} years", days / 365);
}

}  // namespace

std::string alignment_text(const std::vector<MergedFile>& files, TimeAxis axis) {
  std::string text;
  bool first = true;
  for (const MergedFile& file : files) {
    const bool is_base = std::exchange(first, first && !file.problem.empty());
    if (is_base && file.problem.empty() && file.shift_ns == 0) continue;
    text += text.empty() ? file.label : ";  " + file.label;
    if (!file.problem.empty()) {
      text += " was left out: " + file.problem;
    } else if (file.offset.how == Alignment::same_clock) {
      text += axis == TimeAxis::nanoseconds ? ": assumed to share a clock"
              : file.threads_apart          ? ": each thread counts its own events"
                                            : ": assumed to share one order";
    } else if (file.offset.how == Alignment::starts) {
      text += fmt::format(": starts aligned, moved by {}", signed_text(file.shift_ns, axis));
    } else {
      text += fmt::format(": moved by {}", signed_text(file.shift_ns, axis));
    }
  }
  return text;
}

std::string clock_warning(const std::vector<MergedFile>& files, TimeAxis axis) {
  std::string before;  // the names of the files so far
  std::int64_t begin_ns = 0, end_ns = 0;
  std::size_t seen = 0;
  for (const MergedFile& file : files) {
    if (!file.problem.empty() || file.empty) continue;
    // Two files that tell the time of day share a clock, whenever they were recorded.
    const bool both_tell_time = axis == TimeAxis::nanoseconds && counts_from_1970(begin_ns) &&
                                counts_from_1970(file.begin_ns);
    if (seen > 0 && file.offset.how == Alignment::same_clock && !both_tell_time) {
      const std::string others = seen == 1 ? before : "the other files";
      const std::string ends = seen == 1 ? "ends" : "end", begins = seen == 1 ? "begins" : "begin";
      if (file.begin_ns > end_ns) {
        const std::int64_t gap_ns = saturating_difference(file.begin_ns, end_ns);
        return fmt::format("{} begins {} after {} {}: no time is common to them.", file.label,
                           gap_text(gap_ns, axis), others, ends);
      }
      if (file.end_ns < begin_ns) {
        const std::int64_t gap_ns = saturating_difference(begin_ns, file.end_ns);
        return fmt::format("{} ends {} before {} {}: no time is common to them.", file.label,
                           gap_text(gap_ns, axis), others, begins);
      }
    }
    begin_ns = seen == 0 ? file.begin_ns : std::min(begin_ns, file.begin_ns);
    end_ns = seen == 0 ? file.end_ns : std::max(end_ns, file.end_ns);
    before = file.label;
    ++seen;
  }
  return {};
}

}  // namespace cinderscope
