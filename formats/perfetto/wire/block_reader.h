// The packets of a block, one after another.
#pragma once

#include <cstdint>
#include <string_view>

#include "formats/perfetto/wire/fields.h"

namespace cinderscope::perfetto {

class BlockReader {
 public:
  // `bytes` are whole fields and begin at `address`.
  BlockReader(std::string_view bytes, std::uint64_t address)
      : fields_(bytes), begin_(bytes.data()), address_(address) {}

  // Other fields than packets are passed over.
  [[gnu::always_inline]] bool next() {
    while (fields_.next()) {
      if (fields_.key() == bytes_field(1)) return true;
    }
    return false;
  }
  std::uint64_t address() const {
    return address_ + static_cast<std::uint64_t>(fields_.begin() - begin_);
  }
  // Behind it.
  std::uint64_t end_address() const {
    return address_ + static_cast<std::uint64_t>(body().data() + body().size() - begin_);
  }
  const char* tag() const { return fields_.begin(); }
  std::string_view body() const { return fields_.bytes(); }

 private:
  FieldReader fields_;
  const char* begin_;
  std::uint64_t address_;
};

}  // namespace cinderscope::perfetto
