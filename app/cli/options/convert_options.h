// The options of `cinderscope convert`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/convert/convert.h"
#include "ingest/format/load_options.h"

namespace CLI {
class App;
}

namespace cinderscope {

struct ConvertOptions {
  std::vector<std::string> files;        // FILE or FILE@OFFSET
  std::string format;                    // empty: by the ending of the output
  std::optional<OutputPacking> packing;  // none: the same
  std::string report;                    // a path; empty: no report
  ConvertRequest request;
  LoadOptions load;
};

CLI::App* add_convert_command(CLI::App& app, ConvertOptions& convert);
int run_convert(ConvertOptions& options);  // the exit status

}  // namespace cinderscope
