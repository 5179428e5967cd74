#include "app/desktop/posix/file_portal.h"

#include <utility>

#ifdef CINDERSCOPE_DBUS

#include <dbus/dbus.h>

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <string_view>
#include <thread>

#include "app/desktop/file_uri.h"
#include "app/desktop/posix/session_bus.h"
#include "ingest/base/parallel.h"
#include "ingest/base/path_text.h"

namespace cinderscope {
namespace {

using Message = SessionBus::Message;

constexpr const char* kPortal = "org.freedesktop.portal.Desktop";
constexpr const char* kPortalPath = "/org/freedesktop/portal/desktop";
constexpr const char* kChooser = "org.freedesktop.portal.FileChooser";
constexpr const char* kRequest = "org.freedesktop.portal.Request";
constexpr std::size_t kMostFiles = 10'000;

// Members of the dictionary {text: anything} that a portal takes and gives.
class Options {
 public:
  explicit Options(DBusMessageIter& arguments) : arguments_(arguments) {
    dbus_message_iter_open_container(&arguments_, DBUS_TYPE_ARRAY, "{sv}", &entries_);
  }
  ~Options() { dbus_message_iter_close_container(&arguments_, &entries_); }
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;

  void add(const char* key, const std::string& text) {
    const char* value = text.c_str();
    if (!dbus_validate_utf8(value, nullptr)) return;
    add(key, DBUS_TYPE_STRING_AS_STRING, [&](DBusMessageIter& variant) {
      dbus_message_iter_append_basic(&variant, DBUS_TYPE_STRING, &value);
    });
  }
  void add(const char* key, bool on) {
    const dbus_bool_t value = on ? TRUE : FALSE;
    add(key, DBUS_TYPE_BOOLEAN_AS_STRING, [&](DBusMessageIter& variant) {
      dbus_message_iter_append_basic(&variant, DBUS_TYPE_BOOLEAN, &value);
    });
  }
  void add_bytes(const char* key, const std::string& path) {
    add(key, "ay", [&](DBusMessageIter& variant) {
      DBusMessageIter bytes;
      const char* data = path.c_str();
      dbus_message_iter_open_container(&variant, DBUS_TYPE_ARRAY, DBUS_TYPE_BYTE_AS_STRING, &bytes);
      dbus_message_iter_append_fixed_array(&bytes, DBUS_TYPE_BYTE, &data,
                                           static_cast<int>(path.size() + 1));
      dbus_message_iter_close_container(&variant, &bytes);
    });
  }

 private:
  template <class Append>
  void add(const char* key, const char* type, const Append& append) {
    DBusMessageIter entry, variant;
    dbus_message_iter_open_container(&entries_, DBUS_TYPE_DICT_ENTRY, nullptr, &entry);
    dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &key);
    dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, type, &variant);
    append(variant);
    dbus_message_iter_close_container(&entry, &variant);
    dbus_message_iter_close_container(&entries_, &entry);
  }

  DBusMessageIter& arguments_;
  DBusMessageIter entries_;
};

Message dialog_call(const FileQuestion& question) {
  const bool saves = !question.path.empty();
  Message message =
      SessionBus::method_call(kPortal, kPortalPath, kChooser, saves ? "SaveFile" : "OpenFile");
  if (message == nullptr) return nullptr;
  DBusMessageIter arguments;
  dbus_message_iter_init_append(message.get(), &arguments);
  const char* window = question.window.c_str();
  const char* title =
      dbus_validate_utf8(question.title.c_str(), nullptr) ? question.title.c_str() : "";
  dbus_message_iter_append_basic(&arguments, DBUS_TYPE_STRING, &window);
  dbus_message_iter_append_basic(&arguments, DBUS_TYPE_STRING, &title);
  Options options(arguments);
  if (saves) {
    const std::filesystem::path path = path_of(question.path);
    options.add("current_name", utf8_of(path.filename()));
    if (path.has_parent_path()) options.add_bytes("current_folder", utf8_of(path.parent_path()));
  } else {
    options.add("multiple", true);
  }
  return message;
}

// The texts of the dictionary's member "uris" as paths.
std::vector<std::string> chosen_paths(DBusMessageIter& results) {
  std::vector<std::string> paths;
  if (dbus_message_iter_get_arg_type(&results) != DBUS_TYPE_ARRAY) return paths;
  DBusMessageIter entry;
  for (dbus_message_iter_recurse(&results, &entry);
       dbus_message_iter_get_arg_type(&entry) == DBUS_TYPE_DICT_ENTRY;
       dbus_message_iter_next(&entry)) {
    DBusMessageIter member, variant, uri;
    const char* text = nullptr;
    dbus_message_iter_recurse(&entry, &member);
    if (dbus_message_iter_get_arg_type(&member) != DBUS_TYPE_STRING) continue;
    dbus_message_iter_get_basic(&member, &text);
    if (std::string_view(text) != "uris" || !dbus_message_iter_next(&member)) continue;
    if (dbus_message_iter_get_arg_type(&member) != DBUS_TYPE_VARIANT) continue;
    dbus_message_iter_recurse(&member, &variant);
    if (dbus_message_iter_get_arg_type(&variant) != DBUS_TYPE_ARRAY) continue;
    for (dbus_message_iter_recurse(&variant, &uri);
         dbus_message_iter_get_arg_type(&uri) == DBUS_TYPE_STRING && paths.size() < kMostFiles;
         dbus_message_iter_next(&uri)) {
      dbus_message_iter_get_basic(&uri, &text);
      if (auto path = path_of_file_uri(text)) paths.push_back(std::move(*path));
    }
  }
  return paths;
}

// Null: it is no Response.
std::optional<FileAnswer> response_of(DBusMessage* message) {
  constexpr dbus_uint32_t kChosen = 0, kCancelled = 1;
  DBusMessageIter arguments;
  if (!dbus_message_iter_init(message, &arguments)) return std::nullopt;
  if (dbus_message_iter_get_arg_type(&arguments) != DBUS_TYPE_UINT32) return std::nullopt;
  dbus_uint32_t code = 0;
  dbus_message_iter_get_basic(&arguments, &code);
  FileAnswer answer;
  answer.asked = code == kChosen || code == kCancelled;
  if (code == kChosen && dbus_message_iter_next(&arguments)) {
    answer.paths = chosen_paths(arguments);
  }
  return answer;
}

FileAnswer answer_by_portal(const FileQuestion& question, const std::atomic<bool>& stop) {
  FileAnswer nobody{{}, false};
  SessionBus bus(stop);
  if (!bus.connected()) return nobody;
  bus.listen(
      "type='signal',sender='org.freedesktop.portal.Desktop',"
      "interface='org.freedesktop.portal.Request',member='Response'");
  bus.listen(
      "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',"
      "member='NameOwnerChanged',arg0='org.freedesktop.portal.Desktop'");
  const Message opened = bus.call(dialog_call(question));
  const char* handle = nullptr;
  if (opened == nullptr || !dbus_message_get_args(opened.get(), nullptr, DBUS_TYPE_OBJECT_PATH,
                                                  &handle, DBUS_TYPE_INVALID)) {
    return nobody;
  }
  // Who opened the dialog answers, and nobody else: any program of the session can send to this
  // one.
  const std::string portal = dbus_message_get_sender(opened.get());
  while (const Message next = bus.wait()) {
    if (dbus_message_is_signal(next.get(), SessionBus::kName, "NameOwnerChanged") &&
        dbus_message_has_sender(next.get(), SessionBus::kName)) {
      return nobody;  // the portal is gone, and the dialog with it
    }
    const bool meant = dbus_message_is_signal(next.get(), kRequest, "Response") &&
                       dbus_message_has_sender(next.get(), portal.c_str()) &&
                       dbus_message_has_path(next.get(), handle);
    if (!meant) continue;
    return response_of(next.get()).value_or(nobody);
  }
  return nobody;
}

// A desktop may have a portal without a chooser of files.
bool portal_chooses_files(const std::atomic<bool>& stop) {
  SessionBus bus(stop);
  if (!bus.connected()) return false;
  Message message =
      SessionBus::method_call(kPortal, kPortalPath, "org.freedesktop.DBus.Properties", "Get");
  if (message == nullptr) return false;
  const char* property = "version";
  dbus_message_append_args(message.get(), DBUS_TYPE_STRING, &kChooser, DBUS_TYPE_STRING, &property,
                           DBUS_TYPE_INVALID);
  return bus.call(std::move(message)) != nullptr;
}

}  // namespace

struct FilePortal::Impl {
  std::atomic<bool> stop{false}, found{false};
  std::mutex mutex;
  std::condition_variable changed;
  std::optional<FileQuestion> question;
  std::optional<FileAnswer> answer;
  bool open = false;
  std::thread thread;  // last: it works with all of these

  void run() {
    found = portal_chooses_files(stop);
    std::unique_lock lock(mutex);
    for (;;) {
      changed.wait(lock, [this] { return stop || question; });
      if (stop) return;
      const FileQuestion asked = *std::exchange(question, std::nullopt);
      lock.unlock();
      FileAnswer given = answer_by_portal(asked, stop);
      lock.lock();
      answer = std::move(given);
    }
  }
};

FilePortal::FilePortal() : impl_(std::make_unique<Impl>()) {
  if (SessionBus::address().empty()) return;
  impl_->thread = started_thread([impl = impl_.get()] { impl->run(); });
}

FilePortal::~FilePortal() {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->stop = true;
  }
  impl_->changed.notify_all();
  if (impl_->thread.joinable()) impl_->thread.join();
}

bool FilePortal::found() const {
  return impl_->found;
}

bool FilePortal::open() const {
  return impl_->open;
}

void FilePortal::ask(FileQuestion question) {
  if (!impl_->found || impl_->open) return;
  impl_->open = true;
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->question = std::move(question);
  }
  impl_->changed.notify_all();
}

std::optional<FileAnswer> FilePortal::take() {
  const std::lock_guard lock(impl_->mutex);
  if (impl_->answer) impl_->open = false;
  return std::exchange(impl_->answer, std::nullopt);
}

}  // namespace cinderscope

#else

namespace cinderscope {

struct FilePortal::Impl {};
FilePortal::FilePortal() = default;
FilePortal::~FilePortal() = default;
bool FilePortal::found() const {
  return false;
}
void FilePortal::ask(FileQuestion) {}
bool FilePortal::open() const {
  return false;
}
std::optional<FileAnswer> FilePortal::take() {
  return std::nullopt;
}

}  // namespace cinderscope

#endif
