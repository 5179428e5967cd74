#include "app/session_file/session_path.h"

#include <array>
#include <filesystem>
#include <string_view>
#include <utility>

#include "app/store/state_files.h"
#include "ingest/base/path_text.h"
#include "ingest/input/archive.h"
#include "ingest/input/input.h"
#include "ingest/os/file.h"

namespace cinderscope {
namespace {

std::string head_of(const std::string& path) {
  std::error_code error;
  const UniqueFd file = open_to_read(path_of(path), error);
  const auto status = file ? file_status(file, error) : std::nullopt;
  if (!status || status->kind != FileKind::regular) return {};
  std::array<char, 256> head{};
  const std::size_t size = read_at(file, 0, std::as_writable_bytes(std::span(head)), error);
  return {head.data(), size};
}

Result<std::string> text_in_pack(const std::string& path) {
  const Result<Input> input = Input::from_path(path_of(path));
  if (!input) return input.error();
  if (input->wait_for(kLargestSession + 1) > kLargestSession) {
    return refused("A session has at most 64 MB.");
  }
  const Result<Pin> pin = input->pin_all();
  if (!pin) return pin.error();
  return std::string(pin->text());
}

}  // namespace

bool is_pack(const std::string& path) {
  if (path == "-") return false;
  const std::string head = head_of(path);
  if (!begins_as_zip(std::as_bytes(std::span(head)))) return false;
  const auto archive = Archive::open(path_of(path));
  return archive && (*archive)->file(kSessionInPack);
}

bool is_session_file(const std::string& path) {
  return path != "-" && (looks_like_session(head_of(path)) || is_pack(path));
}

std::string session_text_path(const std::string& path) {
  return is_pack(path) ? utf8_of(path_of(path) / path_of(kSessionInPack)) : path;
}

Result<ReadSession> read_session(const std::string& path) {
  ReadSession read{.text_path = session_text_path(path), .file = {}, .problems = {}};
  const bool packed = read.text_path != path;
  const Result<std::string> text =
      packed ? text_in_pack(read.text_path) : read_small_file(path, kLargestSession);
  if (!text) return text.error();
  if (text->empty()) {
    return Error{.code = ErrorCode::cannot_read,
                 .text = "The session is empty, or is not there.",
                 .expected = {}};
  }
  Result<SessionFile> file = session_from(*text);
  if (!file) return file.error();
  read.file = std::move(*file);
  const auto archive =
      packed ? Archive::open(path_of(path)) : Result<std::shared_ptr<const Archive>>(nullptr);
  if (archive && *archive != nullptr) read.problems = (*archive)->problems();
  return read;
}

}  // namespace cinderscope
