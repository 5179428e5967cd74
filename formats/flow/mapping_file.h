// The file with the mapping: found beside the trace or given by the user.
#pragma once

#include <optional>
#include <string>

#include "formats/flow/id_mapping.h"
#include "ingest/format/load_context.h"
#include "ingest/input/input.h"

namespace cinderscope::flow {

struct MappingFile {
  Input input;  // what the mapping's views lie in
  std::string path;
  IdMapping mapping;
};

// nullopt: there is none beside the trace. An Error if the one that was asked for cannot be read.
Result<std::optional<MappingFile>> read_mapping(const Input& trace, const SymbolOptions& names);

bool has_mapping_beside(const Input& trace);

// What is said of calls whose id no mapping has.
std::string unknown_name_text(bool has_mapping);

}  // namespace cinderscope::flow
