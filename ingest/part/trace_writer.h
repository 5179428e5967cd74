// TraceWriter: writes traces in one format.
#pragma once

#include <string_view>
#include <vector>

#include "ingest/base/result.h"
#include "ingest/part/loss_report.h"
#include "ingest/part/output/output_file.h"
#include "ingest/part/part_reader.h"

namespace cinderscope {

// Stateless; one instance for the life of the program. Registered by a line in
// formats/all_writers.cc.
class TraceWriter {
 public:
  virtual ~TraceWriter() = default;
  virtual std::string_view name() const = 0;         // of --format: "json"
  virtual std::string_view description() const = 0;  // for people: "Google JSON"
  virtual std::string_view ending() const = 0;       // of its files: ".json"
  virtual bool can_pack() const { return false; }    // .gz and .zst make sense
  // Several files are one timeline (else: one trace a file).
  virtual bool takes_merged() const { return true; }

  // An Error `cancelled` where the part's context was cancelled. What the format has no place for
  // is counted in `losses`. Nothing appears before the caller commits `out`.
  virtual Status write(PartReader& part, Output& out, LossReport& losses) const = 0;
  // How long the output will be before packing, where that is known without writing; else 0.
  virtual std::uint64_t known_bytes(PartReader& part) const {
    (void)part;
    return 0;
  }
  // Where less than all is written it copies what a source of its own format has, if that
  // knows_ends().
  virtual bool copies_parts() const { return false; }
  // It sums up: twice the records need not be twice the bytes.
  virtual bool sums_up() const { return false; }
  // What would be lost, without reading more than the model: for the sheet.
  virtual void foresee(PartReader& part, LossReport& losses) const = 0;
};

}  // namespace cinderscope
