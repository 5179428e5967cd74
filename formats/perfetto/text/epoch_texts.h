// What the interned ids of one packet mean.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/perfetto/samples/module_symbols.h"
#include "formats/perfetto/state/interned.h"

namespace cinderscope::perfetto {

class EpochTexts {
 public:
  // `epoch` null: nothing is known. Entries count that lie before `end` of the packet. `symbols`
  // may be null.
  EpochTexts(const PacketBytes& bytes, const Epoch* epoch, std::uint64_t end,
             const ModuleSymbols* symbols = nullptr)
      : bytes_(&bytes), epoch_(epoch), end_(end), symbols_(symbols) {}

  // The entry; empty if there is none.
  std::string entry(std::uint32_t field, std::uint64_t iid) const;
  // Whether there is one, and it is written as `entry` is.
  bool is_entry(std::uint32_t field, std::uint64_t iid, std::string_view entry) const;
  // Its text, of which there may be too much, or "#iid".
  std::string text(std::uint32_t field, std::uint64_t iid,
                   std::size_t most_bytes = std::string::npos) const;
  // "function (file:line)" of a source location.
  std::string location(std::uint64_t iid) const;
  // The functions of a callstack, outermost first.
  std::vector<std::string> callstack(std::uint64_t iid) const;
  // The frames of an interned callstack, or of one that is written out: `stack`.
  std::vector<std::uint64_t> frame_ids(std::uint64_t iid) const;
  static std::vector<std::uint64_t> frame_ids_in(std::string_view stack);
  // The function of a frame, or what was inlined into what there, outermost first.
  std::vector<std::string> frame(std::uint64_t iid) const;

 private:
  Pin entry_at(std::uint32_t field, std::uint64_t iid) const;

  const PacketBytes* bytes_;
  const Epoch* epoch_;
  std::uint64_t end_;
  const ModuleSymbols* symbols_;
};

// "function (file:line)" of a SourceLocation or a frame that is written out.
std::string location_text(std::string_view message, std::uint32_t file_field,
                          std::uint32_t function_field, std::uint32_t line_field);

// The functions of an InlineCallstack, outermost first.
std::vector<std::string> inline_callstack(std::string_view stack);

}  // namespace cinderscope::perfetto
