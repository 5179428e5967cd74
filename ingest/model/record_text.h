// What the record of one slice or instant says beyond the columns, and who reads it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ingest/base/args_tree.h"
#include "ingest/model/ids.h"

namespace cinderscope {

// A text of several lines that belongs to a record, e.g. an SQL statement.
struct LongText {
  std::string title, text;
};

// What a slice was before a part of its trace was written to a file of its own.
struct CutFrom {
  std::int64_t begin_ns = 0, duration_ns = 0;
};

// Read from the input when it is shown.
struct RecordText {
  std::string line;  // all of it in short, where the format's own tools have a line for it
  std::string category;
  std::optional<std::int64_t> cpu_ns;
  std::vector<std::pair<std::string, std::string>> facts;  // further fields, e.g. {"id", "0x1f"}
  ArgsTree args;
  std::vector<std::string> stack;  // outermost first
  std::vector<LongText> texts;
  std::optional<CutFrom> cut;
  bool outdated = false;  // the file has other content by now: nothing of the record can be told
};

class RecordReader {
 public:
  virtual ~RecordReader() = default;

  // After the load any thread, several at once and beside the loading of children; so it changes
  // nothing that is not locked. Reads at most some MB of the input. Records are those given to the
  // builder; `end_record` may be kNoRecord.
  virtual RecordText describe(RecordOffset record, RecordOffset end_record) const = 0;

  // False: calls have no arguments, so that plain text is looked for in names alone.
  virtual bool has_args() const { return true; }
};

}  // namespace cinderscope
