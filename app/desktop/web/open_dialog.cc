#include "app/desktop/open_dialog.h"

#include <emscripten.h>

#include <utility>

namespace cinderscope {

// The browser's own choice of files, which come as if they were dropped. What is to be written goes
// to the browser's downloads, under the name that is offered.
struct OpenDialog::Impl {
  bool there = false;
  std::optional<FileAnswer> answer;
};

OpenDialog::OpenDialog() : impl_(std::make_unique<Impl>()) {
  impl_->there = MAIN_THREAD_EM_ASM_INT({ return Module['askFiles'] ? 1 : 0; }) != 0;
}
OpenDialog::~OpenDialog() = default;

bool OpenDialog::there() const {
  return impl_->there;
}

bool OpenDialog::ask(const FileQuestion& question) {
  if (!impl_->there) return false;
  if (question.path.empty()) {
    MAIN_THREAD_ASYNC_EM_ASM({ Module['askFiles'](); });
    impl_->answer = FileAnswer{};
    return true;
  }
  const std::string name = question.path.substr(question.path.rfind('/') + 1);
  impl_->answer = FileAnswer{.paths = {"/downloads/" + name}};
  return true;
}

bool OpenDialog::open() const {
  return impl_->answer.has_value();
}

std::optional<FileAnswer> OpenDialog::take() {
  return std::exchange(impl_->answer, std::nullopt);
}

}  // namespace cinderscope
