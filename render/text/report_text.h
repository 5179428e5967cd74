// What the load report says: its first line, and the facts of a file.
#pragma once

#include <string>
#include <vector>

#include "ingest/model/timeline.h"
#include "render/views/panels/report.h"

namespace cinderscope {

// "All 98 212 slices were read. 3 oddities of 2 kinds."
std::string report_sentence(const Timeline& timeline, ReadState read);

struct ReportFact {
  std::string key, value;
};
// Counts that are zero are left out. Looks at every track.
std::vector<ReportFact> report_facts(const ReportFrame& frame);

// "stray_end" -> "stray end".
std::string kind_text(std::string_view code);

}  // namespace cinderscope
