#include "app/store/merge_view_state.h"

#include <algorithm>
#include <set>
#include <string>
#include <tuple>

namespace cinderscope {
namespace {

template <class Name>
const Name& key_of(const Name& name) {
  return name;
}

// The view's place is left out: a bookmark keeps the one that it was set with.
std::tuple<std::int64_t, std::int64_t, std::int64_t, std::string> key_of(const Bookmark& mark) {
  return {mark.time_ns, mark.begin_ns, mark.end_ns, mark.note};
}

template <class Item>
auto keys_of(const std::vector<Item>& items) {
  std::set<std::decay_t<decltype(key_of(items.front()))>> keys;
  for (const Item& item : items) keys.insert(key_of(item));
  return keys;
}

template <class Item>
void merge_list(const std::vector<Item>& before, const std::vector<Item>& mine,
                std::vector<Item>& theirs) {
  const auto known = keys_of(before), kept = keys_of(mine);
  std::erase_if(theirs, [&](const Item& item) {
    return known.contains(key_of(item)) && !kept.contains(key_of(item));
  });
  const auto there = keys_of(theirs);
  for (const Item& item : mine) {
    if (!known.contains(key_of(item)) && !there.contains(key_of(item))) theirs.push_back(item);
  }
}

bool same(const std::optional<TimeRange>& a, const std::optional<TimeRange>& b) {
  if (!a || !b) return !a && !b;
  return a->begin_ns == b->begin_ns && a->end_ns == b->end_ns;
}

}  // namespace

SavedViewState merged(const SavedViewState& before, const SavedViewState& mine,
                      SavedViewState theirs) {
  if (!same(before.view, mine.view) || before.scroll_px != mine.scroll_px) {
    theirs.view = mine.view;
    theirs.scroll_px = mine.scroll_px;
  }
  if (!same(before.range, mine.range)) theirs.range = mine.range;
  if (before.order != mine.order) theirs.order = mine.order;
  if (before.grouped != mine.grouped || before.group_pattern != mine.group_pattern) {
    theirs.grouped = mine.grouped;
    theirs.group_pattern = mine.group_pattern;
  }
  if (before.moved != mine.moved) theirs.moved = mine.moved;  // an order makes sense as a whole
  merge_list(before.collapsed_processes, mine.collapsed_processes, theirs.collapsed_processes);
  merge_list(before.collapsed, mine.collapsed, theirs.collapsed);
  merge_list(before.hidden, mine.hidden, theirs.hidden);
  merge_list(before.pinned, mine.pinned, theirs.pinned);
  merge_list({}, mine.processes, theirs.processes);
  merge_list(before.bookmarks, mine.bookmarks, theirs.bookmarks);
  std::ranges::stable_sort(theirs.bookmarks, {}, &Bookmark::time_ns);
  return theirs;
}

}  // namespace cinderscope
