// Descriptors of the C library and the handles behind them; errors of Windows as those of POSIX.
#pragma once

#include <system_error>

#include "ingest/os/unique_fd.h"

namespace cinderscope {

using NativeHandle = void*;

// As on other systems, what is open here can be written, renamed and deleted: FILE_SHARE_READ,
// FILE_SHARE_WRITE and FILE_SHARE_DELETE.
inline constexpr unsigned long kSharedWithAll = 7;

NativeHandle handle_of(const UniqueFd& file);
// Takes the handle over; `flags` as for _open_osfhandle(). Empty for an invalid handle.
UniqueFd descriptor_of(NativeHandle handle, int flags);

// GetLastError(), or `code`, as an errno: texts of errors are the same on all systems then.
std::error_code last_windows_error();
std::error_code windows_error(unsigned long code);

}  // namespace cinderscope
