#include "ingest/os/stoppable_reader.h"

#include <utility>

#include "ingest/os/file.h"

namespace cinderscope {

std::unique_ptr<StoppableReader> StoppableReader::of_part(UniqueFd file, std::uint64_t offset,
                                                          std::uint64_t most_bytes,
                                                          std::error_code& error) {
  go_to(file, offset, error);
  if (error) return nullptr;
  std::unique_ptr<StoppableReader> reader = create(std::move(file), error);
  if (reader) reader->left_bytes_ = most_bytes;
  return reader;
}

}  // namespace cinderscope
