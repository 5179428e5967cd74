// What of a timeline is small, as fields; and how many chunks, spans and values its rows have.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "ingest/base/fields.h"
#include "ingest/model/timeline.h"

namespace cinderscope::prepared {

// Calls for everything that lies in sections of its own, in the same order on both ways.
struct RowVisitor {
  std::function<void(const SliceRow&)> row;
  std::function<void(const CounterSeries&)> series;
};
void write_model(const Timeline& timeline, FieldWriter& out, const RowVisitor& visit);

// A row to be made of the next `chunks` heads, with or without spans above them.
struct RowToFill {
  SliceRow* row = nullptr;
  std::uint64_t chunks = 0;
  bool has_upper = false;
};
struct SeriesToFill {
  CounterSeries* series = nullptr;
  std::uint64_t values = 0;
};

// A timeline whose rows and series are still empty, and what belongs into them. The blocks of its
// tracks are held here, since those of a timeline cannot be changed.
struct ModelToFill {
  Timeline timeline;  // without names and flows
  std::vector<RowToFill> rows;
  std::vector<SeriesToFill> series;
};
// Fails the reader where anything does not fit together; indices of names are not looked at.
void read_model(FieldReader& in, ModelToFill& out);

}  // namespace cinderscope::prepared
