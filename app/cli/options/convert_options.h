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
  std::vector<std::string> tables;       // of a database or a folder; empty: all
  bool index = false;                    // of a database of any size
  ConvertRequest request;
  LoadOptions load;
};

CLI::App* add_convert_command(CLI::App& app, ConvertOptions& convert);
int run_convert(ConvertOptions& options);  // the exit status

// All tables are to be written: a database, or a folder of texts.
bool writes_tables(const ConvertOptions& options);
int run_convert_tables(const ConvertOptions& options, const std::vector<std::string>& traces);

}  // namespace cinderscope
