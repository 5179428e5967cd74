// The arguments of many records of a .spall file, as they stand there.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "formats/spall/spall_file.h"
#include "ingest/input/input.h"
#include "ingest/model/ids.h"

namespace cinderscope::spall {

// One thread; looks at the file in stretches, so records that follow each other cost little. What
// another file says that was written over the one that was read is for its user to find out
// (TraceSource::records_are_same()).
class PlainArgs {
 public:
  // `input` and `file` outlive it.
  PlainArgs(const Input& input, const SpallFile& file) : input_(input), file_(file) {}

  // What the record says if that is its arguments and nothing else, until the next call; none:
  // TraceSource::describe() tells.
  std::optional<std::string_view> of(RecordOffset record);

 private:
  const Input& input_;
  const SpallFile& file_;
  Pin pin_;
  std::string text_;
};

// A source that has them.
class HasPlainArgs {
 public:
  virtual ~HasPlainArgs() = default;
  virtual PlainArgs plain_args() const = 0;
};

}  // namespace cinderscope::spall
