#include "formats/all_writers.h"

#include <string>

#include "ingest/base/ascii.h"

// One line per format: declares NAME_writer() and puts it on the list.
#define CINDERSCOPE_WRITERS(X) \
  X(google_json) X(spall) X(thread_stream) X(folded) X(csv) X(tsv) X(jsonl)

namespace cinderscope {

#define CINDERSCOPE_DECLARE(name) const TraceWriter& name##_writer();
CINDERSCOPE_WRITERS(CINDERSCOPE_DECLARE)
#undef CINDERSCOPE_DECLARE

const std::vector<const TraceWriter*>& all_writers() {
#define CINDERSCOPE_LIST(name) &name##_writer(),
  static const std::vector<const TraceWriter*> kWriters = {CINDERSCOPE_WRITERS(CINDERSCOPE_LIST)};
#undef CINDERSCOPE_LIST
  return kWriters;
}

const TraceWriter* writer_named(std::string_view name) {
  for (const TraceWriter* writer : all_writers()) {
    if (writer->name() == name) return writer;
  }
  return nullptr;
}

const TraceWriter* writer_of_name(std::string_view file_name) {
  const std::string name = ascii_lower(file_name);
  for (const TraceWriter* writer : all_writers()) {
    std::string_view rest = name;
    for (const std::string_view packed : {".gz", ".zst"}) {
      if (writer->can_pack() && rest.ends_with(packed)) rest.remove_suffix(packed.size());
    }
    if (rest.size() > writer->ending().size() && rest.ends_with(writer->ending())) return writer;
  }
  return nullptr;
}

}  // namespace cinderscope
