#include "ingest/build/covered_time.h"

#include <algorithm>
#include <utility>

#include "ingest/base/saturating.h"

namespace cinderscope {

void CoveredTime::keep() {
  if (begin_ns_ == INT64_MIN && end_ns_ == INT64_MIN) return;  // nothing came yet
  first_kept_ns_ = std::min(first_kept_ns_, begin_ns_);
  stretches_.append(
      0, {.begin_ns = begin_ns_, .duration_ns = saturating_difference(end_ns_, begin_ns_)});
}

SliceRow CoveredTime::take(const SliceRow& outermost) {
  if (!kept_) return {};
  keep();
  std::vector<SliceRow> rows = stretches_.take();
  RowWriter all = std::move(stretches_);
  for (std::uint64_t i = 0; i < outermost.count(); ++i) {
    if (outermost.begin_ns(i) >= first_kept_ns_) break;
    all.append(0, {.begin_ns = outermost.begin_ns(i), .duration_ns = outermost.duration_ns(i)});
  }
  for (std::uint64_t i = 0; i < rows.front().count(); ++i) all.append(0, rows.front().slice(i));
  SliceRow covered = std::move(all.take().front());
  covered.build_lod();
  return covered;
}

}  // namespace cinderscope
