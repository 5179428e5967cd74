// The program among those of "Open with", for this user. No type is taken from another program:
// what opens a file by a double click stays as it is, and where nothing does, Windows offers this
// one.
#include "app/desktop/desktop_commands.h"

#include <windows.h>
// After windows.h, which it needs.
#include <shlobj.h>

#include <algorithm>
#include <array>
#include <system_error>

#include "ingest/base/path_text.h"
#include "ingest/os/child_process.h"

namespace cinderscope {
namespace {

constexpr const wchar_t* kProgram = L"Software\\Classes\\Applications\\cinderscope.exe";
constexpr const wchar_t* kTrace = L"Software\\Classes\\Cinderscope.Trace";
constexpr const wchar_t* kTraceName = L"Cinderscope.Trace";
// Windows knows a file by what follows the last dot alone.
constexpr std::array kOfTraces = {
    L".spall",       L".tsd",    L".cinder",    L".cinderpack", L".pftrace",    L".perfetto-trace",
    L".packedtrace", L".folded", L".collapsed", L".pprof",      L".cpuprofile", L".heapprofile"};
constexpr std::array kOfMuchElse = {L".json", L".gz", L".zst", L".lz4", L".flow"};

// Writes until the first that fails.
class Writer {
 public:
  void text(const std::wstring& key, const wchar_t* name, const std::wstring& value) {
    if (failed_ != ERROR_SUCCESS) return;
    const std::size_t bytes = (value.size() + 1) * sizeof(wchar_t);
    failed_ = RegSetKeyValueW(HKEY_CURRENT_USER, key.c_str(), name, REG_SZ, value.c_str(),
                              static_cast<DWORD>(bytes));
  }
  std::error_code error() const { return {static_cast<int>(failed_), std::system_category()}; }

 private:
  LSTATUS failed_ = ERROR_SUCCESS;
};

std::wstring offers_of(const wchar_t* extension) {
  return std::wstring(L"Software\\Classes\\") + extension + L"\\OpenWithProgids";
}

void write_opener(Writer& to, const std::wstring& key, const std::wstring& program) {
  to.text(key + L"\\DefaultIcon", nullptr, L"\"" + program + L"\",0");
  to.text(key + L"\\shell\\open\\command", nullptr, L"\"" + program + L"\" \"%1\"");
}

Result<std::string> offer_this_program() {
  const std::filesystem::path program = own_program_path();
  Writer to;
  to.text(kProgram, L"FriendlyAppName", L"Cinderscope");
  write_opener(to, kProgram, program.native());
  to.text(kTrace, nullptr, L"Call trace");
  write_opener(to, kTrace, program.native());
  const std::wstring types = std::wstring(kProgram) + L"\\SupportedTypes";
  for (const wchar_t* extension : kOfTraces) {
    to.text(types, extension, L"");
    to.text(offers_of(extension), kTraceName, L"");
  }
  for (const wchar_t* extension : kOfMuchElse) to.text(types, extension, L"");
  if (to.error()) {
    return refused("The registry cannot be written: " + to.error().message() + ".");
  }
  SHChangeNotify(SHCNE_ASSOCCHANGED, SHCNF_IDLIST, nullptr, nullptr);
  return "\"Open with\" lists " + utf8_of(program) + " for traces.";
}

Result<std::string> offer_it_no_more() {
  const auto is_gone = [](LSTATUS status) {
    return status == ERROR_SUCCESS || status == ERROR_FILE_NOT_FOUND;
  };
  bool all = true;
  for (const wchar_t* key : {kProgram, kTrace}) {
    all = is_gone(RegDeleteTreeW(HKEY_CURRENT_USER, key)) && all;
  }
  for (const wchar_t* extension : kOfTraces) {
    const std::wstring offers = offers_of(extension);
    all = is_gone(RegDeleteKeyValueW(HKEY_CURRENT_USER, offers.c_str(), kTraceName)) && all;
  }
  if (!all) return refused("Not all could be removed from the registry.");
  SHChangeNotify(SHCNE_ASSOCCHANGED, SHCNF_IDLIST, nullptr, nullptr);
  return std::string("\"Open with\" no longer lists Cinderscope.");
}

}  // namespace

std::vector<DesktopCommand> desktop_commands() {
  return {{"register", "list this program under \"Open with\" for traces, for this user",
           offer_this_program},
          {"unregister", "undo what register did", offer_it_no_more}};
}

}  // namespace cinderscope
