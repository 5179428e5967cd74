#include "ingest/part/output/spill.h"

#include <span>
#include <system_error>
#include <utility>

#include "ingest/os/temporary_file.h"

namespace cinderscope {

Spill::Spill() = default;
Spill::~Spill() = default;

Result<Spill::Piece> Spill::put(std::string_view bytes) {
  if (file_ == nullptr) {
    Result<std::unique_ptr<TemporaryFile>> made = TemporaryFile::create();
    if (!made) return made.error();
    file_ = std::move(*made);
  }
  const Piece piece{used_, bytes.size()};
  std::error_code error;
  if (used_ + bytes.size() > file_->size_bytes()) error = file_->lengthen(used_ + bytes.size());
  if (!error) file_->write(used_, std::as_bytes(std::span(bytes)), error);
  if (error) {
    return Error{ErrorCode::cannot_read,
                 "A temporary file cannot be written: " + error.message() + ".",
                 {},
                 kNoOffset};
  }
  used_ += bytes.size();
  return piece;
}

std::string_view Spill::get(const Piece& piece) const {
  return {reinterpret_cast<const char*>(file_->data() + piece.offset), piece.bytes};
}

}  // namespace cinderscope
