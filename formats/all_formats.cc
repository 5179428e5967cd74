#include "formats/all_formats.h"

#include <string>

#include "ingest/base/ascii.h"

// One line per format: declares NAME_format() and puts it on the list.
#define CINDERSCOPE_FORMATS(X) \
  X(collapsed)                 \
  X(cpuprofile)                \
  X(firefox)                   \
  X(flow)                      \
  X(google_json)               \
  X(lincheck)                  \
  X(perf_script)               \
  X(perfetto)                  \
  X(pprof)                     \
  X(qubership)                 \
  X(spall)                     \
  X(speedscope)                \
  X(thread_stream)

namespace cinderscope {

#define CINDERSCOPE_DECLARE(name) const Format& name##_format();
CINDERSCOPE_FORMATS(CINDERSCOPE_DECLARE)
#undef CINDERSCOPE_DECLARE

const std::vector<const Format*>& all_formats() {
#define CINDERSCOPE_LIST(name) &name##_format(),
  static const std::vector<const Format*> kFormats = {CINDERSCOPE_FORMATS(CINDERSCOPE_LIST)};
#undef CINDERSCOPE_LIST
  return kFormats;
}

const Format* format_of_name(std::string_view file_name) {
  const std::string name = ascii_lower(file_name);
  std::string_view rest = name;
  for (const std::string_view packed : {".gz", ".zst", ".lz4"}) {
    if (rest.ends_with(packed)) rest.remove_suffix(packed.size());
  }
  for (const Format* format : all_formats()) {
    for (const std::string_view ending : format->name_endings()) {
      if (rest.size() > ending.size() && rest.ends_with(ending)) return format;
    }
  }
  return nullptr;
}

const Format* format_named(std::string_view name) {
  for (const Format* format : all_formats()) {
    if (format->name() == name) return format;
  }
  return nullptr;
}

}  // namespace cinderscope
