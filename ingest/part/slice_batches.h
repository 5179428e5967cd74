// Slices that are read one after the other and worked on in batches, on all cores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "ingest/part/ordered_batches.h"
#include "ingest/part/part_records.h"

namespace cinderscope {

// A batch of slices becomes a `Made`, which has clear(); `use` gets both in order, on the thread
// that adds.
template <class Made, class Item = PartSlice>
class SliceBatches {
 public:
  using Make = std::function<void(std::span<Item> items, Made& made)>;
  using Use = std::function<void(std::span<Item> items, Made& made)>;

  static constexpr std::size_t kMost = 4096, kFewest = 64;

  // At most `most` slices are a batch.
  SliceBatches(unsigned jobs, Make make, Use use, std::size_t most = kMost)
      : most_(most),
        batches_(
            jobs, [make = std::move(make)](Batch& batch) { make(batch.items, batch.made); },
            [use = std::move(use)](Batch& batch) { use(batch.items, batch.made); }) {}

  void add(const Item& item, RecordOffset record) {
    std::vector<Item>& items = batches_.filling().items;
    items.push_back(item);
    // Records of some formats are places in the file: so the texts of a batch are not too long.
    if (record != kNoRecord) {
      distance_ += record > last_record_ ? record - last_record_ : last_record_ - record;
      last_record_ = record;
    }
    const bool is_long = distance_ >= kMostDistance && items.size() >= kFewest;
    if (items.size() < most_ && !is_long) return;
    distance_ = 0;
    batches_.push();
  }
  // All that were added are used.
  void flush() {
    distance_ = 0;
    batches_.finish();
  }

 private:
  static constexpr std::uint64_t kMostDistance = 16u << 20;
  struct Batch {
    std::vector<Item> items;
    Made made;
    void clear() {
      items.clear();
      made.clear();
    }
  };
  std::size_t most_;
  OrderedBatches<Batch> batches_;
  RecordOffset last_record_ = 0;
  std::uint64_t distance_ = 0;  // between the records of the batch
};

}  // namespace cinderscope
