// What the load report says: its first line, and the facts of a file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ingest/model/timeline.h"

namespace cinderscope {

// How far the file has been read.
enum class ReadState : std::uint8_t { loading, stopped, whole };

struct ReportFact {
  std::string key, value;
};

// One of several files on the timeline.
struct ReportedFile {
  std::string name, path;
  std::string headline;  // read_sentence() of it alone; empty where it was left out
  std::string problem;   // why it was left out
};

struct LoadReport {
  const Timeline& timeline;
  std::string format;  // its name to show; empty while unknown
  std::string path;
  std::vector<ReportedFile> files;  // of a merged timeline
  bool several_files = false;       // what is cut or damaged may be one of them
  std::uint64_t stored_bytes = 0, inflated_bytes = 0;
  double load_seconds = 0;
  ReadState read = ReadState::whole;
  std::string on_disk;  // how far the calls on disk are counted; may be empty
};

// What is damaged or missing: "The file ends early: 23 686 slices before the cut are shown." Empty
// if nothing is. With `several_files` it may be one file of the trace.
std::string damage_sentence(const Timeline& timeline, bool several_files);

// That, or "All 98 212 slices were read."
std::string read_sentence(const Timeline& timeline, ReadState read, bool several_files = false);

// That, then "3 notes (2 kinds)." or "No problems."
std::string report_sentence(const Timeline& timeline, ReadState read, bool several_files = false);

// Counts that are zero are left out. Looks at every track.
std::vector<ReportFact> report_facts(const LoadReport& report);

// "stray_end" -> "stray end".
std::string kind_text(std::string_view code);

}  // namespace cinderscope
