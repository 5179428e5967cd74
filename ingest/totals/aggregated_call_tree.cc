#include "ingest/totals/aggregated_call_tree.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include "ingest/base/parallel.h"
#include "ingest/base/ui_priority.h"
#include "ingest/model/call_walk.h"
#include "ingest/model/flow_links.h"
#include "ingest/totals/picked_slices_walk.h"

namespace cinderscope {
namespace {

constexpr std::uint32_t kNoTotal = 0xffffffffu;

// Finds the total of a name below a caller, or makes it.
class TotalFinder {
 public:
  TotalFinder(std::vector<CallTreeNode>& totals, std::size_t most) : totals_(totals), most_(most) {
    totals_.assign(1, CallTreeNode{});
    slots_.assign(1024, kNoTotal);
    last_callee_.assign(1, kNoTotal);
  }

  // kNoTotal: it would be one too many.
  std::uint32_t of(std::uint32_t caller, StringId name) {
    // Loops call the same again and again.
    const std::uint32_t last = last_callee_[caller];
    if (last != kNoTotal && totals_[last].name == name) return last;
    std::size_t slot = slot_of(caller, name);
    if (slots_[slot] == kNoTotal) {
      if (totals_.size() > most_) return kNoTotal;
      slots_[slot] = static_cast<std::uint32_t>(totals_.size());
      CallTreeNode& made = totals_.emplace_back();
      made.name = name;
      made.caller = caller;
      made.depth = totals_[caller].depth + 1;
      last_callee_.push_back(kNoTotal);
      if (totals_.size() * 2 > slots_.size()) grow();
      slot = slot_of(caller, name);
    }
    return last_callee_[caller] = slots_[slot];
  }

 private:
  std::size_t slot_of(std::uint32_t caller, StringId name) const {
    std::uint64_t hash = std::uint64_t{caller} << 32 | index(name);
    hash = (hash ^ hash >> 32) * 0x9e3779b97f4a7c15u;
    std::size_t slot = static_cast<std::size_t>(hash ^ hash >> 29) & (slots_.size() - 1);
    while (slots_[slot] != kNoTotal &&
           (totals_[slots_[slot]].caller != caller || totals_[slots_[slot]].name != name)) {
      slot = (slot + 1) & (slots_.size() - 1);
    }
    return slot;
  }
  void grow() {
    slots_.assign(slots_.size() * 2, kNoTotal);
    for (std::uint32_t i = 1; i < totals_.size(); ++i) {
      slots_[slot_of(totals_[i].caller, totals_[i].name)] = i;
    }
  }

  std::vector<CallTreeNode>& totals_;
  std::size_t most_;
  std::vector<std::uint32_t> slots_;        // open addressing
  std::vector<std::uint32_t> last_callee_;  // by total: the one that was found last
};

void add(CallTreeNode& to, std::int64_t duration_ns, const SliceRef& slice) {
  if (to.count++ == 0 || duration_ns > to.longest_ns) {
    to.longest_ns = duration_ns;
    to.longest = slice;
  }
  to.total_ns = saturating_sum(to.total_ns, duration_ns);
}

// Of several calls at once.
void add(CallTreeNode& to, const CallTreeNode& calls) {
  to.count += calls.count;
  to.subtree_calls += calls.subtree_calls;
  to.total_ns = saturating_sum(to.total_ns, calls.total_ns);
  if (calls.longest_ns >= to.longest_ns) {
    to.longest_ns = calls.longest_ns;
    to.longest = calls.longest;
  }
}

// Callees of each total together, the largest first.
void order_callees(AggregatedCallTree& out) {
  const std::size_t count = out.totals.size();
  for (std::size_t i = 1; i < count; ++i) ++out.totals[out.totals[i].caller].callee_count;
  std::uint32_t first = 0;
  for (CallTreeNode& total : out.totals) {
    total.first_callee = first;
    first += total.callee_count;
  }
  std::vector<std::uint32_t> next(count);
  for (std::size_t i = 0; i < count; ++i) next[i] = out.totals[i].first_callee;
  out.callees.resize(count - 1);
  for (std::uint32_t i = 1; i < count; ++i) out.callees[next[out.totals[i].caller]++] = i;
  out.callees_by_calls = out.callees;
  for (const CallTreeNode& total : out.totals) {
    const auto order = [&](std::vector<std::uint32_t>& callees, CallWeight by) {
      const auto begin = callees.begin() + total.first_callee;
      std::sort(begin, begin + total.callee_count, [&](std::uint32_t a, std::uint32_t b) {
        const CallTreeNode &one = out.totals[a], &other = out.totals[b];
        if (one.weight(by) != other.weight(by)) return one.weight(by) > other.weight(by);
        if (one.count != other.count) return one.count > other.count;
        return a < b;
      });
    };
    order(out.callees, CallWeight::time);
    order(out.callees_by_calls, CallWeight::calls);
  }
}

// Callers come before what they called.
void add_up_nested(AggregatedCallTree& out) {
  for (CallTreeNode& total : out.totals) total.subtree_calls = total.count;
  for (std::size_t i = out.totals.size(); i-- > 1;) {
    out.totals[out.totals[i].caller].subtree_calls += out.totals[i].subtree_calls;
  }
}

void add_up_all(AggregatedCallTree& out) {
  CallTreeNode& all = out.totals.front();
  for (std::size_t i = 1; i < out.totals.size(); ++i) {
    const CallTreeNode& total = out.totals[i];
    if (total.caller == 0) all.total_ns = saturating_sum(all.total_ns, total.total_ns);
    if (!out.bottom_up || total.caller == 0) all.count += total.count;
    if (total.longest_ns > all.longest_ns) {
      all.longest_ns = total.longest_ns;
      all.longest = total.longest;
    }
  }
  all.count += out.left_out;
  all.subtree_calls = all.count;
}

// Neighbours in SliceSet::tracks.
struct TrackGroup {
  std::size_t first = 0, end = 0;
};

bool is_measured(const TrackSlices& track, const Scope& scope, const PickedSlices* picked) {
  if (!scope.has_track(track.track)) return false;
  if (picked != nullptr) return !picked->of_track(track.track).empty();
  return scope.names_tracks() || track.kind == TrackKind::thread;
}

std::uint64_t slices_of(const TrackSlices& track) {
  std::uint64_t count = 0;
  for (const auto& block : track.blocks) {
    if (block == nullptr) continue;
    for (const SliceRow& row : block->rows) count += row.count();
  }
  return count;
}

// Few, since each of them has totals of its own until all are done.
std::vector<TrackGroup> groups_of(const SliceSet& slices, const Scope& scope,
                                  const PickedSlices* picked, unsigned jobs) {
  const std::uint64_t wanted = 2 * std::uint64_t{std::max(1u, jobs)};
  std::uint64_t all = 0;
  for (const TrackSlices& track : slices.tracks) {
    if (is_measured(track, scope, picked)) all += slices_of(track);
  }
  std::vector<TrackGroup> groups(1);
  std::uint64_t here = 0;
  for (std::size_t i = 0; i < slices.tracks.size(); ++i) {
    if (here > 0 && here >= all / wanted && jobs > 1) {
      groups.push_back({i, i});
      here = 0;
    }
    if (is_measured(slices.tracks[i], scope, picked)) here += slices_of(slices.tracks[i]);
    groups.back().end = i + 1;
  }
  return groups;
}

// Ends early once cancelled, or, if it `ends_when_full`, once something was left out. `picked` is
// the scope's set; null: there is none.
void add_tracks(const SliceSet& slices, const TrackGroup& group, const Scope& scope,
                const PickedSlices* picked, const std::atomic<bool>& cancelled, bool ends_when_full,
                TotalFinder& finder, AggregatedCallTree& out) {
  constexpr std::uint32_t kCallsBetweenLooks = 1u << 14;  // at the cancel flag
  std::atomic<bool> stop = false;
  std::uint32_t calls = 0;
  for (std::size_t i = group.first; i < group.end && !stop; ++i) {
    const TrackSlices& track = slices.tracks[i];
    stop = cancelled.load(std::memory_order_relaxed);
    if (!is_measured(track, scope, picked)) continue;
    const bool has_callers = track.kind != TrackKind::async;
    const auto on_call = [&](const WalkedCall& call, const std::uint32_t* caller) {
      if (++calls % kCallsBetweenLooks == 0) {
        yield_to_ui();
        if (cancelled.load(std::memory_order_relaxed)) stop = true;
      }
      const std::uint32_t below = caller == nullptr || !has_callers ? 0 : *caller;
      if (picked != nullptr && !picked->has(call.slice)) return below;
      const std::uint32_t found = finder.of(below, call.name);
      if (found == kNoTotal) {
        ++out.left_out;
        if (ends_when_full) stop = true;
        return below;
      }
      CallTreeNode& total = out.totals[found];
      add(total, call.duration_ns(), call.slice);
      if (!has_callers) total.self_ns = saturating_sum(total.self_ns, call.duration_ns());
      return found;
    };
    const auto on_self = [&](std::uint32_t of, std::int64_t ns) {
      if (has_callers) out.totals[of].self_ns = saturating_sum(out.totals[of].self_ns, ns);
    };
    if (picked == nullptr) {
      walk_call_tree<std::uint32_t>(track, scope, stop, on_call, on_self);
      continue;
    }
    for (const PickedStretch& stretch : picked_stretches(track, *picked, {.scope = scope})) {
      walk_call_tree<std::uint32_t>(track, stretch.scope(), stop, on_call, on_self);
    }
  }
}

// What tracks that come after those of `out` add up to, if nothing was left out of it. Totals lie
// in the order of their first calls, so those that are too many now are the same as if one thread
// had gone through all tracks.
void add_tree(const AggregatedCallTree& tree, TotalFinder& finder, AggregatedCallTree& out) {
  std::vector<std::uint32_t> places(tree.totals.size());
  for (std::uint32_t i = 1; i < tree.totals.size(); ++i) {
    const CallTreeNode& from = tree.totals[i];
    const std::uint32_t below = places[from.caller];
    const std::uint32_t found = finder.of(below, from.name);
    places[i] = found == kNoTotal ? below : found;
    CallTreeNode& to = out.totals[places[i]];
    to.self_ns = saturating_sum(to.self_ns, from.self_ns);
    if (found == kNoTotal) {
      out.left_out += from.count;
      continue;
    }
    if (to.count == 0 || from.longest_ns > to.longest_ns) {
      to.longest_ns = from.longest_ns;
      to.longest = from.longest;
    }
    to.count += from.count;
    to.total_ns = saturating_sum(to.total_ns, from.total_ns);
  }
}

}  // namespace

AggregatedCallTree aggregate_calls(const SliceSet& slices, const Scope& scope,
                                   const std::atomic<bool>& cancelled, std::size_t most,
                                   unsigned jobs) {
  std::optional<PickedSlices> of_set;
  if (scope.has_set()) of_set = slices_of_set(slices, scope, &cancelled);
  const PickedSlices* picked = of_set ? &*of_set : nullptr;
  const std::vector<TrackGroup> groups = groups_of(slices, scope, picked, jobs);
  std::vector<AggregatedCallTree> trees(groups.size());
  std::vector<std::unique_ptr<TotalFinder>> finders(groups.size());
  parallel_for(groups.size(), jobs, [&](std::size_t i) {
    finders[i] = std::make_unique<TotalFinder>(trees[i].totals, most);
    add_tracks(slices, groups[i], scope, picked, cancelled, i > 0, *finders[i], trees[i]);
  });
  AggregatedCallTree& out = trees.front();
  for (std::size_t i = 1; i < groups.size(); ++i) {
    if (cancelled.load(std::memory_order_relaxed)) break;
    finders[i].reset();
    if (trees[i].left_out == 0) {
      add_tree(trees[i], *finders.front(), out);
    } else {
      // Which calls are left out depends on the tracks before.
      add_tracks(slices, groups[i], scope, picked, cancelled, false, *finders.front(), out);
    }
    trees[i] = {};
  }
  if (cancelled.load(std::memory_order_relaxed)) return std::move(out);
  out.totals.front().self_ns = 0;  // of outermost calls that were left out
  add_up_nested(out);
  add_up_all(out);
  order_callees(out);
  out.whole = true;
  return std::move(out);
}

AggregatedCallTree reversed(const AggregatedCallTree& totals, const std::atomic<bool>& cancelled,
                            std::size_t most) {
  AggregatedCallTree out;
  out.bottom_up = true;
  out.left_out = totals.left_out;
  TotalFinder finder(out.totals, most);
  for (std::uint32_t i = 1; i < totals.totals.size(); ++i) {
    if (i % 1024 == 0 && cancelled.load(std::memory_order_relaxed)) return out;
    const CallTreeNode& made = totals.totals[i];
    std::uint32_t at = 0;
    std::uint32_t callers = 0;
    for (std::uint32_t from = i; from != 0 && callers <= kMaxCallers; ++callers) {
      at = finder.of(at, totals.totals[from].name);
      if (at == kNoTotal) break;
      CallTreeNode& total = out.totals[at];
      total.count += made.count;
      total.subtree_calls = total.count;
      total.total_ns = saturating_sum(total.total_ns, made.self_ns);
      if (total.depth == 1) total.self_ns = total.total_ns;
      if (made.longest_ns >= total.longest_ns) {
        total.longest_ns = made.longest_ns;
        total.longest = made.longest;
      }
      from = totals.totals[from].caller;
    }
  }
  add_up_all(out);
  order_callees(out);
  out.whole = true;
  return out;
}

FunctionTotals function_totals(const AggregatedCallTree& totals, StringId function,
                               const std::atomic<bool>& cancelled, std::size_t most) {
  FunctionTotals out;
  out.callers.bottom_up = true;
  TotalFinder callees(out.callees.totals, most), callers(out.callers.totals, most);
  // Of each total the one that it is added to among the callees, if it is one of the function's.
  std::vector<std::uint32_t> among(totals.totals.size(), kNoTotal);
  for (std::uint32_t i = 1; i < totals.totals.size(); ++i) {
    if (i % 1024 == 0 && cancelled.load(std::memory_order_relaxed)) return out;
    const CallTreeNode& made = totals.totals[i];
    const std::uint32_t below = among[made.caller];
    if (below != kNoTotal) {
      // What is one too many stays self time of its caller.
      among[i] = callees.of(below, made.name);
      if (among[i] == kNoTotal) {
        among[i] = below;
        out.callees.left_out += made.count;
      } else {
        add(out.callees.totals[among[i]], made);
      }
      CallTreeNode& self = out.callees.totals[among[i]];
      self.self_ns = saturating_sum(self.self_ns, made.self_ns);
      continue;
    }
    if (made.name != function) continue;
    among[i] = 0;
    CallTreeNode& all = out.callees.totals.front();
    add(all, made);
    all.self_ns = saturating_sum(all.self_ns, made.self_ns);
    add(out.callers.totals.front(), made);
    std::uint32_t at = 0, count = 0;
    for (std::uint32_t from = made.caller; from != 0 && count < kMaxCallers; ++count) {
      at = callers.of(at, totals.totals[from].name);
      if (at == kNoTotal) break;
      add(out.callers.totals[at], made);
      from = totals.totals[from].caller;
    }
  }
  for (AggregatedCallTree* tree : {&out.callees, &out.callers}) {
    tree->totals.front().name = function;
    order_callees(*tree);
    tree->whole = true;
  }
  return out;
}

}  // namespace cinderscope
