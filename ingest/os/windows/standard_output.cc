#include "ingest/os/standard_output.h"

#include <windows.h>

#include <algorithm>

#include "ingest/os/windows/handles.h"

namespace cinderscope {
namespace {

bool is_console(DWORD which) {
  DWORD mode = 0;
  return GetConsoleMode(GetStdHandle(which), &mode) != 0;
}

}  // namespace

void write_standard_output(std::string_view bytes, std::error_code& error) {
  error.clear();
  while (!bytes.empty()) {
    DWORD written = 0;
    const auto most = static_cast<DWORD>(std::min(bytes.size(), std::size_t{1} << 20));
    if (WriteFile(GetStdHandle(STD_OUTPUT_HANDLE), bytes.data(), most, &written, nullptr) == 0) {
      error = last_windows_error();
      return;
    }
    if (written == 0) {
      error = std::make_error_code(std::errc::no_space_on_device);
      return;
    }
    bytes.remove_prefix(written);
  }
}

bool output_is_terminal() {
  return is_console(STD_OUTPUT_HANDLE);
}

bool error_is_terminal() {
  return is_console(STD_ERROR_HANDLE);
}

}  // namespace cinderscope
