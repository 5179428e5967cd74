// What a trace says of itself: of its recording, of what was lost, and what is not shown of it.
#pragma once

#include <cstdint>
#include <string>

#include "formats/perfetto/state/sequence.h"
#include "formats/perfetto/survey.h"
#include "ingest/build/timeline_builder.h"

namespace cinderscope::perfetto {

// Packets that cannot be read, as what they build on is missing.
class MissingState {
 public:
  void add(const Sequence& sequence, const PacketBytes& bytes);
  void report(Diagnostics& diagnostics) const;

 private:
  std::uint64_t packets_ = 0, of_packets_ = 0, sequences_ = 0, of_sequences_ = 0;
  std::uint64_t first_offset_ = UINT64_MAX;
};

// Notes for the info panel, losses that the recorder tells of, and what is not shown.
void report_recording(const Survey& survey, TimelineBuilder& out);

}  // namespace cinderscope::perfetto
