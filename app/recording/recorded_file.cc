#include "app/recording/recorded_file.h"

#include <cstddef>
#include <system_error>
#include <utility>

#include "formats/thread_stream/chunk_walk.h"
#include "ingest/base/path_text.h"

namespace cinderscope {

RecordedFile::RecordedFile(std::string path)
    : path_(std::move(path)), before_(file_status(path_of(path_))) {}

bool RecordedFile::there() const {
  const auto now = file_status(path_of(path_));
  return now && now != before_ && now->size_bytes >= thread_stream::kHeaderBytes;
}

bool RecordedFile::can_be_shown() const {
  if (!there()) return false;
  std::error_code error;
  const UniqueFd file = open_to_read(path_of(path_), error);
  std::byte head[thread_stream::kHeaderBytes];
  if (!file || read_at(file, 0, head, error) != sizeof head) return false;
  if (!thread_stream::has_magic(head)) return false;
  const Result<thread_stream::FileHeader> header = thread_stream::read_file_header(head);
  if (!header) return false;
  const bool live = (header->flags & thread_stream::kLive) != 0;
  const auto now = file_status(file, error);
  return live || (now && now->size_bytes > thread_stream::kHeaderBytes && !locked_by_other(file));
}

}  // namespace cinderscope
