// The calls of a profile of many different stacks: built chain by chain, not call by call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ingest/base/large_pages.h"
#include "ingest/build/sample_stacks.h"

namespace cinderscope {

// Each call of a chain but its last one has the next for its only callee, and no stack ends in it:
// what is measured in one is measured in all of them. Calls are numbered in the order in which they
// first came, so a chain's are neighbours, and chains are in the order of their calls.
struct CallChains {
  LargePageVector<StringId> name;        // by call
  LargePageVector<std::uint32_t> first;  // by chain: its first call; at the end the number of calls
  LargePageVector<std::uint32_t> caller;  // by chain: the one that calls it; kNoCall: outermost
};

// Functions are numbers of the format's own, equal where two frames belong to one call. Stacks that
// part from all others deep inside are a chain each: a chain takes 12 bytes and a place in a table,
// a call four more.
class StackChains {
 public:
  // Some stacks: `functions` has all of them, each from its outermost frame to its innermost one,
  // `ends` where each ends. At `innermost` comes the number, until finish(), of the chain that each
  // ends with. Memory that is far away is asked for by all stacks before one of them needs it, so
  // some dozens of them at once are better than each alone.
  void add(std::span<const std::uint32_t> functions, std::span<const std::size_t> ends,
           std::uint32_t* innermost);
  // There will probably be `growth` times as much as there is.
  void expect(double growth);

  std::size_t size() const { return chains_.size(); }
  std::size_t call_count() const { return function_.size(); }
  std::uint32_t function(std::uint32_t call) const {
    return static_cast<std::uint32_t>(function_[call]);
  }
  std::uint32_t last_function(std::uint32_t chain) const {
    return function(chains_[chain].first + chains_[chain].calls - 1);
  }

  // The chains in the order of their calls, by the names of the functions. `numbers` gets the
  // number that each had until now. Takes what this has.
  CallChains finish(std::span<const StringId> name_of_function,
                    LargePageVector<std::uint32_t>& numbers) &&;

 private:
  static constexpr std::uint32_t kMostCalls = 0x7fffffff;
  struct Chain {
    std::uint32_t caller = kNoCall, first = 0, calls = 0;
  };
  struct Slot {
    std::uint32_t caller = 0, function = 0;  // the chain's caller and its first function
    std::uint32_t chain = 0, calls = 0;      // no calls: free
  };
  // A stack on its way inwards.
  struct Cursor {
    std::size_t next, end;  // among the functions
    std::size_t slot;       // where its next chain is looked for
    std::uint32_t chain;    // what it passed last
    std::uint32_t stack;
  };

  std::size_t place_of(std::uint32_t caller, std::uint32_t function) const;
  const Slot& slot_at(std::size_t place, std::uint32_t caller, std::uint32_t function) const;
  Slot& slot_of(std::uint32_t caller, std::uint32_t function);
  std::uint32_t add_rest(std::uint32_t chain, std::span<const std::uint32_t> functions);
  std::uint32_t new_chain(std::uint32_t caller, std::span<const std::uint32_t> functions);
  std::uint32_t split(Slot& slot, std::uint32_t calls);
  void make_room();
  void resize_table(std::size_t slots);
  LargePageVector<std::uint32_t> order_of_calls() const;

  // A chain that is split keeps its number for the inner part, whose callees know it by that.
  LargePageVector<Chain> chains_;
  std::vector<std::uint32_t> outer_parts_;  // chains that a split made
  LargePageVector<StringId> function_;      // numbers of functions; finish() puts names there
  LargePageVector<Slot> table_;             // open addressing; each chain by its caller
  // Of add().
  std::vector<Cursor> cursors_;
  std::vector<std::uint32_t> going_;
};

}  // namespace cinderscope
