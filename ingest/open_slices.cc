#include "ingest/open_slices.h"

namespace cinderscope {

void OpenSlices::close_indexed(StringId name, Closed& out) {
  if (!indexed_) index_names();
  const auto found = positions_.find(index(name));
  const bool named = name != kNoName && found != positions_.end() && !found->second.empty();
  if (!named || found->second.back() + 1 == stack_.size()) return pop(out);
  Entry& entry = stack_[found->second.back()];
  found->second.pop_back();
  entry.closed = true;
  --live_;
  out = {entry.slice, false};
}

void OpenSlices::pop(Closed& out) {
  out = {stack_.back().slice, true};
  positions_[index(out.slice.name)].pop_back();
  stack_.pop_back();
  --live_;
  while (!stack_.empty() && stack_.back().closed) stack_.pop_back();
}

void OpenSlices::index_names() {
  indexed_ = true;
  for (std::size_t i = 0; i < stack_.size(); ++i) {
    positions_[index(stack_[i].slice.name)].push_back(i);
  }
}

std::vector<OpenSlice> OpenSlices::all() const {
  std::vector<OpenSlice> slices;
  slices.reserve(live_);
  for (const Entry& entry : stack_) {
    if (!entry.closed) slices.push_back(entry.slice);
  }
  return slices;
}

void OpenSlices::clear() {
  *this = OpenSlices();
}

}  // namespace cinderscope
