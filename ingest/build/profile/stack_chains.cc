#include "ingest/build/profile/stack_chains.h"

#include <algorithm>
#include <bit>
#include <new>
#include <utility>

#include "ingest/build/passing_memory.h"
#include "ingest/build/radix_sort.h"

namespace cinderscope {
namespace {

constexpr std::size_t kFirstPlaces = 1024;

// A table that is fuller than two thirds has long ways from place to place.
constexpr std::size_t slots_for(std::size_t chains) {
  return chains + chains / 2 + 1;
}

}  // namespace

std::size_t StackChains::place_of(std::uint32_t caller, std::uint32_t function) const {
  std::uint64_t hash = (std::uint64_t{caller} << 32 | function) * 0x9e3779b97f4a7c15u;
  hash ^= hash >> 32;
  return hash & (table_.size() - 1);
}

const StackChains::Slot& StackChains::slot_at(std::size_t place, std::uint32_t caller,
                                              std::uint32_t function) const {
  const std::size_t mask = table_.size() - 1;
  for (;; place = (place + 1) & mask) {
    const Slot& slot = table_[place];
    if (slot.calls == 0 || (slot.caller == caller && slot.function == function)) return slot;
  }
}

StackChains::Slot& StackChains::slot_of(std::uint32_t caller, std::uint32_t function) {
  return const_cast<Slot&>(slot_at(place_of(caller, function), caller, function));
}

// To a power of 2.
void StackChains::resize_table(std::size_t slots) {
  const LargePageVector<Slot> old = std::exchange(table_, LargePageVector<Slot>(slots));
  for (const Slot& slot : old) {
    if (slot.calls != 0) slot_of(slot.caller, slot.function) = slot;
  }
}

// For two chains more: a split and what comes behind it.
void StackChains::make_room() {
  if (table_.size() < slots_for(chains_.size() + 2)) {
    resize_table(std::max(kFirstPlaces, 2 * table_.size()));
  }
}

void StackChains::expect(double growth) {
  const auto grown = [growth](std::size_t size) {
    return std::max(size, static_cast<std::size_t>(static_cast<double>(size) * growth));
  };
  chains_.reserve(grown(chains_.size()));
  function_.reserve(grown(function_.size()));
  const std::size_t slots = std::bit_ceil(slots_for(grown(chains_.size())));
  if (slots > table_.size()) resize_table(slots);
}

std::uint32_t StackChains::new_chain(std::uint32_t caller,
                                     std::span<const std::uint32_t> functions) {
  const std::size_t first = function_.size();
  if (functions.size() > kMostCalls - first) throw std::bad_alloc();
  for (const std::uint32_t function : functions) function_.push_back(StringId{function});
  chains_.push_back(
      {caller, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(functions.size())});
  return static_cast<std::uint32_t>(chains_.size() - 1);
}

// The first `calls` calls of the slot's chain become one of their own, whose number this returns.
std::uint32_t StackChains::split(Slot& slot, std::uint32_t calls) {
  const auto outer = static_cast<std::uint32_t>(chains_.size());
  const std::uint32_t inner = slot.chain;
  chains_.push_back({slot.caller, chains_[inner].first, calls});
  outer_parts_.push_back(outer);
  Chain& rest = chains_[inner];
  rest.caller = outer;
  rest.first += calls;
  rest.calls -= calls;
  slot.chain = outer;
  slot.calls = calls;
  const std::uint32_t first = function(rest.first);
  slot_of(outer, first) = {outer, first, inner, rest.calls};
  return outer;
}

// The innermost chain of a stack that passed `chain`, the rest of whose frames are `functions`.
std::uint32_t StackChains::add_rest(std::uint32_t chain, std::span<const std::uint32_t> functions) {
  while (!functions.empty()) {
    make_room();
    Slot& slot = slot_of(chain, functions.front());
    if (slot.calls == 0) {
      const std::uint32_t made = new_chain(chain, functions);
      slot = {chain, functions.front(), made, static_cast<std::uint32_t>(functions.size())};
      return made;
    }
    std::uint32_t same = 1;
    if (slot.calls > 1) {
      const std::uint32_t first = chains_[slot.chain].first;
      const std::size_t most = std::min<std::size_t>(slot.calls, functions.size());
      while (same < most && function(first + same) == functions[same]) ++same;
    }
    chain = same < slot.calls ? split(slot, same) : slot.chain;
    functions = functions.subspan(same);
  }
  return chain;
}

void StackChains::add(std::span<const std::uint32_t> functions, std::span<const std::size_t> ends,
                      std::uint32_t* innermost) {
  make_room();
  const auto look_up_next = [&](Cursor& cursor) {
    cursor.slot = place_of(cursor.chain, functions[cursor.next]);
#if defined(__GNUC__)
    __builtin_prefetch(&table_[cursor.slot]);
#endif
  };
  cursors_.resize(ends.size());
  std::size_t begin = 0;
  for (std::size_t i = 0; i < ends.size(); begin = ends[i++]) {
    cursors_[i] = {begin, ends[i], 0, kNoCall, static_cast<std::uint32_t>(i)};
  }
  // Rounds, in which each stack goes one chain inwards, as long as the chains are one call each.
  std::vector<std::uint32_t>& going = going_;
  going.clear();
  for (Cursor& cursor : cursors_) {
    if (cursor.next == cursor.end) continue;
    look_up_next(cursor);
    going.push_back(cursor.stack);
  }
  while (!going.empty()) {
    std::size_t kept = 0;
    for (const std::uint32_t stack : going) {
      Cursor& cursor = cursors_[stack];
      const Slot& slot = slot_at(cursor.slot, cursor.chain, functions[cursor.next]);
      if (slot.calls != 1) continue;
      cursor.chain = slot.chain;
      if (++cursor.next == cursor.end) continue;
      look_up_next(cursor);
      going[kept++] = stack;
    }
    going.resize(kept);
  }
  // What is new, in order.
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const Cursor& cursor = cursors_[i];
    innermost[i] = add_rest(cursor.chain, functions.subspan(cursor.next, cursor.end - cursor.next));
  }
}

// All but the outer parts of splits are in it by their numbers already.
LargePageVector<std::uint32_t> StackChains::order_of_calls() const {
  std::vector<std::uint32_t> outer = outer_parts_;
  radix_sort(outer, [this](std::uint32_t chain) { return std::uint64_t{chains_[chain].first}; });
  LargePageVector<std::uint32_t> order;
  order.reserve(chains_.size());
  std::size_t next_outer = 0, next_skipped = 0;
  for (std::uint32_t chain = 0; chain < chains_.size(); ++chain) {
    if (next_skipped < outer_parts_.size() && outer_parts_[next_skipped] == chain) {
      ++next_skipped;
      continue;
    }
    while (next_outer < outer.size() && chains_[outer[next_outer]].first < chains_[chain].first) {
      order.push_back(outer[next_outer++]);
    }
    order.push_back(chain);
  }
  return order;  // the inner part of a split is behind its outer one, so none is left
}

CallChains StackChains::finish(std::span<const StringId> name_of_function,
                               LargePageVector<std::uint32_t>& numbers) && {
  release(table_);
  numbers = order_of_calls();
  LargePageVector<std::uint32_t> place(chains_.size());
  for (std::uint32_t i = 0; i < numbers.size(); ++i) place[numbers[i]] = i;
  CallChains out{.name = std::exchange(function_, {})};
  for (StringId& name : out.name) name = name_of_function[index(name)];
  out.first.reserve(chains_.size() + 1);
  out.caller.reserve(chains_.size());
  for (const std::uint32_t number : numbers) {
    const Chain& chain = chains_[number];
    out.first.push_back(chain.first);
    out.caller.push_back(chain.caller == kNoCall ? kNoCall : place[chain.caller]);
  }
  out.first.push_back(static_cast<std::uint32_t>(out.name.size()));
  release(chains_);
  release(outer_parts_);
  return out;
}

}  // namespace cinderscope
