// Copies Google JSON: events as they are written, those at a range's edges with other times.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "formats/google_json/google_json_source.h"
#include "formats/google_json/window_parser.h"
#include "formats/google_json/write/verbatim_plan.h"
#include "ingest/part/trace_writer.h"

namespace cinderscope::google_json {

// Null where the trace is no Google JSON, or names or arguments are to be changed: then nothing can
// be copied.
const GoogleJsonSource* copied_from(const PartReader& part);

class VerbatimWriter {
 public:
  VerbatimWriter(PartReader& part, const GoogleJsonSource& source, OutputFile& out,
                 LossReport& losses);

  Status write();

 private:
  struct Held {
    std::int64_t time = 0;
    std::string event;  // with its new time
    bool replaced = false;
  };
  // What becomes of one window.
  struct Copied {
    std::string text;  // events, each behind a separator
    std::map<std::string, Held> held;
    LossReport losses;
  };
  class Copier;

  Status copy_all();
  Status copy_range(std::uint64_t begin, std::uint64_t end);
  Status copy_members(std::uint64_t begin, std::uint64_t end, const VerbatimPlan& plan);
  Status copy_events(const TraceLoader::EventArray& array, const VerbatimPlan& plan);
  void use(Copied copied);
  void append(std::string_view events);
  std::string head_members(std::string_view text, const VerbatimPlan& plan) const;
  std::string head(std::string_view text, bool bracketed) const;
  std::string note() const;

  PartReader& part_;
  const GoogleJsonSource& source_;
  OutputFile& out_;
  LossReport& losses_;
  std::map<std::string, Held> held_;
  bool first_ = true;  // nothing was written of the array
};

}  // namespace cinderscope::google_json
