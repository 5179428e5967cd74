// The names of all calls of several files on one timeline.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "ingest/format/name_index.h"

namespace cinderscope {

class MergedNameIndex final : public NameIndex {
 public:
  // One file, and how it was moved; all have names of the same pool.
  struct Part {
    std::shared_ptr<const NameIndex> index;
    std::int64_t shift_ns = 0;
    RecordOffset first_record = 0, record_end = kNoRecord;
    std::size_t first_track = 0, track_count = 0;  // of the timeline
    std::uint32_t first_thread = 0;                // of all parts; set here
  };
  // Not `whole`: there are further files, which could not be read.
  MergedNameIndex(std::vector<Part> parts, bool whole);

  std::optional<Place> nearest(const NameSet& wanted, std::int64_t from_ns, int direction,
                               const std::atomic<bool>& cancelled) const override;
  bool each(const Wanted& wanted, const std::atomic<bool>& cancelled, const CallSink& take,
            const SurveyProgress& progress) const override;

 private:
  std::vector<Part> parts_;
};

}  // namespace cinderscope
