// Copies Google JSON: events as they are written, those at a range's edges with other times.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "formats/google_json/google_json_source.h"
#include "formats/google_json/write/event_copier.h"
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
  Status copy_all();
  Status copy_range(std::uint64_t begin, std::uint64_t end);
  Status copy_members(std::uint64_t begin, std::uint64_t end, const VerbatimPlan& plan);
  Status copy_events(const TraceLoader::EventArray& array, const VerbatimPlan& plan);
  void use(CopiedEvents&& copied);
  void append(std::string_view events);
  std::string head_members(std::string_view text, const VerbatimPlan& plan) const;
  std::string head(std::string_view text, bool bracketed) const;
  std::string note() const;

  PartReader& part_;
  const GoogleJsonSource& source_;
  OutputFile& out_;
  LossReport& losses_;
  std::map<std::string, HeldCounter> held_;
  bool first_ = true;  // nothing was written of the array
};

}  // namespace cinderscope::google_json
