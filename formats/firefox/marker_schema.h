// What meta.markerSchema says of the data of markers: labels, and how values are written.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "formats/firefox/thread_tables.h"
#include "ingest/base/json/json_writer.h"
#include "ingest/model/record_text.h"

namespace cinderscope::firefox {

class MarkerSchemas {
 public:
  MarkerSchemas() = default;
  explicit MarkerSchemas(std::string_view schemas);

  struct Marker {
    std::string_view name, data;
    std::string_view end_data;      // of the marker that ended it, which counts more
    std::int64_t duration_ns = -1;  // below 0: it has none
  };
  // Arguments, label and stack of a marker.
  void describe(const Marker& marker, const SharedTables& tables, const KeptCalls& calls,
                RecordText& out) const;

 private:
  struct Column {
    std::string label, format;
  };
  struct Field {
    std::string label, format;
    std::vector<Column> columns;  // of a table
  };
  static Field field_of(std::string_view facts);
  static void write_value(std::string_view value, const Field& field, const SharedTables& tables,
                          JsonWriter& out);
  struct Schema {
    std::string label;  // a text with {marker.data.KEY}
    std::map<std::string, Field, std::less<>> fields;
  };

  std::map<std::string, Schema, std::less<>> schemas_;
};

}  // namespace cinderscope::firefox
