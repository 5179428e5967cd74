#include "app/window/comparison/match_step.h"

#include <array>

#include "app/window/comparison/compare_page.h"
#include "app/window/tab.h"
#include "ingest/base/saturating.h"

namespace cinderscope {

namespace {

const MatchSet* matches_of(const ComparePage& page, Side side) {
  const TraceSearch& search = page.lane(side).search;
  const bool known = search.active() && search.matches() != nullptr && !search.stale() &&
                     (search.matches()->count() > 0 || search.complete());
  return known ? search.matches().get() : nullptr;
}

std::int64_t to(const ComparePage& page, Side side, std::int64_t a_time_ns) {
  return side == side_a ? a_time_ns : page.line_up().to_b(a_time_ns);
}

}  // namespace

std::optional<SideMatch> match_step(const ComparePage& page, int direction) {
  const OfSides<const MatchSet*> sets = {matches_of(page, side_a), matches_of(page, side_b)};
  if (sets[side_a] == nullptr || sets[side_b] == nullptr) return std::nullopt;
  const auto a_time = [&](const SideMatch& found) {
    const std::int64_t begin_ns = slice_of(*sets[found.side], found.match).begin_ns;
    return found.side == side_a ? begin_ns : page.line_up().to_a(begin_ns);
  };
  const auto nearer = [&](const SideMatch& a, const SideMatch& b) {
    if (!a.match || !b.match) return a.match ? a : b;
    const std::int64_t a_ns = a_time(a), b_ns = a_time(b);
    if (direction > 0) return a_ns <= b_ns ? a : b;
    return b_ns >= a_ns ? b : a;
  };
  const Side used = page.used();
  const Session& session = page.session(used);
  const MatchRef here = page.lane(used).search.current(session.state());
  SideMatch next;
  if (here) {
    const SideMatch beside{used, match_beside(*sets[used], here, direction)};
    std::int64_t time_ns = a_time({used, here});
    // What lies at the same time on B is behind what lies on A.
    if (used == side_b) time_ns = saturating_sum(time_ns, 1);
    const Side over = other(used);
    const SideMatch across{over, match_from(*sets[over], to(page, over, time_ns), direction)};
    next = used == side_a ? nearer(beside, across) : nearer(across, beside);
  } else {
    std::array<SideMatch, 2> found;
    for (const Side side : {side_a, side_b}) {
      found.at(side) = {
          side, match_from(*sets[side], page.session(side).state().view.begin_ns, direction)};
    }
    next = nearer(found[side_a], found[side_b]);
  }
  if (next.match) return next;
  std::array<SideMatch, 2> ends;
  for (const Side side : {side_a, side_b}) {
    ends.at(side) = {side,
                     match_from(*sets[side], direction > 0 ? INT64_MIN : INT64_MAX, direction)};
  }
  next = nearer(ends[side_a], ends[side_b]);
  next.wrapped = true;
  return next;
}

}  // namespace cinderscope
