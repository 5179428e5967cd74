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

OpenDialog::OpenDialog() : has_program_(!open_command("").empty()) {}

OpenDialog::~OpenDialog() {
  if (child_ > 0) {
    kill(child_, SIGTERM);
    waitpid(child_, nullptr, 0);
  }
  if (output_ >= 0) close(output_);
}

bool OpenDialog::ask(const FileQuestion& question) {
  if (open()) return true;
  question_ = question;
  if (!portal_.found()) return start(dialog_command(question));
  portal_.ask(question);
  return true;
}

bool OpenDialog::start(const Arguments& command) {
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
      posix_spawn(&child_, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  output_ = ends[0];
  text_.clear();
  if (failed == 0) return true;
  child_ = -1;
  close(output_);
  output_ = -1;
  return false;
}

std::optional<FileAnswer> OpenDialog::take() {
  std::optional<FileAnswer> answer = portal_.take();
  if (!answer) return take_from_program();
  // The portal could not ask after all.
  if (!answer->asked && start(dialog_command(question_))) return std::nullopt;
  return answer;
}

std::optional<FileAnswer> OpenDialog::take_from_program() {
  if (child_ <= 0) return std::nullopt;
  std::array<char, 4096> piece{};
  ssize_t got = 0;
  while ((got = read(output_, piece.data(), piece.size())) > 0) {
    text_.append(piece.data(), static_cast<std::size_t>(got));
  }
  if (waitpid(child_, nullptr, WNOHANG) == 0) return std::nullopt;
  while ((got = read(output_, piece.data(), piece.size())) > 0) {
    text_.append(piece.data(), static_cast<std::size_t>(got));
  }
  child_ = -1;
  close(output_);
  output_ = -1;
  FileAnswer answer;
  std::istringstream lines(text_);
  std::string line;
  while (std::getline(lines, line)) {
    if (!line.empty()) answer.paths.push_back(line);
  }
  return answer;
}

}  // namespace cinderscope
