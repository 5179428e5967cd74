#include "formats/flow/mapping_file.h"

#include <utility>

#include "formats/flow/flow_files.h"
#include "ingest/base/path_text.h"

namespace cinderscope::flow {

Result<std::optional<MappingFile>> read_mapping(const Input& trace, const SymbolOptions& names) {
  const bool given = !names.mapping_path.empty();
  Result<Input> input =
      given ? Input::from_path(path_of(names.mapping_path)) : trace.companion(kMappingName);
  if (given && !input) return input.error();
  if (!input) return std::optional<MappingFile>();
  if (input->is_folder()) {
    if (!given) return std::optional<MappingFile>();
    return Error{ErrorCode::cannot_read, "The mapping is a folder.",
                 "Expected a file with lines CLASS#METHOD(TYPES)TYPE=ID."};
  }
  MappingFile file{std::move(*input), {}, {}};
  const Result<Pin> all = file.input.pin_all();
  if (!all) return all.error();
  file.path = utf8_of(file.input.path());
  file.mapping = parse_mapping(all->text());
  if (given && file.mapping.methods.empty() && all->size() != 0) {
    return Error{ErrorCode::cannot_read, "The mapping \"" + file.path + "\" names no method.",
                 "Expected lines CLASS#METHOD(TYPES)TYPE=ID.", 0};
  }
  file.mapping.diagnostics.merge(file.input.damage());
  return std::optional<MappingFile>(std::move(file));
}

bool has_mapping_beside(const Input& trace) {
  const Result<Input> input = trace.companion(kMappingName);
  return input && !input->is_folder();
}

std::string unknown_name_text(bool has_mapping) {
  return has_mapping ? "A method's id is not in the mapping; the call is shown by its number."
                     : "There is no ids.properties beside the trace, so calls are shown by their "
                       "numbers; drop such a file on the window, or give it with --ids.";
}

}  // namespace cinderscope::flow
