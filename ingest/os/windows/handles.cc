#include "ingest/os/windows/handles.h"

#include <io.h>
#include <windows.h>

#include <cerrno>

namespace cinderscope {

NativeHandle handle_of(const UniqueFd& file) {
  return reinterpret_cast<NativeHandle>(_get_osfhandle(file.get()));
}

UniqueFd descriptor_of(NativeHandle handle, int flags) {
  if (handle == INVALID_HANDLE_VALUE || handle == nullptr) return {};
  UniqueFd file(_open_osfhandle(reinterpret_cast<std::intptr_t>(handle), flags));
  if (!file) CloseHandle(handle);
  return file;
}

std::error_code last_windows_error() {
  return windows_error(GetLastError());
}

std::error_code windows_error(unsigned long code) {
  const auto number = [code] {
    switch (code) {
      case ERROR_SUCCESS:
        return 0;
      case ERROR_FILE_NOT_FOUND:
      case ERROR_PATH_NOT_FOUND:
      case ERROR_INVALID_NAME:
      case ERROR_BAD_NETPATH:
      case ERROR_INVALID_DRIVE:
        return ENOENT;
      case ERROR_ACCESS_DENIED:
      case ERROR_SHARING_VIOLATION:
      case ERROR_LOCK_VIOLATION:
      case ERROR_WRITE_PROTECT:
        return EACCES;
      case ERROR_FILE_EXISTS:
      case ERROR_ALREADY_EXISTS:
        return EEXIST;
      case ERROR_DISK_FULL:
      case ERROR_HANDLE_DISK_FULL:
        return ENOSPC;
      case ERROR_NOT_ENOUGH_MEMORY:
      case ERROR_OUTOFMEMORY:
      case ERROR_COMMITMENT_LIMIT:
        return ENOMEM;
      case ERROR_BROKEN_PIPE:
      case ERROR_NO_DATA:
      case ERROR_PIPE_NOT_CONNECTED:
        return EPIPE;
      case ERROR_INVALID_HANDLE:
        return EBADF;
      case ERROR_TOO_MANY_OPEN_FILES:
        return EMFILE;
      case ERROR_FILENAME_EXCED_RANGE:
      case ERROR_BUFFER_OVERFLOW:
        return ENAMETOOLONG;
      case ERROR_DIRECTORY:
        return ENOTDIR;
      case ERROR_DIR_NOT_EMPTY:
        return ENOTEMPTY;
      case ERROR_INVALID_PARAMETER:
        return EINVAL;
      case ERROR_NOT_SAME_DEVICE:
        return EXDEV;
      default:
        return EIO;
    }
  }();
  return {number, std::generic_category()};
}

}  // namespace cinderscope
