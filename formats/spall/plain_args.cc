#include "formats/spall/plain_args.h"

#include "formats/spall/buffer_reader.h"
#include "formats/spall/flat_reader.h"
#include "formats/spall/pinned.h"

namespace cinderscope::spall {

std::optional<std::string_view> PlainArgs::of(RecordOffset record) {
  constexpr std::uint64_t kStretchBytes = 64 << 10;
  if (file_.buffers == nullptr) {
    text_ = flat_args(*file_.flat, input_, record);
    return text_;
  }
  const bool is_there = record >= pin_.begin() && record + kMostRecordBytes <= pin_.end();
  if (!is_there) pin_ = pinned(input_, record, kStretchBytes);
  return plain_buffer_args(*file_.buffers, pin_, record);
}

}  // namespace cinderscope::spall
