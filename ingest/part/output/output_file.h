// Where a trace is written to: files that appear once all is whole, packed or not, or standard
// output.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "ingest/base/result.h"
#include "ingest/os/atomic_file.h"

namespace cinderscope {

enum class OutputPacking : std::uint8_t { none, gzip, zstd };

// Packs a stream of bytes; the same bytes give the same stream.
class StreamPacker;

// One file of an output. Bytes go to a file beside its place, or to standard output.
class OutputFile {
 public:
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void append(std::string_view bytes);
  // False once something could not be written: whoever has much to write ends then.
  bool ok() const;
  std::uint64_t bytes() const { return bytes_; }  // before packing

 private:
  friend class Output;
  OutputFile(std::optional<AtomicFile> file, OutputPacking packing);
  void put(std::string_view bytes);
  Status finish();  // all is packed; nothing appears yet

  std::optional<AtomicFile> file_;  // none: standard output
  std::unique_ptr<StreamPacker> packer_;
  std::uint64_t bytes_ = 0;
  std::uint64_t most_bytes_ = UINT64_MAX;  // else they go nowhere
  std::error_code error_;                  // beside that of the file
};

// What one run writes. Without commit() nothing is left.
class Output {
 public:
  // "-" is standard output.
  Output(std::filesystem::path path, OutputPacking packing)
      : path_(std::move(path)), packing_(packing) {}
  ~Output();
  Output(Output&&) = default;
  Output& operator=(Output&&) = delete;

  // Goes nowhere, and wants no more after about so many bytes.
  static Output measuring(std::uint64_t most_bytes, std::filesystem::path path = {});
  bool all_fitted() const { return bytes() < most_bytes_; }

  const std::filesystem::path& path() const { return path_; }
  bool is_stdout() const { return path_ == "-"; }
  std::uint64_t bytes() const;  // of all files, before packing
  // The file at path(); the same each time.
  Result<OutputFile*> file();
  // A file in the folder path(), which is made if it is not there.
  Result<OutputFile*> file_in_folder(const std::string& name);
  // All files appear, one after the other. Standard output closed by its reader is no Error.
  // `waits`: as of AtomicFile.
  Status commit(bool waits = true);

 private:
  Result<OutputFile*> open(const std::filesystem::path& path);

  std::filesystem::path path_;
  OutputPacking packing_;
  std::vector<std::unique_ptr<OutputFile>> files_;
  bool made_folder_ = false;
  std::uint64_t most_bytes_ = UINT64_MAX;  // else it goes nowhere
};

}  // namespace cinderscope
