#include "ingest/open_slices.h"

namespace cinderscope {

void OpenSlices::push(const OpenSlice& slice) {
  if (indexed_) positions_[index(slice.name)].push_back(stack_.size());
  stack_.push_back({slice});
  ++live_;
}

std::optional<OpenSlices::Closed> OpenSlices::close(StringId name) {
  if (stack_.empty()) return std::nullopt;
  if (name == kNoName || stack_.back().slice.name == name) return pop();
  if (!indexed_) index_names();
  const auto found = positions_.find(index(name));
  if (found == positions_.end() || found->second.empty()) return pop();
  Entry& entry = stack_[found->second.back()];
  found->second.pop_back();
  entry.closed = true;
  --live_;
  return Closed{entry.slice, false};
}

OpenSlices::Closed OpenSlices::pop() {
  const Closed closed{stack_.back().slice, true};
  if (indexed_) positions_[index(closed.slice.name)].pop_back();
  stack_.pop_back();
  --live_;
  while (!stack_.empty() && stack_.back().closed) stack_.pop_back();
  return closed;
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
