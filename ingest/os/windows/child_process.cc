#include "ingest/os/child_process.h"

#include <fmt/format.h>
#include <windows.h>

#include <utility>

#include "ingest/base/path_text.h"
#include "ingest/base/utf16.h"
#include "ingest/os/windows/handles.h"

namespace cinderscope {
namespace {

std::wstring wide(std::string_view text) {
  const std::u16string units = utf16_of(text);
  return {units.begin(), units.end()};
}

// As CommandLineToArgvW() takes it apart again.
std::wstring as_argument(std::wstring_view word) {
  if (!word.empty() && word.find_first_of(L" \t\n\v\"") == std::wstring_view::npos) {
    return std::wstring(word);
  }
  std::wstring out = L"\"";
  std::size_t slashes = 0;
  for (const wchar_t c : word) {
    if (c == L'"') out.append(slashes + 1, L'\\');
    slashes = c == L'\\' ? slashes + 1 : 0;
    out += c;
  }
  return out.append(slashes, L'\\') + L'"';
}

}  // namespace

std::string own_program() {
  return utf8_of(own_program_path());
}

std::filesystem::path own_program_path() {
  std::wstring name(32'768, L'\0');
  name.resize(GetModuleFileNameW(nullptr, name.data(), static_cast<DWORD>(name.size())));
  return name;
}

// Helpers, which only reading native symbols needs, are not to be had.
Result<ChildProcess> ChildProcess::start(const ChildOptions& options) {
  const auto failed = [&options](std::error_code error) {
    return Error{ErrorCode::cannot_read,
                 fmt::format("\"{}\" cannot be started: {}.", options.program, error.message()),
                 {}};
  };
  if (options.helper) return failed(std::make_error_code(std::errc::function_not_supported));
  std::wstring line = as_argument(path_of(options.program).native());
  for (std::size_t i = 1; i < options.arguments.size(); ++i) {
    line += L' ' + as_argument(wide(options.arguments[i]));
  }
  for (const std::string& change : options.environment) {
    const std::size_t equals = change.find('=');
    const bool set = equals != std::string::npos;
    SetEnvironmentVariableW(wide(change.substr(0, equals)).c_str(),
                            set ? wide(change.substr(equals + 1)).c_str() : nullptr);
  }
  STARTUPINFOW start{};
  start.cb = sizeof start;
  PROCESS_INFORMATION made{};
  if (CreateProcessW(nullptr, line.data(), nullptr, nullptr, FALSE, 0, nullptr, nullptr, &start,
                     &made) == 0) {
    return failed(last_windows_error());
  }
  CloseHandle(made.hThread);
  CloseHandle(made.hProcess);
  return ChildProcess(made.dwProcessId, {});
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : id_(std::exchange(other.id_, 0)),
      stream_(std::move(other.stream_)),
      status_(std::exchange(other.status_, std::nullopt)) {}

ChildProcess::~ChildProcess() = default;

void ChildProcess::end() {
  const HANDLE process = OpenProcess(PROCESS_TERMINATE, FALSE, static_cast<DWORD>(id_));
  if (process == nullptr) return;
  TerminateProcess(process, 1);
  CloseHandle(process);
}

std::optional<int> ChildProcess::status() {
  if (status_ || id_ == 0) return status_;
  const HANDLE process =
      OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE, static_cast<DWORD>(id_));
  DWORD code = 1;  // of one that has gone
  if (process != nullptr) GetExitCodeProcess(process, &code);
  if (process != nullptr) CloseHandle(process);
  if (code != STILL_ACTIVE) status_ = static_cast<int>(code);
  return status_;
}

int ChildProcess::wait() {
  const HANDLE process =
      OpenProcess(SYNCHRONIZE | PROCESS_QUERY_LIMITED_INFORMATION, FALSE, static_cast<DWORD>(id_));
  DWORD code = 1;
  if (process != nullptr) {
    WaitForSingleObject(process, INFINITE);
    GetExitCodeProcess(process, &code);
    CloseHandle(process);
  }
  if (!status_) status_ = static_cast<int>(code);
  return *status_;
}

Result<std::string> ChildProcess::talk(std::string_view, std::uint64_t, const std::atomic<bool>&) {
  return Error{ErrorCode::cannot_read, "Helpers cannot be started on Windows.", {}};
}

void limit_this_process(std::uint64_t, std::uint64_t) {}

}  // namespace cinderscope
