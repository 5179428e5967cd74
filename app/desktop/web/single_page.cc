// What a desktop has around windows, and a page has not.
#include "app/desktop/file_manager.h"
#include "app/desktop/single_instance.h"

namespace cinderscope {

bool has_file_manager() {
  return false;
}

void show_in_folder(const std::string& /*path*/) {}

std::string hand_over_folder() {
  return {};
}

std::string this_screen() {
  return {};
}

bool hand_over(const std::string&, const std::string&, const std::vector<std::string>&) {
  return false;
}

bool session_is_open(const std::string&, const std::string&, const std::string&) {
  return false;
}

struct SingleInstanceListener::Impl {
  std::string path;
};

SingleInstanceListener::SingleInstanceListener(const std::string&, const std::string&,
                                               std::function<void()>)
    : impl_(std::make_unique<Impl>()) {}
SingleInstanceListener::~SingleInstanceListener() = default;

bool SingleInstanceListener::listening() const {
  return false;
}

const std::string& SingleInstanceListener::path() const {
  return impl_->path;
}

void SingleInstanceListener::hold_session(std::string) {}

std::vector<std::vector<std::string>> SingleInstanceListener::take() {
  return {};
}

}  // namespace cinderscope
