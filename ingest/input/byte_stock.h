// Memory for bytes that are read again and again, as windows of a file are.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>

namespace cinderscope {

// Systems hand out long stretches of memory page by page, each zeroed, and take them back as soon
// as they are free: for a file that is read window by window that takes longer than reading. What
// is free waits here for the next window instead. Any thread. What was taken may outlive the stock.
class ByteStock {
 public:
  // At least so many bytes, of any values; free again with the last owner. Throws std::bad_alloc.
  std::shared_ptr<std::byte[]> take(std::size_t bytes);

  void clear();  // what waits is freed

  std::size_t waiting_bytes() const;

  static constexpr std::size_t kMostWaitingBytes = std::size_t{32} << 20;  // the first ones go

 private:
  struct Stretch {
    std::unique_ptr<std::byte[]> memory;
    std::size_t bytes = 0;
  };
  struct Waiting {
    mutable std::mutex mutex;
    std::deque<Stretch> stretches;
    std::size_t bytes = 0;  // of them

    Stretch find(std::size_t wanted);
    void keep(Stretch stretch);
  };

  std::shared_ptr<Waiting> waiting_ = std::make_shared<Waiting>();
};

}  // namespace cinderscope
