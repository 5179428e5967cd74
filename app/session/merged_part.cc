#include "app/session/merged_part.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ingest/base/saturating.h"
#include "ingest/base/time_zone.h"
#include "render/text/time_text.h"

namespace cinderscope {
namespace {

std::string signed_text(std::int64_t ns, TimeAxis axis) {
  return (ns < 0 ? "" : "+") + exact_text(ns, axis);
}

std::string length_text(std::int64_t ns, TimeAxis axis) {
  constexpr std::int64_t kDayNs = 86'400'000'000'000;
  if (axis == TimeAxis::events || ns < 2 * kDayNs) return duration_text(ns, axis);
  const std::int64_t days = ns / kDayNs;
  return days < 730 ? fmt::format("{} days", days) : fmt::format("{} years", days / 365);
}

}  // namespace

std::string alignment_text(const std::vector<MergedPart>& parts, TimeAxis axis) {
  std::string text;
  bool first = true;
  for (const MergedPart& part : parts) {
    const bool is_base = std::exchange(first, first && !part.problem.empty());
    if (is_base && part.problem.empty() && part.shift_ns == 0) continue;
    text += text.empty() ? part.label : ";  " + part.label;
    if (!part.problem.empty()) {
      text += " was left out: " + part.problem;
    } else if (part.offset.how == Alignment::same_clock) {
      text += axis == TimeAxis::nanoseconds ? ": assumed to share a clock"
              : part.threads_apart          ? ": each thread counts its own events"
                                            : ": assumed to share one order";
    } else if (part.offset.how == Alignment::starts) {
      text += fmt::format(": starts aligned, moved by {}", signed_text(part.shift_ns, axis));
    } else {
      text += fmt::format(": moved by {}", signed_text(part.shift_ns, axis));
    }
  }
  return text;
}

std::string clock_warning(const std::vector<MergedPart>& parts, TimeAxis axis) {
  std::string before;  // the names of the files so far
  std::int64_t begin_ns = 0, end_ns = 0;
  std::size_t files = 0;
  for (const MergedPart& part : parts) {
    if (!part.problem.empty() || part.empty) continue;
    // Two files that tell the time of day share a clock, whenever they were recorded.
    const bool both_tell_time = axis == TimeAxis::nanoseconds && counts_from_1970(begin_ns) &&
                                counts_from_1970(part.begin_ns);
    if (files > 0 && part.offset.how == Alignment::same_clock && !both_tell_time) {
      const std::string others = files == 1 ? before : "the other files";
      const std::string ends = files == 1 ? "ends" : "end",
                        begins = files == 1 ? "begins" : "begin";
      if (part.begin_ns > end_ns) {
        const std::int64_t gap_ns = saturating_difference(part.begin_ns, end_ns);
        return fmt::format("{} begins {} after {} {}: no time is common to them.", part.label,
                           length_text(gap_ns, axis), others, ends);
      }
      if (part.end_ns < begin_ns) {
        const std::int64_t gap_ns = saturating_difference(begin_ns, part.end_ns);
        return fmt::format("{} ends {} before {} {}: no time is common to them.", part.label,
                           length_text(gap_ns, axis), others, begins);
      }
    }
    begin_ns = files == 0 ? part.begin_ns : std::min(begin_ns, part.begin_ns);
    end_ns = files == 0 ? part.end_ns : std::max(end_ns, part.end_ns);
    before = part.label;
    ++files;
  }
  return {};
}

}  // namespace cinderscope
