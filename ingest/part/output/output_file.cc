#include "ingest/part/output/output_file.h"

#include <fmt/format.h>

#include <system_error>
#include <utility>

#include "ingest/base/path_text.h"
#include "ingest/os/standard_output.h"
#include "ingest/part/output/stream_packer.h"

namespace cinderscope {

OutputFile::OutputFile(std::optional<AtomicFile> file, OutputPacking packing)
    : file_(std::move(file)), packer_(stream_packer(packing)) {}

OutputFile::~OutputFile() = default;

void OutputFile::append(std::string_view bytes) {
  if (!ok()) return;
  bytes_ += bytes.size();
  if (packer_ == nullptr) {
    put(bytes);
  } else if (!packer_->add(bytes, [this](std::string_view packed) { put(packed); })) {
    error_ = std::make_error_code(std::errc::not_enough_memory);
  }
}

bool OutputFile::ok() const {
  return !error_ && (!file_ || file_->ok()) && bytes_ < most_bytes_;
}

void OutputFile::put(std::string_view bytes) {
  if (error_ || most_bytes_ != UINT64_MAX) return;
  if (file_) {
    file_->append(bytes);
  } else {
    write_standard_output(bytes, error_);
  }
}

Status OutputFile::finish() {
  if (packer_ != nullptr && ok() &&
      !packer_->finish([this](std::string_view packed) { put(packed); })) {
    error_ = std::make_error_code(std::errc::not_enough_memory);
  }
  if (!error_ || error_ == std::errc::broken_pipe) return cinderscope::ok();
  return Error{
      ErrorCode::cannot_read,
      fmt::format("{} cannot be written: {}.",
                  file_ ? fmt::format("\"{}\"", utf8_of(file_->path())) : "Standard output",
                  error_.message()),
      {}};
}

Output::~Output() {
  files_.clear();  // before the folder that they lie in
  std::error_code is_not_empty;
  if (made_folder_) std::filesystem::remove(path_, is_not_empty);
}

Result<OutputFile*> Output::open(const std::filesystem::path& path) {
  std::optional<AtomicFile> file;
  if (!is_stdout() && most_bytes_ == UINT64_MAX) {
    const std::filesystem::path folder = path.parent_path();
    std::error_code unknown;
    if (!folder.empty() && !std::filesystem::is_directory(folder, unknown)) {
      return Error{
          ErrorCode::cannot_read, fmt::format("There is no folder \"{}\".", utf8_of(folder)), {}};
    }
    Result<AtomicFile> created = AtomicFile::create(path);
    if (!created) return created.error();
    file.emplace(std::move(*created));
  }
  files_.push_back(std::unique_ptr<OutputFile>(new OutputFile(std::move(file), packing_)));
  files_.back()->most_bytes_ = most_bytes_;
  return files_.back().get();
}

Output Output::measuring(std::uint64_t most_bytes, std::filesystem::path path) {
  Output output(std::move(path), OutputPacking::none);
  output.most_bytes_ = most_bytes;
  return output;
}

Result<OutputFile*> Output::file() {
  if (!files_.empty()) return files_.front().get();
  return open(path_);
}

Result<OutputFile*> Output::file_in_folder(const std::string& name) {
  if (most_bytes_ != UINT64_MAX) return open(path_);
  std::error_code error;
  if (!std::filesystem::is_directory(path_, error)) {
    made_folder_ = std::filesystem::create_directory(path_, error);
    if (!made_folder_) {
      return Error{
          ErrorCode::cannot_read,
          fmt::format("The folder \"{}\" cannot be made: {}.", utf8_of(path_), error.message()),
          {}};
    }
  }
  return open(path_ / path_of(name));
}

std::uint64_t Output::bytes() const {
  std::uint64_t bytes = 0;
  for (const auto& file : files_) bytes += file->bytes();
  return bytes;
}

Status Output::commit(bool waits) {
  for (const auto& file : files_) {
    if (Status status = file->finish(); !status) return status;
  }
  for (const auto& file : files_) {
    if (!file->file_) continue;
    if (Status status = file->file_->commit(waits); !status) return status;
  }
  made_folder_ = false;
  return ok();
}

}  // namespace cinderscope
