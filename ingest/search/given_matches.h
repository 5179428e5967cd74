// A set of matches that somebody else has found: the slices that a query's rows name.
#pragma once

#include <atomic>
#include <memory>
#include <span>

#include "ingest/search/match_set.h"

namespace cinderscope {

// In any order; what is there twice counts once, what is not there (any more) is left out. Any
// thread. Of no use once `cancelled`.
std::shared_ptr<MatchSet> given_matches(std::shared_ptr<const SliceSet> slices,
                                        std::span<const MatchRef> given,
                                        const std::atomic<bool>& cancelled);

}  // namespace cinderscope
