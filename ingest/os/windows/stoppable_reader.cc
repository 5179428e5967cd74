#include "ingest/os/stoppable_reader.h"

#include <windows.h>

#include <algorithm>
#include <utility>

#include "ingest/os/file.h"
#include "ingest/os/windows/handles.h"

namespace cinderscope {
namespace {

constexpr DWORD kLookMs = 10;  // at whether bytes came, and whether to stop

}  // namespace

std::unique_ptr<StoppableReader> StoppableReader::create(UniqueFd source, std::error_code& error) {
  error.clear();
  return std::unique_ptr<StoppableReader>(new StoppableReader(std::move(source), {}));
}

std::size_t StoppableReader::read(std::span<std::byte> bytes, std::error_code& error) {
  error.clear();
  const auto most = static_cast<DWORD>(
      std::min<std::uint64_t>({bytes.size(), left_bytes_, std::uint64_t{1} << 30}));
  if (!wait_readable()) return 0;
  DWORD size = 0;
  if (ReadFile(handle_of(source_), bytes.data(), most, &size, nullptr) == 0) {
    const DWORD code = GetLastError();
    if (code != ERROR_HANDLE_EOF && code != ERROR_BROKEN_PIPE) error = windows_error(code);
    return 0;
  }
  if (left_bytes_ != UINT64_MAX) left_bytes_ -= size;
  return size;
}

void StoppableReader::stop() {
  stopping_ = true;
}

// A pipe cannot be waited for together with something else, so it is looked at again and again.
bool StoppableReader::wait_readable() const {
  const HANDLE source = handle_of(source_);
  if (GetFileType(source) != FILE_TYPE_PIPE) return !stopping_;
  while (!stopping_) {
    DWORD there = 0;
    if (PeekNamedPipe(source, nullptr, 0, nullptr, &there, nullptr) == 0) return true;  // its end
    if (there > 0) return true;
    Sleep(kLookMs);
  }
  return false;
}

}  // namespace cinderscope
