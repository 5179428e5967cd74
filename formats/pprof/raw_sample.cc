#include "formats/pprof/raw_sample.h"

#include <protozero/pbf_reader.hpp>

namespace cinderscope::pprof {
namespace {

template <class Take>
void take_numbers(protozero::pbf_reader& reader, const Take& take) {
  if (reader.wire_type() == protozero::pbf_wire_type::varint) return take(reader.get_uint64());
  if (reader.wire_type() != protozero::pbf_wire_type::length_delimited) return reader.skip();
  for (const std::uint64_t value : reader.get_packed_uint64()) take(value);
}

}  // namespace

void read_sample(std::string_view bytes, RawSample& out) {
  out.locations.clear();
  out.values.clear();
  out.labels.clear();
  protozero::pbf_reader reader(protozero::data_view(bytes.data(), bytes.size()));
  while (reader.next()) {
    switch (reader.tag()) {
      case 1:
        take_numbers(reader, [&](std::uint64_t id) { out.locations.push_back(id); });
        break;
      case 2:
        take_numbers(reader, [&](std::uint64_t value) {
          out.values.push_back(static_cast<std::int64_t>(value));
        });
        break;
      case 3:
        if (reader.wire_type() == protozero::pbf_wire_type::length_delimited) {
          const protozero::data_view label = reader.get_view();
          out.labels.emplace_back(label.data(), label.size());
          break;
        }
        [[fallthrough]];
      default:
        reader.skip();
    }
  }
}

}  // namespace cinderscope::pprof
