// A file that appears under its name only once it is whole.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

#include "ingest/base/result.h"
#include "ingest/os/unique_fd.h"

namespace cinderscope {

// Written beside its place under another name, then renamed. Without commit() nothing is left.
class AtomicFile {
 public:
  static Result<AtomicFile> create(const std::filesystem::path& path);
  AtomicFile(AtomicFile&&) noexcept = default;
  AtomicFile& operator=(AtomicFile&&) = delete;
  ~AtomicFile();

  void append(std::span<const std::byte> bytes);  // trouble is kept for commit()
  bool ok() const { return error_ == 0; }
  Status commit();  // an older file of that name is replaced
  const std::filesystem::path& path() const { return path_; }

 private:
  AtomicFile(UniqueFd file, std::filesystem::path path, std::filesystem::path temporary)
      : file_(std::move(file)), path_(std::move(path)), temporary_(std::move(temporary)) {}
  void flush();

  UniqueFd file_;
  std::filesystem::path path_, temporary_;  // the latter empty once it is renamed
  std::vector<std::byte> pending_;
  int error_ = 0;
};

}  // namespace cinderscope
