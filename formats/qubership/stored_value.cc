#include "formats/qubership/stored_value.h"

#include "formats/qubership/wire_cursor.h"

namespace cinderscope::qubership {

std::optional<WireText> stored_value(const StreamStore& store, ValueKind kind, std::uint32_t file,
                                     std::uint32_t offset) {
  const Stream stream = kind == ValueKind::shared ? Stream::sql : Stream::xml;
  const StreamFile* holder = store.find(stream, file);
  if (holder == nullptr || offset >= holder->size()) return std::nullopt;
  WireCursor in(store.bytes(*holder), offset);
  const WireText text = in.text();
  return in.cut() ? std::nullopt : std::optional(text);
}

std::uint64_t count_values(const StreamStore& store, Stream stream) {
  std::uint64_t count = 0;
  for (const StreamFile& file : store.files()) {
    if (file.stream != stream) continue;
    WireCursor in(store.bytes(file));
    while (!in.at_end()) {
      static_cast<void>(in.text());
      count += in.cut() ? 0 : 1;
    }
  }
  return count;
}

}  // namespace cinderscope::qubership
