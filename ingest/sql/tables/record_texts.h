// What the records of slices and instants say, read again from the file: several at once where many
// are asked for one after the other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ingest/model/record_text.h"
#include "ingest/sql/query_data.h"

namespace cinderscope {

class RecordTexts {
 public:
  explicit RecordTexts(const QueryData& data) : data_(data) {}

  // `ahead(places)` fills in what will be asked for next, and says how many. Stays until the next
  // call.
  template <class Ahead>
  const RecordText& text_of(const NumberedPlace& place, Ahead ahead) {
    if (next_ < places_.size() && is_same(places_[next_], place)) return texts_[next_++];
    if (next_ > 0 && is_same(places_[next_ - 1], place)) return texts_[next_ - 1];
    // All that was fetched was used: more of it next time.
    batch_ = next_ == places_.size() ? std::min(batch_ * 4 + 1, kMostAtOnce) : 1;
    places_.resize(batch_);
    places_[0] = place;
    places_.resize(1 + ahead(std::span(places_).subspan(1)));
    read();
    next_ = 1;
    return texts_[0];
  }
  const RecordText& text_of(const NumberedPlace& place) {
    return text_of(place, [](std::span<NumberedPlace>) { return std::size_t{0}; });
  }

 private:
  static constexpr std::size_t kMostAtOnce = 1024;
  static bool is_same(const NumberedPlace& a, const NumberedPlace& b) {
    return a.row == b.row && a.index == b.index;
  }
  void read();

  const QueryData& data_;
  std::vector<NumberedPlace> places_;
  std::vector<RecordText> texts_;
  std::size_t next_ = 0, batch_ = 0;
};

}  // namespace cinderscope
