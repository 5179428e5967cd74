// Puts the chunks of a mapped copy into the rows of its timeline, and the spans above them.
#pragma once

#include <memory>
#include <vector>

#include "ingest/prepared/mapped_copy.h"
#include "ingest/prepared/model_fields.h"

namespace cinderscope::prepared {

// False if there are more or fewer chunks or spans than the rows need, or a row is not as rows are:
// all but its last chunk full. Chunks keep the copy mapped; spans are copied.
bool fill_rows(const std::shared_ptr<const MappedCopy>& copy, const std::vector<RowToFill>& rows,
               unsigned jobs);

}  // namespace cinderscope::prepared
