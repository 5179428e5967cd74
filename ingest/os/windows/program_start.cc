#include "ingest/os/program_start.h"

#include <windows.h>
// After windows.h, which it needs.
#include <shellapi.h>

#include <cstdio>
#include <cstdlib>

#include "ingest/base/utf16.h"

namespace cinderscope {
namespace {

UINT g_code_page_before = 0;

bool leads_somewhere(DWORD which) {
  const HANDLE handle = GetStdHandle(which);
  return handle != nullptr && handle != INVALID_HANDLE_VALUE &&
         GetFileType(handle) != FILE_TYPE_UNKNOWN;
}

void lead_to_console(DWORD which, std::FILE* stream) {
  if (std::freopen("CONOUT$", "w", stream) == nullptr) return;
  SetStdHandle(which,
               CreateFileW(L"CONOUT$", GENERIC_READ | GENERIC_WRITE,
                           FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr, OPEN_EXISTING, 0, nullptr));
}

}  // namespace

void open_console() {
  const bool has_output = leads_somewhere(STD_OUTPUT_HANDLE),
             has_error = leads_somewhere(STD_ERROR_HANDLE);
  if (has_output && has_error) return;
  if (AttachConsole(ATTACH_PARENT_PROCESS) == 0) return;
  if (!has_output) lead_to_console(STD_OUTPUT_HANDLE, stdout);
  if (!has_error) lead_to_console(STD_ERROR_HANDLE, stderr);
  // The console stays when the program has gone, and belongs to others.
  g_code_page_before = GetConsoleOutputCP();
  SetConsoleOutputCP(CP_UTF8);
  std::atexit([] { SetConsoleOutputCP(g_code_page_before); });
}

// main() is given what the user's code page has of the words.
std::vector<std::string> program_arguments(int argc, char** argv) {
  int count = 0;
  wchar_t** const words = CommandLineToArgvW(GetCommandLineW(), &count);
  if (words == nullptr) return {argv, argv + argc};
  std::vector<std::string> arguments;
  for (int i = 0; i < count; ++i) {
    const std::wstring_view word = words[i];
    arguments.push_back(utf8_of_utf16(std::u16string(word.begin(), word.end())));
  }
  LocalFree(words);
  return arguments;
}

}  // namespace cinderscope
