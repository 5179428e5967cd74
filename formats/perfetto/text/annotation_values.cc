#include "formats/perfetto/text/annotation_values.h"

#include "formats/perfetto/wire/fields.h"

namespace cinderscope::perfetto {

std::string annotation_text(std::string_view annotation) {
  std::string_view text;
  FieldReader field(annotation);
  while (field.next()) {
    if (field.key() == bytes_field(6) || field.key() == bytes_field(9)) text = field.bytes();
    if (field.key() != bytes_field(8)) continue;
    FieldReader nested(field.bytes());
    while (nested.next()) {
      if (nested.key() == bytes_field(8)) text = nested.bytes();
    }
  }
  return std::string(text);
}

std::optional<double> annotation_number(std::string_view annotation) {
  std::optional<double> number;
  FieldReader field(annotation);
  while (field.next()) {
    switch (field.key()) {
      case number_field(2):
      case number_field(3):
        number = static_cast<double>(field.number());
        break;
      case number_field(4):
        number = static_cast<double>(field.signed_number());
        break;
      case fixed64_field(5):
        number = field.as_double();
        break;
      default:
        break;
    }
  }
  return number;
}

}  // namespace cinderscope::perfetto
