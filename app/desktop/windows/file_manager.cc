#include "app/desktop/file_manager.h"

#include <windows.h>
// After windows.h, which they need.
#include <shellapi.h>

#include "ingest/base/path_text.h"

namespace cinderscope {

bool has_file_manager() {
  return true;
}

// The Explorer takes the path apart by itself; '"' is in no name.
void show_in_folder(const std::string& path) {
  const std::wstring order = L"/select,\"" + path_of(path).make_preferred().native() + L"\"";
  ShellExecuteW(nullptr, L"open", L"explorer.exe", order.c_str(), nullptr, SW_SHOWNORMAL);
}

}  // namespace cinderscope
