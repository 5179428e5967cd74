// What the load report says: its first line, and the facts of a file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ingest/model/timeline.h"

namespace cinderscope {

// How far the file has been read.
enum class ReadState : std::uint8_t { loading, stopped, whole };

struct LoadReport {
  const Timeline& timeline;
  std::string format;  // its name to show; empty while unknown
  std::string path;
  std::uint64_t stored_bytes = 0, inflated_bytes = 0;
  double load_seconds = 0;
  ReadState read = ReadState::whole;
  std::string on_disk;  // how far the calls on disk are counted; may be empty
};

// "All 98 212 slices were read. 3 notes (2 kinds)."
std::string report_sentence(const Timeline& timeline, ReadState read);

struct ReportFact {
  std::string key, value;
};
// Counts that are zero are left out. Looks at every track.
std::vector<ReportFact> report_facts(const LoadReport& report);

// "stray_end" -> "stray end".
std::string kind_text(std::string_view code);

}  // namespace cinderscope
