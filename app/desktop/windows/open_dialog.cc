#include "app/desktop/open_dialog.h"

#include <windows.h>
// After windows.h, which they need.
#include <shlobj.h>
#include <shobjidl.h>

#include <atomic>
#include <filesystem>
#include <thread>
#include <utility>

#include "app/desktop/windows/wide_text.h"
#include "ingest/base/parallel.h"
#include "ingest/base/path_text.h"

namespace cinderscope {
namespace {

std::string path_of_item(IShellItem* item) {
  wchar_t* name = nullptr;
  if (item == nullptr || item->GetDisplayName(SIGDN_FILESYSPATH, &name) != S_OK) return {};
  const std::string path = utf8_of(std::filesystem::path() / name);
  CoTaskMemFree(name);
  return path;
}

void ask_to_open(IFileDialog& dialog, HWND owner, FileAnswer& answer) {
  auto& files = static_cast<IFileOpenDialog&>(dialog);
  files.SetOptions(FOS_FORCEFILESYSTEM | FOS_FILEMUSTEXIST | FOS_ALLOWMULTISELECT);
  IShellItemArray* items = nullptr;
  if (files.Show(owner) != S_OK || files.GetResults(&items) != S_OK) return;
  DWORD count = 0;
  items->GetCount(&count);
  for (DWORD i = 0; i < count; ++i) {
    IShellItem* item = nullptr;
    if (items->GetItemAt(i, &item) != S_OK) continue;
    if (std::string path = path_of_item(item); !path.empty()) answer.paths.push_back(path);
    item->Release();
  }
  items->Release();
}

void ask_to_save(IFileDialog& dialog, HWND owner, const std::string& offered, FileAnswer& answer) {
  const std::filesystem::path path = path_of(offered).make_preferred();
  dialog.SetOptions(FOS_FORCEFILESYSTEM | FOS_OVERWRITEPROMPT);
  dialog.SetFileName(path.filename().c_str());
  IShellItem* folder = nullptr;
  if (SHCreateItemFromParsingName(path.parent_path().c_str(), nullptr, __uuidof(IShellItem),
                                  reinterpret_cast<void**>(&folder)) == S_OK) {
    dialog.SetFolder(folder);
    folder->Release();
  }
  IShellItem* item = nullptr;
  if (dialog.Show(owner) != S_OK || dialog.GetResult(&item) != S_OK) return;
  if (std::string chosen = path_of_item(item); !chosen.empty()) answer.paths.push_back(chosen);
  item->Release();
}

FileAnswer answer_to(const FileQuestion& question, HWND owner) {
  FileAnswer answer{.paths = {}, .asked = false};
  if (FAILED(CoInitializeEx(nullptr, COINIT_APARTMENTTHREADED))) return answer;
  IFileDialog* dialog = nullptr;
  const bool opens = question.path.empty();
  const HRESULT made =
      opens ? CoCreateInstance(CLSID_FileOpenDialog, nullptr, CLSCTX_ALL, __uuidof(IFileOpenDialog),
                               reinterpret_cast<void**>(&dialog))
            : CoCreateInstance(CLSID_FileSaveDialog, nullptr, CLSCTX_ALL, __uuidof(IFileSaveDialog),
                               reinterpret_cast<void**>(&dialog));
  if (made == S_OK) {
    answer.asked = true;
    dialog->SetTitle(wide(question.title).c_str());
    if (opens) ask_to_open(*dialog, owner, answer);
    if (!opens) ask_to_save(*dialog, owner, question.path, answer);
    dialog->Release();
  }
  CoUninitialize();
  return answer;
}

}  // namespace

// On a thread of its own, which has the messages of the dialog.
struct OpenDialog::Impl {
  std::thread thread;
  std::atomic<bool> done{false};
  FileAnswer answer;  // the thread's until done
};

OpenDialog::OpenDialog() : impl_(std::make_unique<Impl>()) {}

OpenDialog::~OpenDialog() {
  if (impl_->thread.joinable()) impl_->thread.join();
}

bool OpenDialog::there() const {
  return true;
}

bool OpenDialog::open() const {
  return impl_->thread.joinable();
}

bool OpenDialog::ask(const FileQuestion& question) {
  if (open()) return true;
  impl_->done = false;
  impl_->thread = started_thread([impl = impl_.get(), question, owner = GetActiveWindow()] {
    impl->answer = answer_to(question, owner);
    impl->done = true;
  });
  return open();
}

std::optional<FileAnswer> OpenDialog::take() {
  if (!open() || !impl_->done) return std::nullopt;
  impl_->thread.join();
  impl_->thread = {};
  return std::exchange(impl_->answer, {});
}

}  // namespace cinderscope
