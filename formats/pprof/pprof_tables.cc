#include "formats/pprof/pprof_tables.h"

#include <protozero/exception.hpp>
#include <protozero/pbf_reader.hpp>

#include "ingest/build/profile/profile_diagnostics.h"

namespace cinderscope::pprof {
namespace {

constexpr DiagnosticKind kBadMessage{"bad_record", Severity::damage,
                                     "A part of the profile cannot be read and was left out."};
constexpr DiagnosticKind kMissingText{"bad_index", Severity::damage,
                                      "The profile refers to a text or function that it lacks."};

std::string_view view_of(protozero::pbf_reader& reader) {
  const protozero::data_view view = reader.get_view();
  return {view.data(), view.size()};
}

protozero::pbf_reader reader_of(std::string_view bytes) {
  return protozero::pbf_reader(protozero::data_view(bytes.data(), bytes.size()));
}

// A field of an unexpected type is as good as unknown.
std::uint64_t varint_of(protozero::pbf_reader& reader) {
  if (reader.wire_type() == protozero::pbf_wire_type::varint) return reader.get_uint64();
  reader.skip();
  return 0;
}
bool is_message(const protozero::pbf_reader& reader) {
  return reader.wire_type() == protozero::pbf_wire_type::length_delimited;
}

ValueType value_type(protozero::pbf_reader reader) {
  ValueType out;
  while (reader.next()) {
    switch (reader.tag()) {
      case 1:
        out.type = varint_of(reader);
        break;
      case 2:
        out.unit = varint_of(reader);
        break;
      default:
        reader.skip();
    }
  }
  return out;
}

Mapping mapping_in(protozero::pbf_reader reader) {
  Mapping out;
  while (reader.next()) {
    const std::uint32_t field = reader.tag();
    if (field == 0 || field > 6) {
      reader.skip();
      continue;
    }
    const std::uint64_t value = varint_of(reader);
    if (field == 1) out.id = value;
    if (field == 2) out.start = value;
    if (field == 3) out.limit = value;
    if (field == 4) out.offset = value;
    if (field == 5) out.file = value;
    if (field == 6) out.build_id = value;
  }
  return out;
}

Line line_in(protozero::pbf_reader reader) {
  Line out;
  while (reader.next()) {
    const std::uint32_t field = reader.tag();
    if (field == 0 || field > 3) {
      reader.skip();
      continue;
    }
    const std::uint64_t value = varint_of(reader);
    if (field == 1) out.function = value;
    if (field == 2) out.line = static_cast<std::int64_t>(value);
    if (field == 3) out.column = static_cast<std::int64_t>(value);
  }
  return out;
}

Location location_in(protozero::pbf_reader reader, std::vector<Line>& lines) {
  Location out{.first_line = static_cast<std::uint32_t>(lines.size())};
  while (reader.next()) {
    const std::uint32_t field = reader.tag();
    if (field == 4 && is_message(reader)) {
      lines.push_back(line_in(reader.get_message()));
      ++out.line_count;
    } else if (field == 0 || field > 3) {
      reader.skip();
    } else {
      const std::uint64_t value = varint_of(reader);
      if (field == 1) out.id = value;
      if (field == 2) out.mapping = value;
      if (field == 3) out.address = value;
    }
  }
  return out;
}

Function function_in(protozero::pbf_reader reader) {
  Function out;
  while (reader.next()) {
    const std::uint32_t field = reader.tag();
    if (field == 0 || field > 5) {
      reader.skip();
      continue;
    }
    const std::uint64_t value = varint_of(reader);
    if (field == 1) out.id = value;
    if (field == 2) out.name = value;
    if (field == 3) out.system_name = value;
    if (field == 4) out.file = value;
    if (field == 5) out.start_line = static_cast<std::int64_t>(value);
  }
  return out;
}

class TablesReader {
 public:
  explicit TablesReader(ProfileTables& out) : out_(out) {}

  bool two_profiles() const { return two_profiles_; }

  // Of a field whose bytes are all there. False: it is a message that is damaged.
  bool read_field(protozero::pbf_reader& reader) {
    const std::uint32_t field = reader.tag();
    if (is_message(reader)) return read_message(field, view_of(reader));
    if (reader.wire_type() != protozero::pbf_wire_type::varint) {
      reader.skip();
      return true;
    }
    const std::uint64_t value = reader.get_uint64();
    if (field == 7) out_.drop_frames = value;
    if (field == 8) out_.keep_frames = value;
    if (field == 9) {
      two_profiles_ = two_profiles_ || out_.time_ns != 0;
      out_.time_ns = static_cast<std::int64_t>(value);
    }
    if (field == 10) out_.duration_ns = static_cast<std::int64_t>(value);
    if (field == 12) out_.period = static_cast<std::int64_t>(value);
    if (field == 13) out_.comments.push_back(value);
    if (field == 14) out_.default_type = value;
    if (field == 15) out_.doc_url = value;
    return true;
  }

 private:
  template <class Row>
  static void add(std::vector<Row>& rows, IdIndex& index, const Row& row) {
    index.add(row.id, static_cast<std::uint32_t>(rows.size()));
    rows.push_back(row);
  }

  bool read_message(std::uint32_t field, std::string_view bytes) {
    const std::size_t lines = out_.lines.size();
    try {
      const protozero::pbf_reader reader = reader_of(bytes);
      if (field == 1) out_.sample_types.push_back(value_type(reader));
      if (field == 2) out_.samples.push_back(bytes);
      if (field == 3) add(out_.mappings, out_.mapping_of, mapping_in(reader));
      if (field == 4) add(out_.locations, out_.location_of, location_in(reader, out_.lines));
      if (field == 5) add(out_.functions, out_.function_of, function_in(reader));
      if (field == 6) out_.strings.push_back(bytes);
      if (field == 11) out_.period_type = value_type(reader);
      if (field == 13) read_comments(reader_of(bytes), bytes);
    } catch (const protozero::exception&) {
      out_.lines.resize(lines);
      return false;
    }
    return true;
  }

  void read_comments(const protozero::pbf_reader&, std::string_view bytes) {
    const char* at = bytes.data();
    const char* const end = at + bytes.size();
    while (at != end) out_.comments.push_back(protozero::decode_varint(&at, end));
  }

  ProfileTables& out_;
  bool two_profiles_ = false;
};

// What a head may hold, without any of its meaning.
enum class FieldShape : std::uint8_t { varint, bytes, message, either, unknown };

struct MessageShape {
  FieldShape (*field)(std::uint32_t number);
  const MessageShape* (*nested)(std::uint32_t number);
};

FieldShape numbers_only(std::uint32_t number, std::uint32_t most) {
  return number <= most ? FieldShape::varint : FieldShape::unknown;
}
const MessageShape* no_message(std::uint32_t) {
  return nullptr;
}
constexpr MessageShape kValueTypeShape{[](std::uint32_t n) { return numbers_only(n, 2); },
                                       no_message};
constexpr MessageShape kLabelShape{[](std::uint32_t n) { return numbers_only(n, 4); }, no_message};
constexpr MessageShape kSampleShape{
    [](std::uint32_t n) {
      return n <= 2 ? FieldShape::either : n == 3 ? FieldShape::message : FieldShape::unknown;
    },
    [](std::uint32_t) { return &kLabelShape; }};
constexpr MessageShape kMappingShape{[](std::uint32_t n) { return numbers_only(n, 10); },
                                     no_message};
constexpr MessageShape kLineShape{[](std::uint32_t n) { return numbers_only(n, 3); }, no_message};
constexpr MessageShape kLocationShape{
    [](std::uint32_t n) {
      return n == 4 ? FieldShape::message : n <= 5 ? FieldShape::varint : FieldShape::unknown;
    },
    [](std::uint32_t) { return &kLineShape; }};
constexpr MessageShape kFunctionShape{[](std::uint32_t n) { return numbers_only(n, 5); },
                                      no_message};

// Three levels at most: a location has lines, a sample labels.
bool fits_shape(std::string_view bytes, const MessageShape& shape) {
  protozero::pbf_reader reader = reader_of(bytes);
  while (reader.next()) {
    const std::uint32_t number = reader.tag();
    const auto type = reader.wire_type();
    const bool varint = type == protozero::pbf_wire_type::varint;
    const bool length = type == protozero::pbf_wire_type::length_delimited;
    const FieldShape wanted = shape.field(number);
    if (wanted == FieldShape::unknown && number > 15) return false;
    if (wanted == FieldShape::varint && !varint) return false;
    if (wanted == FieldShape::either && !varint && !length) return false;
    if (wanted == FieldShape::message) {
      if (!length || !fits_shape(view_of(reader), *shape.nested(number))) return false;
    } else {
      reader.skip();
    }
  }
  return true;
}

const MessageShape* shape_of_table(std::uint32_t number) {
  switch (number) {
    case 1:
    case 11:
      return &kValueTypeShape;
    case 2:
      return &kSampleShape;
    case 3:
      return &kMappingShape;
    case 4:
      return &kLocationShape;
    case 5:
      return &kFunctionShape;
    default:
      return nullptr;
  }
}

bool may_have_type(std::uint32_t number, bool varint, bool length) {
  if (number >= 16) return number <= 31 && (varint || length);
  if (number == 13) return varint || length;
  return number <= 6 || number == 11 ? length : varint;
}

}  // namespace

void IdIndex::add(std::uint64_t id, std::uint32_t place) {
  if (id >= kDense) {
    others_.try_emplace(id, place);
    return;
  }
  if (id >= dense_.size()) dense_.resize(id + 1, 0);
  if (dense_[id] == 0) dense_[id] = place + 1;
}

std::string_view ProfileTables::text(std::uint64_t index, Diagnostics& diagnostics) const {
  if (index < strings.size()) return strings[index];
  if (index != 0) diagnostics.count(kMissingText);
  return {};
}

Result<ProfileTables> read_tables(std::string_view bytes, Diagnostics& diagnostics) {
  ProfileTables out;
  TablesReader tables(out);
  protozero::pbf_reader reader = reader_of(bytes);
  std::size_t at = 0;
  try {
    while (reader.next()) {
      if (!tables.read_field(reader)) {
        diagnostics.count(kBadMessage, static_cast<std::int64_t>(at));
      }
      at = bytes.size() - reader.length();
    }
  } catch (const protozero::exception&) {
    diagnostics.count(profile_diagnostic::kCutProfile, static_cast<std::int64_t>(at));
  }
  if (tables.two_profiles()) {
    return Error{.code = ErrorCode::damaged,
                 .text = "This file holds two profiles, one behind the other.",
                 .expected = "Write each to a file of its own."};
  }
  return out;
}

bool looks_like_profile(std::string_view head, bool is_whole) {
  bool has_type = false, has_more = false;
  protozero::pbf_reader reader = reader_of(head);
  try {
    while (reader.next()) {
      const std::uint32_t number = reader.tag();
      const auto type = reader.wire_type();
      const bool varint = type == protozero::pbf_wire_type::varint;
      const bool length = type == protozero::pbf_wire_type::length_delimited;
      if (!may_have_type(number, varint, length)) return false;
      has_more = has_more || number != 1;
      if (!length) {
        reader.skip();
        continue;
      }
      const std::string_view bytes = view_of(reader);
      const MessageShape* shape = shape_of_table(number);
      // Nested messages are whole here: what is wrong in them is no cut.
      try {
        if (shape != nullptr && !fits_shape(bytes, *shape)) return false;
        if (number == 1) {
          const std::uint64_t text = value_type(reader_of(bytes)).type;
          has_type = has_type || (text >= 1 && text <= 1 << 20);
        }
      } catch (const protozero::exception&) {
        return false;
      }
    }
  } catch (const protozero::end_of_buffer_exception&) {
    return has_type;  // what runs over the end is a field as well
  } catch (const protozero::exception&) {
    return false;
  }
  return has_type && (has_more || is_whole);
}

}  // namespace cinderscope::pprof
