// Traces of a pack that are not copied but written anew: a range, some threads, other names.
#pragma once

#include <filesystem>
#include <optional>

#include "app/pack/cut_session.h"
#include "app/pack/pack_plan.h"

namespace cinderscope {

class CutTraces {
 public:
  // They are written below `scratch` until the pack has them.
  CutTraces(const PackRequest& request, PackPlan& plan, std::filesystem::path scratch,
            PackControl& control)
      : request_(request), plan_(plan), scratch_(std::move(scratch)), control_(control) {}
  // An Error ends it all; what has nothing to be written is noted in the plan.
  Status add(std::size_t trace);
  const CutRanges& ranges() const { return ranges_; }

 private:
  const PackRequest& request_;
  PackPlan& plan_;
  std::filesystem::path scratch_;
  PackControl& control_;
  PackNames names_;
  CutRanges ranges_;
};

}  // namespace cinderscope
