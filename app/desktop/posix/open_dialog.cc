#include "app/desktop/open_dialog.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <type_traits>
#include <utility>

#include "app/desktop/posix/file_portal.h"

extern char** environ;  // NOLINT(readability-identifier-naming): named by POSIX

namespace cinderscope {

namespace {

static_assert(std::is_same_v<pid_t, int>);

using Arguments = std::vector<std::string>;

std::string program_on_path(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  std::string folder;
  while (std::getline(folders, folder, ':')) {
    folder.append("/").append(name);
    if (access(folder.c_str(), X_OK) == 0) return folder;
  }
  return {};
}

Arguments open_command(const std::string& title) {
  for (const char* name : {"zenity", "qarma"}) {
    const std::string program = program_on_path(name);
    if (!program.empty()) {
      return {program, "--file-selection", "--multiple", "--separator=\n", "--title=" + title};
    }
  }
  const std::string kdialog = program_on_path("kdialog");
  if (kdialog.empty()) return {};
  return {kdialog, "--title", title, "--getopenfilename", "--multiple", "--separate-output", "."};
}

Arguments save_command(const std::string& title, const std::string& path) {
  for (const char* dialog : {"zenity", "qarma"}) {
    const std::string program = program_on_path(dialog);
    if (program.empty()) continue;
    return {program,
            "--file-selection",
            "--save",
            "--confirm-overwrite",
            "--title=" + title,
            "--filename=" + path};
  }
  const std::string kdialog = program_on_path("kdialog");
  if (kdialog.empty()) return {};
  return {kdialog, "--title", title, "--getsavefilename", path};
}

Arguments dialog_command(const FileQuestion& question) {
  return question.path.empty() ? open_command(question.title)
                               : save_command(question.title, question.path);
}

}  // namespace

// The portal's dialog, else a program's that is run for it.
struct OpenDialog::Impl {
  Impl() = default;
  ~Impl();
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  bool start(const Arguments& command);
  std::optional<FileAnswer> take_from_program();

  FilePortal portal;
  const bool has_program = !open_command("").empty();
  FileQuestion question;
  int child = -1;  // process id
  int output = -1;
  std::string text;
};

OpenDialog::Impl::~Impl() {
  if (child > 0) {
    kill(child, SIGTERM);
    waitpid(child, nullptr, 0);
  }
  if (output >= 0) close(output);
}

OpenDialog::OpenDialog() : impl_(std::make_unique<Impl>()) {}
OpenDialog::~OpenDialog() = default;

bool OpenDialog::there() const {
  return impl_->has_program || impl_->portal.found();
}

bool OpenDialog::open() const {
  return impl_->portal.open() || impl_->child > 0;
}

bool OpenDialog::ask(const FileQuestion& question) {
  if (open()) return true;
  impl_->question = question;
  if (!impl_->portal.found()) return impl_->start(dialog_command(question));
  impl_->portal.ask(question);
  return true;
}

bool OpenDialog::Impl::start(const Arguments& command) {
  if (command.empty()) return false;
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) return false;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string& argument : command)
    arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  const int failed =
      posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  output = ends[0];
  text.clear();
  if (failed == 0) return true;
  child = -1;
  close(output);
  output = -1;
  return false;
}

std::optional<FileAnswer> OpenDialog::take() {
  std::optional<FileAnswer> answer = impl_->portal.take();
  if (!answer) return impl_->take_from_program();
  // The portal could not ask after all.
  if (!answer->asked && impl_->start(dialog_command(impl_->question))) return std::nullopt;
  return answer;
}

std::optional<FileAnswer> OpenDialog::Impl::take_from_program() {
  if (child <= 0) return std::nullopt;
  std::array<char, 4096> piece{};
  ssize_t got = 0;
  while ((got = read(output, piece.data(), piece.size())) > 0) {
    text.append(piece.data(), static_cast<std::size_t>(got));
  }
  if (waitpid(child, nullptr, WNOHANG) == 0) return std::nullopt;
  while ((got = read(output, piece.data(), piece.size())) > 0) {
    text.append(piece.data(), static_cast<std::size_t>(got));
  }
  child = -1;
  close(output);
  output = -1;
  FileAnswer answer;
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line)) {
    if (!line.empty()) answer.paths.push_back(line);
  }
  return answer;
}

}  // namespace cinderscope
