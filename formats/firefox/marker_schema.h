// What meta.markerSchema says of the data of markers: labels, and how values are written.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "formats/firefox/thread_tables.h"
#include "ingest/model/record_text.h"

namespace cinderscope::firefox {

class MarkerSchemas {
 public:
  MarkerSchemas() = default;
  explicit MarkerSchemas(std::string_view schemas);

  // Arguments, label and stack of a marker. `end_data`: of the marker that ended it, which counts
  // more.
  void describe(std::string_view name, std::string_view data, std::string_view end_data,
                const SharedTables& tables, const FirefoxCalls& calls, RecordText& out) const;

 private:
  struct Field {
    std::string label, format;
  };
  struct Schema {
    std::string label;  // a text with {marker.data.KEY}
    std::map<std::string, Field, std::less<>> fields;
  };

  std::map<std::string, Schema, std::less<>> schemas_;
};

}  // namespace cinderscope::firefox
