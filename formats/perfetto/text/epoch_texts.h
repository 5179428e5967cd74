// What the interned ids of one packet mean.
#pragma once

#include <cstdint>
#include <string>

#include "formats/perfetto/state/interned.h"

namespace cinderscope::perfetto {

class EpochTexts {
 public:
  // `epoch` null: nothing is known. Entries count that lie before `end` of the packet.
  EpochTexts(const PacketBytes& bytes, const Epoch* epoch, std::uint64_t end)
      : bytes_(&bytes), epoch_(epoch), end_(end) {}

  // The entry; empty if there is none.
  std::string entry(std::uint32_t field, std::uint64_t iid) const;
  // Its text, or "#iid".
  std::string text(std::uint32_t field, std::uint64_t iid) const;
  // "function (file:line)" of a source location.
  std::string location(std::uint64_t iid) const;
  // The functions of a callstack, outermost first.
  std::vector<std::string> callstack(std::uint64_t iid) const;

 private:
  std::string frame(std::uint64_t iid) const;

  const PacketBytes* bytes_;
  const Epoch* epoch_;
  std::uint64_t end_;
};

// "function (file:line)" of a SourceLocation or a frame that is written out.
std::string location_text(std::string_view message, std::uint32_t file_field,
                          std::uint32_t function_field, std::uint32_t line_field);

}  // namespace cinderscope::perfetto
