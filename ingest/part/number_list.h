// A long list of numbers that is filled in order and then read: most of it lies on disk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "ingest/base/result.h"

namespace cinderscope {

class TemporaryFile;

// What was added last stays in memory, and what is taken off older numbers is put together there
// until that becomes too much. One thread.
class NumberList {
 public:
  static constexpr std::size_t kUsualWindow = 1u << 20;

  explicit NumberList(std::size_t window = kUsualWindow);  // so many in memory, at most
  ~NumberList();
  NumberList(const NumberList&) = delete;
  NumberList& operator=(const NumberList&) = delete;

  void add(std::int64_t number);
  void take_off(std::uint64_t at, std::int64_t amount);
  // Before reading. An Error: no temporary file could be written.
  Status finish();

  std::uint64_t size() const { return on_disk_ + window_.size(); }
  std::int64_t at(std::uint64_t at) const;

 private:
  void move_to_disk(std::size_t count);
  void take_off_on_disk();
  void write(std::uint64_t at, const std::int64_t* numbers, std::size_t count);

  std::size_t most_;
  std::unique_ptr<TemporaryFile> file_;  // null: none is needed yet
  std::uint64_t on_disk_ = 0;
  std::vector<std::int64_t> window_;                       // those behind
  std::unordered_map<std::uint64_t, std::int64_t> taken_;  // off numbers on disk
  Status status_ = ok();
};

}  // namespace cinderscope
